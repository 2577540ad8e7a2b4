// The repository's own commit hook at delivery: it runs, where the agent's programs run.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { Product, recommendedLine } from './product.ts';

test('a commit hook sees neither push credentials nor the home, and words the message that is delivered', {
  timeout: 240_000,
}, async () => {
  await using product = new Product();
  const home = product.home.env['HOME'] ?? '';
  const trap = join(home, 'trap');
  mkdirSync(join(home, '.ssh'), { recursive: true, mode: 0o700 });
  writeFileSync(join(home, '.ssh/id_ed25519'), 'secret\n', { mode: 0o600 });
  const [first] = await product.demo(1);
  const id = first?.id ?? '';
  const { repo } = JSON.parse(readFileSync(join(first?.dir ?? '', 'run.json'), 'utf8')) as { repo: string };
  const hook = join(repo, '.git/hooks/commit-msg');
  mkdirSync(join(repo, '.git/hooks'), { recursive: true });
  writeFileSync(
    hook,
    `#!/bin/sh\ntouch '${trap}'\necho "key: $(cat ${home}/.ssh/id_ed25519 2>&1)" >>"$1"\necho "agent: $SSH_AUTH_SOCK." >>"$1"\n`,
  );
  chmodSync(hook, 0o755);
  const done = await waitFor(
    async () => {
      const row = (await product.list()).find((each) => each.id === id);
      if (row !== undefined && row.pendingToken !== null) await product.run(['approve', id, recommendedLine(row)]);
      return row?.stage === 'ready-for-testing' || row?.stage === 'halted' ? row : undefined;
    },
    { what: 'the end of the run', timeoutMs: 200_000, intervalMs: 500 },
  );
  expect(done).toMatchObject({ stage: 'ready-for-testing', sandbox: 'bwrap' });
  const { state } = await product.show(id);
  const message = execFileSync('git', ['log', '-1', '--format=%B', state?.delivery?.finalCommit ?? ''], {
    cwd: repo,
    encoding: 'utf8',
  });
  expect(message).toMatch(/key: cat: .*No such file/);
  expect(message).toContain('agent: .');
  expect(existsSync(trap)).toBe(false);
});
