// The two commands as users start them: in a terminal, from a script, and by a Node that is too old.
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtPrograms } from '../support/paths.ts';
import { runBuilt, runProgram } from '../support/run-program.ts';
import { temporaryHome } from '../support/temporary-home.ts';
import { openBuilt } from '../support/terminal.ts';

describe.each(['gatehouse', 'lattice'] as const)('%s', (program) => {
  test('--version prints one line and exits 0', async () => {
    await using home = temporaryHome();
    const result = await runBuilt(program, ['--version'], home);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^\S+ \d+\.\d+\.\d+\n$/);
  });

  test('--help fits a terminal of 80 columns', async () => {
    await using home = temporaryHome();
    await using terminal = openBuilt(program, { args: ['--help'], env: home.env, rows: 50 });
    expect(await terminal.exit).toEqual({ code: 0, signal: null });
    await terminal.waitForText(program);
    const printed = terminal.raw().toString().split('\r\n');
    expect(printed.filter((line) => line.length > 80)).toEqual([]);
  });

  test('a Node that is too old hands over to the installed one, arguments and exit code included', async () => {
    await using home = temporaryHome();
    const launcher = installWithNode(home.root, program, '#!/bin/sh\nprintf "%s\\n" "$@"\nexit 3\n');
    const result = await runProgram(process.execPath, [...pretendOldNode, launcher, 'ls', '--json'], home);
    expect(result).toEqual({ code: 3, signal: null, stdout: `${launcher}\nls\n--json\n`, stderr: '' });
  });

  test('a Node that is too old, and none installed: says so, says what to do, exits 1', async () => {
    await using home = temporaryHome();
    const launcher = installWithNode(home.root, program, null);
    const result = await runProgram(process.execPath, [...pretendOldNode, launcher, '--version'], home);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/^Node 22 or newer is needed; this is 20\.1\.0\.\nInstall a newer Node.*\n$/);
  });
});

const pretendOldNode = [
  '--import',
  'data:text/javascript,Object.defineProperty(process.versions, "node", { value: "20.1.0" })',
];

/** Copies the launchers to `root`, beside a package that brings the given program as its Node. */
function installWithNode(root: string, program: keyof typeof builtPrograms, node: string | null): string {
  const bin = join(root, 'product/dist/bin');
  cpSync(dirname(builtPrograms[program]), bin, { recursive: true });
  writeFileSync(join(root, 'product/package.json'), '{ "type": "module" }');
  if (node !== null) {
    const file = join(root, `product/node_modules/node-${process.platform}-${process.arch}/bin/node`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, node);
    chmodSync(file, 0o755);
  }
  return join(bin, `${program}.js`);
}
