// A program that nobody here knows, and what it asks before it works: named, shown, answered by a person alone.
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ShellAgents } from '../host/shell-agent.ts';

/** Writes down whatever it is given; leaves when the answer is none. */
const script = `
printf 'Welcome.\\n\\nDo you trust the files in this folder? [y/N] '
read -r answer; printf '%s\\n' "$answer" >> "$HEARD"
[ "$answer" = y ] || exit 3
printf 'Accept the licence? (press a)'
read -r answer; printf '%s\\n' "$answer" >> "$HEARD"
printf '\\nready> '
while read -r line; do printf '%s\\n' "$line" >> "$HEARD"; printf 'ready> '; done`;

let agents: ShellAgents;
let heardFile: string;
const heard = () => readFileSync(heardFile, 'utf8').trim().split('\n');

beforeAll(() => {
  agents = new ShellAgents('');
  const folder = join(agents.product.home.root, 'heard');
  mkdirSync(folder);
  heardFile = join(folder, 'heard.txt');
  agents.configure({
    runtimes: {
      shell: {
        kind: 'generic',
        program: '/bin/sh',
        args: ['-c', script],
        env: { HEARD: heardFile },
        ready: 'ready>',
        submit: 'type-enter',
        dialogs: [
          { name: 'licence', pattern: 'accept the licence', choices: [{ label: 'Accept', keys: ['a', '\r'] }] },
        ],
      },
    },
  });
});
afterAll(() => agents[Symbol.asyncDispose](), 60_000);

describe('C024: a generic runtime that asks before it works', () => {
  test('is blocked by name, is typed nothing to, and goes on with what a person answers', {
    timeout: 120_000,
  }, async () => {
    const { product } = agents;
    const { id } = await agents.start();
    const blocked = await product.waitForRun(id, 'to ask', (row) => row.activity === 'blocked');
    expect(blocked).toMatchObject({
      needsMe: true,
      needsMeReason: 'asks',
      remedy: `gatehouse answer ${id} shows the choices and takes one`,
    });
    expect(blocked.activityReason).toBe(
      'trust (it looks like it): Welcome. Do you trust the files in this folder? [y/N]',
    );
    const { dialog } = await product.show(id);
    expect(dialog).toMatchObject({ name: 'trust', guessed: true });
    const refused = await product.run(['send', id, 'please go on']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('trust') as string });
    const shown = await product.done(['show', id]);
    expect(shown).toContain('The session asks (trust, as it looks)');
    expect(shown).toMatch(/^ +1 +yes \(types y and Enter\)$/m);

    await product.done(['answer', id, '1']);
    const licence = await product.waitForRun(id, 'to ask for more', (row) => row.activityReason.startsWith('licence'));
    expect(licence.activityReason).toBe('licence: Accept the licence? (press a)');
    expect(heard()).toEqual(['y']);
    // What the session has still to be told is known to the next host.
    await agents.killHost();
    await product.waitForRun(id, 'to be back', (row) => row.activityReason.startsWith('licence'));
    await product.done(['answer', id, '1']);
    await expect.poll(heard, { timeout: 60_000 }).toHaveLength(3);
    expect(heard()[1]).toBe('a');
    // The task's own prompt, said once nothing is in the way any more.
    expect(heard()[2]).toContain('lattice');
  });
});

describe('a program of a version that nothing was tried with', () => {
  const fake = (version: string) => {
    const path = agents.product.file(
      'claude',
      `#!/bin/sh\n[ "$1" = --version ] && exec echo '${version}'\nsleep 600\n`,
    );
    chmodSync(path, 0o700);
    return { runtimes: { shell: { kind: 'claude', program: path } } };
  };

  test('starts with a warning, which stays with the run and is in doctor', { timeout: 120_000 }, async () => {
    const { product } = agents;
    await product.run(['host', 'stop']);
    agents.configure(fake('99.1.0 (Claude Code)'));
    const warning = 'Claude Code 99.1.0: tried with 2.1.332, its dialogs may look different';
    const { id } = await agents.start('T-2');
    expect((await product.list()).find((row) => row.id === id)?.runtimeWarning).toBe(warning);
    expect(await product.done(['show', id])).toContain(warning);
    expect((await product.run(['doctor'])).stdout).toContain(warning);
  });

  test('is refused when it is too old, with what to install', { timeout: 120_000 }, async () => {
    await agents.product.run(['host', 'stop']);
    agents.configure(fake('2.1.9 (Claude Code)'));
    await expect(agents.start('T-3')).rejects.toThrow(/is 2\.1\.9; 2\.1\.300 or newer is needed[^]*npm install/);
  });
});
