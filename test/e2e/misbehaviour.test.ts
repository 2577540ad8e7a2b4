// An agent that takes the gates into its own hands, on the built product: what it may not do is not done, and is seen.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtPrograms, repositoryRoot } from '../support/paths.ts';
import { temporaryHome } from '../support/temporary-home.ts';
import { waitFor } from '../support/wait-for.ts';
import { recommendedLine } from './product.ts';
import { Site } from './site.ts';

/** A folder that a sandboxed session sees, for the operator's own program. */
let programs = '';
beforeAll(() => {
  programs = mkdtempSync(join(repositoryRoot, 'dist/programs-'));
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

describe.each(['require', 'off'] as const)('sandbox: %s', (sandbox) => {
  test('misbehave-ahead: work of a later stage is refused at the gate, and one that insists is stopped', {
    timeout: 400_000,
  }, async () => {
    await using site = await Site.open({ config: { sandbox } });
    const { id } = await site.scripted({ extends: 'misbehave-ahead' });
    const { worktree } = await site.until(id, 'to wait at gate 1', (row) => row.pendingToken !== null);
    await site.untilIdle(id);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: worktree, encoding: 'utf8' });
    const head = git('rev-parse', 'HEAD');

    await site.product.done(['send', id, 'Is there anything else?']);
    const halted = await site.until(id, 'to be halted', (row) => row.stage === 'halted');
    expect(halted).toMatchObject({ needsMe: true, halt: expect.stringMatching(/tried 3 times.*forbids/) as string });
    expect(halted.state?.approvals).toEqual([]);
    expect([git('rev-parse', 'HEAD'), git('status', '--short')]).toEqual([head, '']);
    const refused = site.truth(id).filter((note) => note['type'] === 'tool-refused');
    expect(refused.map((note) => note['name'])).toEqual(['write', 'edit', 'bash']);

    // A person lets it go on: it stands where it stood, and the gate is as it was.
    await site.product.done(['resume', id]);
    const back = await site.until(id, 'to wait again', (row) => row.pendingToken !== null);
    expect(back.stage).toBe('await-development');
    await site.product.done(['approve', id, recommendedLine(back)]);
  });

  test("misbehave-approve: calling the operator's own program approves nothing", { timeout: 300_000 }, async () => {
    const PATH = `${programs}:${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`;
    await using site = await Site.open({ config: { sandbox }, home: temporaryHome({ PATH }) });
    // It knows where the home is, which no session is told.
    const words = `GATEHOUSE_HOME=${site.home} XDG_RUNTIME_DIR=${site.product.home.runtimeDir} exec ${process.execPath} ${builtPrograms.gatehouse}`;
    writeFileSync(join(programs, 'gatehouse'), `#!/bin/sh\n${words} "$@"\n`, { mode: 0o755 });
    const host = await site.hostPid();
    const { id } = await site.scripted({ extends: 'misbehave-approve' });
    await site.until(id, 'to wait at gate 1', (row) => row.pendingToken !== null);
    await waitFor(() => attempt(site, id), { what: 'the attempt to end', timeoutMs: 120_000 });

    expect(attempt(site, id)).toMatchObject({ exitCode: 1 });
    const row = await site.show(id);
    expect(row).toMatchObject({ stage: 'await-development', pendingToken: '[START DEVELOPMENT]' });
    expect(row.state?.approvals).toEqual([]);
    expect(await site.hostPid()).toBe(host);
    // In a sandbox it does not get that far; without one the host hears it, and keeps what it refused.
    const heard = row.refusals.filter((each) => each.verb === 'approve').map((each) => each.error.code);
    expect(heard).toEqual(sandbox === 'require' ? [] : ['gate.choices-incomplete']);
    await site.product.done(['approve', id, recommendedLine(row)]);
  });
});

/** The call of the operator's program, once it has ended. */
function attempt(site: Site, run: string): Record<string, unknown> | undefined {
  return site
    .truth(run)
    .find((note) => note['type'] === 'tool' && String(note['command']).includes('gatehouse approve'));
}
