// Approvals that must be signed, given in the console: real keys, the real host, only the screen is looked at.
import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBuilt } from '../support/terminal.ts';
import { recommendedLine } from './product.ts';
import { Site } from './site.ts';

const patient = { timeoutMs: 120_000 };

test('a required signature: who signs is named before Enter, a key that cannot sign sends nothing, a good one is recorded', {
  timeout: 300_000,
}, async () => {
  await using site = await Site.open({
    config: { approvals: { signature: 'require', allowedSigners: 'signers', key: 'key' } },
  });
  const key = join(site.home, 'key');
  makeKey(key, '');
  writeFileSync(join(site.home, 'signers'), `operator@example.invalid ${readFileSync(`${key}.pub`, 'utf8')}`);
  // Its passphrase could only be asked for at the terminal, which the console has.
  makeKey(join(site.home, 'locked'), 'a passphrase');
  swap(site.home, 'locked');
  const { id } = await site.scripted();
  const waiting = await site.until(id, 'to reach gate 1', (row) => row.pendingToken !== null);
  const line = recommendedLine(waiting);

  await using terminal = openBuilt('gatehouse', { env: site.product.home.env, cols: 110, rows: 40 });
  await terminal.waitForText(waiting.task.id, patient);
  terminal.write('t');
  await terminal.waitForText(`Enter signs it as operator@example.invalid with ${key}`, patient);
  terminal.write(line);
  await terminal.waitForText(`> ${line}`, patient);
  terminal.write('\r');
  await terminal.waitForText(/Not sent: the approval cannot be signed: .*passphrase/, patient);
  expect((await site.show(id)).state?.approvals).toEqual([]);

  swap(site.home, 'locked');
  terminal.write('\r');
  await terminal.waitForText('Recorded at', patient);
  const { state } = await site.show(id);
  expect(state?.approvals[0]?.operator.signature?.principal).toBe('operator@example.invalid');
  terminal.write('q');
  await terminal.waitForText('Enter open', patient);
  terminal.write('q');
  expect(await terminal.exit).toMatchObject({ code: 0 });
});

function makeKey(path: string, passphrase: string): void {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'test', '-f', path]);
}

/** Exchanges the key that is configured for another one. */
function swap(home: string, other: string): void {
  for (const ending of ['', '.pub']) {
    const at = (name: string) => join(home, `${name}${ending}`);
    renameSync(at('key'), at('between'));
    renameSync(at(other), at('key'));
    renameSync(at('between'), at(other));
  }
}
