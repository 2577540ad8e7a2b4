import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBuilt } from '../support/run-program.ts';
import { temporaryHome } from '../support/temporary-home.ts';

test('--home takes its value before and behind the command, in both spellings', async () => {
  await using home = temporaryHome();
  const other = join(home.root, 'other');
  for (const args of [
    ['--home', other, 'host', 'status'],
    ['host', 'status', '--home', other],
    ['host', `--home=${other}`, 'status'],
  ]) {
    const { stdout, stderr } = await runBuilt('gatehouse', args, { env: home.env });
    expect(stdout).toBe(`no host runs for ${other}; any command starts one\n`);
    expect(stderr).toBe('');
  }
});

test('doctor tells about a home without starting a host there', async () => {
  await using home = temporaryHome();
  const { stdout, code } = await runBuilt('gatehouse', ['doctor', '--json'], { env: home.env });
  const checks = JSON.parse(stdout) as { name: string; status: string }[];
  const status = (name: string) => checks.find((check) => check.name === name)?.status;
  expect(status('node')).toBe('ok');
  expect(status('git')).toBe('ok');
  expect(status('runtime scripted')).toBe('ok');
  expect(status('host')).toBe('ok');
  expect(code).toBe(checks.some((check) => check.status === 'fail') ? 1 : 0);
  expect(existsSync(home.gatehouseHome)).toBe(false);
});

test('wrong usage is exit code 2', async () => {
  await using home = temporaryHome();
  for (const args of [['nonsense'], ['show'], ['ls', '--home'], ['demo', '--runs', 'many']]) {
    const { code } = await runBuilt('gatehouse', args, { env: home.env });
    expect({ args, code }).toEqual({ args, code: 2 });
  }
});

test.each([
  [['demo', '--runs', '0'], 'above zero'],
  [['demo', '--runs', 'many'], 'whole number'],
  [['demo', '--tempo', '-5'], 'whole number'],
  [['approve', 'tb-101', 'LINE', '--round', '0'], 'above zero'],
])('%j says which numbers it takes', async (args, takes) => {
  await using home = temporaryHome();
  const { code, stderr } = await runBuilt('gatehouse', args, { env: home.env });
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(takes), expect.stringContaining('--help')]);
});
