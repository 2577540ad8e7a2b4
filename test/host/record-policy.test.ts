// `record` of config.json, on the built product.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ShellAgents } from './shell-agent.ts';

// In two parts, so that no scanner takes this file for a leak.
const secret = { first: `gh${'p_'}aB3aB3aB3`, second: 'aB3'.repeat(9) };
const whole = secret.first + secret.second;
const wait = 'while :; do sleep 0.2; done';

describe('record', () => {
  test('C103: masked: a token that is printed in two writes is on the screen and not in any file', {
    timeout: 120_000,
  }, async () => {
    await using agents = new ShellAgents(
      `printf 'begin\\r\\ntoken ${secret.first}'; sleep 0.3; printf '${secret.second} end'; ${wait}`,
      { record: 'masked' },
    );
    const { product } = agents;
    const { id, dir } = await agents.start();
    const live = await product.waitForRun(id, 'to show the end', (row) => row.lastLine.endsWith(' end'));
    expect(live).toMatchObject({ lastLine: `token ${whole} end`, recording: 'recording' });
    expect(await product.done(['show', id])).toContain('recording, known secrets masked');

    await agents.killHost();
    await product.waitForRun(id, 'to be masked after a restart', (row) => row.lastLine === 'token [masked] end');
    const files = ['session.cast', 'holder.log', 'run.json'].map((name) => readFileSync(join(dir, name), 'utf8'));
    for (const text of files) expect(text).not.toContain(secret.second);
    expect(files[0]).toContain('begin');
  });

  test('off: no output is written, the run says so, and a new host asks the program to draw anew', {
    timeout: 120_000,
  }, async () => {
    await using agents = new ShellAgents(`trap 'printf "drawn anew"' WINCH; printf 'first words'; ${wait}`, {
      record: 'off',
    });
    const { product } = agents;
    const { id, dir } = await agents.start();
    const live = await product.waitForRun(id, 'to speak', (row) => row.lastLine === 'first words');
    expect(live.recording).toBe('missing');
    expect(await product.done(['show', id])).toContain('recording: off');

    await agents.killHost();
    await product.waitForRun(id, 'to be drawn anew', (row) => row.lastLine.startsWith('drawn anew'));
    const cast = readFileSync(join(dir, 'session.cast'), 'utf8');
    expect(cast).not.toContain('words');
    expect(cast).not.toMatch(/, "o", /);
    expect(cast).toMatch(/, "m", "session 1"/);
    await product.done(['stop', id]);
    expect(readFileSync(join(dir, 'session.cast'), 'utf8')).toMatch(/, "x", /);
  });
});
