// A logout: the terminal goes, and perhaps systemd with it. It is not here, so doctor is shown one that answers as its own.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtPrograms } from '../support/paths.ts';
import { isAlive } from '../support/processes.ts';
import { runProgram } from '../support/run-program.ts';
import { openTerminal } from '../support/terminal.ts';
import { temporaryHome } from '../support/temporary-home.ts';
import { Product } from './product.ts';

const own = process.getuid?.() === 0 ? [] : ['--map-root-user'];
const withSystemd = [
  '--mount',
  ...own,
  'sh',
  '-c',
  'mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system && exec "$@"',
  'sh',
];
const possible = spawnSync('unshare', [...withSystemd, 'true']).status === 0;

describe('C028: a logout', () => {
  test('takes the terminal away and nothing else', { timeout: 180_000 }, async () => {
    await using product = new Product();
    const start = '"$0" "$1" demo --no-ui --runs 1 --tempo 0 && echo started; read line';
    let shell = 0;
    {
      await using terminal = openTerminal({
        command: '/bin/sh',
        args: ['-c', start, process.execPath, builtPrograms.gatehouse],
        env: product.home.env,
      });
      await terminal.waitForText('started', { timeoutMs: 60_000 });
      shell = terminal.pid;
    }
    expect(isAlive(shell)).toBe(false);
    await product.waitForRun('tb-101', 'to reach gate 1', (row) => row.pendingToken !== null);
    expect((await product.show('tb-101')).sessions).toHaveLength(1);
  });

  test.skipIf(!possible).each([
    ['ends all runs where logind says so', 'no', 'true', 'warn', 'loginctl enable-linger'],
    ['ends nothing where the user lingers', 'yes', 'true', 'ok', ''],
    ['ends nothing where logind leaves processes alone', 'no', 'false', 'ok', ''],
  ])('%s: doctor says it before the first run', async (_name, linger, kills, status, todo) => {
    await using home = temporaryHome();
    const bin = join(home.root, 'bin');
    mkdirSync(bin);
    for (const [name, line] of [
      ['loginctl', `Linger=${linger}`],
      ['busctl', `b ${kills}`],
    ] as const) {
      writeFileSync(join(bin, name), `#!/bin/sh\necho '${line}'\n`);
      chmodSync(join(bin, name), 0o755);
    }
    const env = { ...home.env, PATH: `${bin}:${home.env['PATH']}` };
    const argv = [...withSystemd, process.execPath, builtPrograms.gatehouse, 'doctor', '--json'];
    const result = await runProgram('unshare', argv, { env });
    const checks = JSON.parse(result.stdout) as { name: string; status: string; todo?: string }[];
    const logout = checks.find((check) => check.name === 'logout');
    expect(logout).toMatchObject({ status });
    expect(logout?.todo ?? '').toContain(todo);
  });
});
