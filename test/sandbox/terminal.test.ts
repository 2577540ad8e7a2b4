// A sandboxed session in a real PTY: it keeps its terminal, and cannot type into it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sandboxArgv } from '../../src/sandbox/argv.ts';
import { prepareSandbox } from '../../src/sandbox/prepare.ts';
import { seccompFilter } from '../../src/sandbox/seccomp.ts';
import { isAlive, processesWithEnv } from '../support/processes.ts';
import { openTerminal, type TestTerminal } from '../support/terminal.ts';
import { waitFor } from '../support/wait-for.ts';
import { makeSite, type Site } from './support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await makeSite();
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

async function open(argv: readonly string[], withFilter = true): Promise<TestTerminal> {
  const plan = await site.plan();
  await prepareSandbox(plan);
  const [command = '', ...args] = sandboxArgv(withFilter ? plan : { ...plan, seccomp: null }, argv);
  return openTerminal({ command, args, env: { ...site.env(true), PS1: 'ready> ' }, cwd: site.run.worktree });
}

test('job control works: stop, background, foreground, interrupt', async () => {
  await using terminal = await open(['/bin/bash', '--norc', '-i']);
  await terminal.waitForText('ready>');
  terminal.write('sleep 300\r');
  const sleeping = await waitFor(() => foregroundSleep(), { what: 'sleep' });
  terminal.write('\x1a');
  await terminal.waitForText('Stopped');
  terminal.write('bg; jobs\r');
  await terminal.waitForText('Running');
  expect(foregroundSleep()).toBeUndefined();
  terminal.write('fg\r');
  await waitFor(() => foregroundSleep() === sleeping, { what: 'sleep in the foreground' });
  terminal.write('\x03');
  await waitFor(() => !isAlive(sleeping), { what: 'the end of sleep' });
  await terminal.waitForScreen(
    (lines) => lines.findLast((line) => line.trim() !== '')?.trim() === 'ready>',
    'the prompt',
  );
  terminal.write('echo code-$?-end\r');
  await terminal.waitForText('code-130-end');
  expect(terminal.text().join('\n')).not.toContain('no job control');
});

/** Its pid, when it is there and the terminal's foreground job. Asked of the kernel: what bash prints comes before. */
function foregroundSleep(): number | undefined {
  return processesWithEnv('GATEHOUSE_RUN', 'task-1')
    .filter(({ command }) => command.endsWith(' sleep 300') && !command.includes('bwrap'))
    .map(({ pid }) => pid)
    .find((pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return fields[2] === fields[5];
    });
}

test('the program learns of a resize, and /dev/tty is its terminal', async () => {
  await using terminal = await open(['/bin/bash', '--norc', '-i']);
  await terminal.waitForText('ready>');
  terminal.write("trap 'stty size </dev/tty' WINCH; echo set-$((6 * 7))\r");
  await terminal.waitForText('set-42');
  terminal.resize(101, 31);
  await terminal.waitForText('31 101');
});

test('it cannot type into its own terminal (TIOCSTI), with the filter or with a session of its own', async () => {
  const script = join(site.run.runtime, 'type.pl');
  writeFileSync(
    script,
    'for (split //, "typed-by-itself") { ioctl(STDIN, 0x5412, my $c = $_) or die "refused: $!\\n" }\nprint "typed all\\n"',
  );
  for (const withFilter of [true, false]) {
    await using terminal = await open(['/usr/bin/perl', script], withFilter);
    await terminal.waitForText('refused: ');
    expect(terminal.text().join('\n')).not.toContain('typed');
  }
});

test('what it started ends with it, daemons too, when the process above it is killed', async () => {
  const marker = join(site.run.artifacts, 'daemon-started');
  await using terminal = await open([
    '/bin/sh',
    '-c',
    `setsid sh -c 'trap "" HUP TERM INT; touch ${marker}; sleep 301; sleep 301' </dev/null >/dev/null 2>&1 & sleep 302`,
  ]);
  const find = () => processesWithEnv('GATEHOUSE_RUN', 'task-1').filter(({ command }) => /sleep 30[12]/.test(command));
  await waitFor(() => existsSync(marker) && find().length >= 2, { what: 'the daemon' });
  const pids = find().map(({ pid }) => pid);
  process.kill(terminal.pid, 'SIGKILL');
  await waitFor(() => !pids.some(isAlive), { what: () => `the end of ${JSON.stringify(find())}` });
});

test('an unknown architecture gets no filter, rather than one that protects nothing', () => {
  expect(seccompFilter('mips')).toBeNull();
  for (const known of ['x64', 'arm64']) expect((seccompFilter(known)?.length ?? 1) % 8).toBe(0);
});
