// The test support itself: a harness that sees nothing, or a check that finds nothing, would make every test pass.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { childProcesses, isAlive, processesWithEnv } from './processes.ts';
import { runProgram, type ProgramResult } from './run-program.ts';
import { temporaryHome } from './temporary-home.ts';
import { openTerminal } from './terminal.ts';
import { waitFor } from './wait-for.ts';
import { repositoryRoot } from './paths.ts';

describe('terminal', () => {
  test('shows text, colours and cursor addressing as a user sees them', async () => {
    await using home = temporaryHome();
    const script = String.raw`printf 'one\033[3;5H\033[1;31mred\033[0m'; read -r _; stty size`;
    await using terminal = openTerminal({ command: '/bin/sh', args: ['-c', script], env: home.env });
    await terminal.waitForText('red');
    expect(terminal.text()[0]).toBe('one');
    expect(terminal.cell(4, 2)).toMatchObject({ text: 'r', foreground: 1, background: null, bold: true });
    terminal.resize(100, 30);
    terminal.write('\r');
    await terminal.waitForText(/^30 100$/m);
    expect(await terminal.exit).toEqual({ code: 0, signal: null });
  });

  test('gives every byte of a large output, and the exit after it', async () => {
    await using home = temporaryHome();
    const args = ['-c', 'head -c 300000 /dev/zero | tr "\\0" x; exit 7'];
    await using terminal = openTerminal({ command: '/bin/sh', args, env: home.env });
    expect(await terminal.exit).toEqual({ code: 7, signal: null });
    expect(terminal.raw().length).toBe(300_000);
  });

  test('answers queries, unless told not to', async () => {
    await using home = temporaryHome();
    const args = ['-c', String.raw`stty raw -echo; printf '\033[c'; head -c 3 | od -c`];
    await using terminal = openTerminal({ command: '/bin/sh', args, env: home.env });
    await terminal.waitForText(/033 {3}\[ {3}\?/);
  });

  test('a wait that fails shows the screen and leaves a recording', async () => {
    await using home = temporaryHome();
    await using terminal = openTerminal({ command: '/bin/sh', args: ['-c', 'echo here; read -r _'], env: home.env });
    await terminal.waitForText('here');
    const failure = await terminal.waitForText('there', { timeoutMs: 50 }).catch((error: Error) => error.message);
    const path = /recording: (\S+); screen:\nhere/.exec(failure ?? '')?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toContain('"o","here\\r\\n"');
  });
});

describe('temporary home', () => {
  test('is short, private, and gone afterwards with everything that was started in it', async () => {
    let root = '';
    let pid = 0;
    {
      await using home = temporaryHome();
      root = home.root;
      expect(home.runtimeDir.length).toBeLessThan(30);
      const started = spawn('sleep', ['1000'], { env: { ...home.env }, detached: true, stdio: 'ignore' });
      started.unref();
      pid = started.pid ?? 0;
      await waitFor(() => processesWithEnv('GATEHOUSE_HOME', home.gatehouseHome).length === 1, { what: 'sleep' });
    }
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(root)).toBe(false);
  });
});

describe('leak check', () => {
  test('finds children of this process', async () => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    expect(childProcesses().map(({ pid }) => pid)).toContain(child.pid);
    child.kill();
    await waitFor(() => childProcesses().length === 0, { what: 'the end of sleep' });
  });

  test('a file that leaves something behind fails, and everything is named', async () => {
    const result = await runLeakFixture('1');
    expect(result.code).toBe(1);
    for (const named of [
      /1 x Timeout/,
      /socket:/,
      /process \d+ sleep 1000/,
      /process \d+ sleep 2000/,
      /ptmx/,
      /\/tmp$/m,
    ]) {
      expect(result.stderr).toMatch(named);
    }
  });

  test('a file that leaves nothing behind passes', async () => {
    expect(await runLeakFixture('0')).toMatchObject({ code: 0 });
  });
});

async function runLeakFixture(leak: string): Promise<ProgramResult> {
  await using home = temporaryHome({ LEAK: leak });
  const vitest = join(repositoryRoot, 'node_modules/vitest/vitest.mjs');
  const args = [vitest, 'run', '--config', 'test/support/fixtures/vitest.config.ts', '--root', repositoryRoot];
  return await runProgram(process.execPath, args, { env: home.env, cwd: repositoryRoot });
}
