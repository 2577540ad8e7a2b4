// One real run of the demo up to the first gate, seen through the commands: host, holder, sandbox and agent are the real ones.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunDetail, RunSummary } from '../../src/core/run.ts';
import { runBuilt } from '../support/run-program.ts';
import { temporaryHome } from '../support/temporary-home.ts';
import { waitFor } from '../support/wait-for.ts';

const timeoutMs = 120_000;

test('show, timeline, signed approval, bundle and verify tell one story', { timeout: timeoutMs + 60_000 }, async () => {
  await using home = temporaryHome();
  const gatehouse = (...args: string[]) => runBuilt('gatehouse', args, { env: home.env, cwd: home.root });
  mkdirSync(home.gatehouseHome, { mode: 0o700 });
  const key = join(home.root, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  writeFileSync(join(home.gatehouseHome, 'signers'), `operator@example.invalid ${readFileSync(`${key}.pub`, 'utf8')}`);
  const approvals = { signature: 'require', allowedSigners: 'signers', key };
  writeFileSync(join(home.gatehouseHome, 'config.json'), JSON.stringify({ approvals }));

  expect((await gatehouse('demo', '--no-ui', '--runs', '1', '--tempo', '1')).stderr).toBe('');
  let row: RunSummary | undefined;
  const atGate = async (): Promise<boolean> => {
    [row] = JSON.parse((await gatehouse('ls', '--json')).stdout) as RunSummary[];
    return row?.pendingToken !== null && row?.stage === 'await-development';
  };
  await waitFor(atGate, { what: () => `the first gate; the run is in ${row?.stage}`, timeoutMs, intervalMs: 500 });
  const run = row?.id ?? '';

  const text = (await gatehouse('show', run)).stdout;
  const detail = JSON.parse((await gatehouse('show', run, '--json')).stdout) as RunDetail;
  const line = detail.exampleLine ?? '';
  expect(line).toContain('[START DEVELOPMENT]');
  expect(text).toContain(`gatehouse approve ${run} '${line}'`);
  for (const file of detail.gate?.subject.files ?? []) expect(text).toContain(file.sha256);
  for (const decision of detail.decisions) expect(text).toContain(`${decision.id}. ${decision.question}`);
  expect((await gatehouse('timeline', run)).stdout).toContain('draft -> await-development');

  const unsigned = await gatehouse('approve', run, line, '--no-sign');
  expect(unsigned).toMatchObject({ code: 1, stdout: '' });
  expect(unsigned.stderr).toContain('must be signed');
  const approved = await gatehouse('approve', run, line);
  expect(approved.stderr).toBe('');
  expect(approved.stdout).toContain('now in implement');
  const again = await gatehouse('approve', run, line);
  expect(again.code).toBe(1);
  expect(again.stderr).not.toContain('signed');

  expect((await gatehouse('bundle', run, '-o', 'run.tgz')).code).toBe(0);
  expect(statSync(join(home.root, 'run.tgz')).mode & 0o777).toBe(0o600);
  const verified = await gatehouse('verify', 'run.tgz', '--signers', join(home.gatehouseHome, 'signers'));
  expect(verified.stderr).toBe('');
  for (const name of ['files', 'journal', 'state', 'approvals', 'evidence', 'seals', 'signatures'])
    expect(verified.stdout).toMatch(new RegExp(`^ok +${name} `, 'm'));
});
