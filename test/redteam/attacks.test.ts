import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runProgram } from '../support/run-program.ts';
import { attacksFolder, parseAttack, readAttacks } from './attack.ts';

test('there are at least fifty attacks, each with a readable header', () => {
  const attacks = readAttacks();
  expect(attacks.length).toBeGreaterThanOrEqual(50);
  expect(attacks.length).toBe(readdirSync(attacksFolder).length);
  expect(new Set(attacks.map(({ title }) => title)).size).toBe(attacks.length);
});

test('a header without a machine-checkable success is refused', () => {
  const header = '# title: x\n# hooks: not\n';
  expect(() => parseAttack('a.sh', header)).toThrow('no "success:"');
  expect(() => parseAttack('a.sh', `${header}# success: harm\n`)).toThrow('"harm" is none of');
});

const dangerous = /\b(pkill|killall)\b|kill -9 -1|\bfork\b(?!ed)|count=2048/;

test('every attack that kills by name, forks or fills is marked, and asks the guard first', () => {
  const commands = readAttacks().map((attack) => ({
    ...attack,
    lines: readFileSync(attack.file, 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#')),
  }));
  const unguarded = commands.filter(({ contained, lines }) => contained && lines[0] !== '. "$A_GUARD"');
  expect(unguarded).toEqual([]);
  // The bounded forks of a daemon are no flood.
  const daemons = /relaunch|double-fork/;
  const unmarked = commands.filter(
    ({ id, contained, lines }) => !contained && !daemons.test(id) && dangerous.test(lines.join('\n')),
  );
  expect(unmarked).toEqual([]);
});

test('outside of an arena they refuse to start', async () => {
  const script = join(attacksFolder, '080-kill-by-name.sh');
  const env = { PATH: '/usr/bin:/bin', A_GUARD: join(import.meta.dirname, 'guard.sh'), A_HOST_PID: '0' };
  // Here the guard is asked alone, so that a guard that fails costs nothing.
  const own = await runProgram('/bin/bash', ['-c', 'readlink /proc/self/ns/pid'], { env });
  for (const outer of ['', own.stdout.trim()]) {
    const result = await runProgram('/bin/bash', [env.A_GUARD], { env: { ...env, ARENA_OUTER_PIDS: outer } });
    expect(result).toMatchObject({ code: 97, stderr: 'guard: not in a PID namespace of its own, refused\n' });
  }
  const elsewhere = { ...env, ARENA_OUTER_PIDS: 'pid:[1]' };
  const result = await runProgram('/bin/bash', [env.A_GUARD], { env: elsewhere });
  expect(result).toMatchObject({ code: 97, stderr: 'guard: /tmp is no small tmpfs, refused\n' });
  expect(readFileSync(script, 'utf8')).toContain('. "$A_GUARD"\n');
});
