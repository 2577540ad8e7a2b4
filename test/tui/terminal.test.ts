import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../support/paths.ts';
import { expectUntouched, openUnderShell, untilEnded } from '../support/shell-terminal.ts';
import type { TestTerminal } from '../support/terminal.ts';
import { waitFor } from '../support/wait-for.ts';
import { bundleFixture } from './support/bundle-fixture.ts';

let folder = '';
let program = '';
beforeAll(async () => {
  // Below the repository, where the packages that are not bundled are found.
  folder = mkdtempSync(join(repositoryRoot, 'dist/tui-test-'));
  program = join(folder, 'console.mjs');
  await bundleFixture('console-in-terminal.ts', program);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = {
  PATH: process.env['PATH'] ?? '',
  TERM: 'xterm-256color',
  HOME: '/nonexistent',
  LANG: 'C.UTF-8',
  GATEHOUSE_TEST_FILE: process.env['GATEHOUSE_TEST_FILE'] ?? '',
};

function open(wanted: object): TestTerminal {
  const command = [process.execPath, program, JSON.stringify(wanted)];
  return openUnderShell(command, { env: environment, cols: 100, rows: 30 });
}

const tuned =
  '\u001b[?1049h\u001b[?1h\u001b=\u001b[?1000h\u001b[?1006h\u001b[?1004h\u001b[?2004h\u001b[?7l\u001b[?25l\u001b[4h\u001b[?6h\u001b[>1u\u001b[>4;2m\u001b[3;10r\u001b[31mRUN PAINTED';

describe('the terminal', () => {
  test('q gives it back as it was, and says that the runs go on', async () => {
    await using terminal = open({});
    await terminal.waitForText('TB-104');
    expect(terminal.emulator.buffer.active.type).toBe('alternate');
    terminal.write('q');
    const { code, left } = await untilEnded(terminal);
    expect(code).toBe(0);
    expect(left.join('\n')).toMatch(/11 runs go on, 3 of them need you/);
    expectUntouched(terminal);
  });

  test('keys typed before anything is loaded are not lost', async () => {
    await using terminal = open({ loadMs: 700 });
    await terminal.waitForText('gatehouse');
    terminal.write('jj');
    terminal.write('\u001b[A');
    await terminal.waitForText(/▸ ! TB-109/);
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('%s gives it back', async (signal) => {
    await using terminal = open({});
    await terminal.waitForText('TB-104');
    process.kill(consolePid(terminal.pid), signal);
    expect((await untilEnded(terminal)).code).toBe(128 + constants.signals[signal]);
    expectUntouched(terminal);
  });

  test('a crash gives it back, and the fault is readable', async () => {
    await using terminal = open({ crash: true });
    const { code, left } = await untilEnded(terminal);
    expect(code).toBe(1);
    expect(left.join('\n')).toContain('a fault that nobody caught');
    expectUntouched(terminal);
  });

  test('C068: what a library prints about bad output lands on nobody', async () => {
    const log = join(folder, 'warning.log');
    await using terminal = open({ warning: 'a library is unhappy', log });
    await terminal.waitForText('TB-104');
    await waitFor(() => readFileSync(log, 'utf8').includes('warned'), { what: 'the warning' });
    terminal.write('q');
    await terminal.waitForText('exit 0');
    expect(terminal.raw().toString()).not.toContain('unhappy');
  });

  test('C064: an idle console writes nothing', async () => {
    await using terminal = open({});
    await terminal.waitForText('TB-104');
    const silentFor = async (ms: number) => {
      const before = terminal.raw().length;
      await delay(ms);
      return terminal.raw().length === before;
    };
    await waitFor(() => silentFor(1_500), { what: 'the console to come to rest' });
  });

  test('C063: a shrinking and growing window keeps the frame whole and the scrollback untouched', async () => {
    await using terminal = open({});
    await terminal.waitForText('TB-104');
    for (const [cols, rows] of [
      [60, 10],
      [100, 50],
      [42, 7],
      [120, 30],
    ] as const)
      terminal.resize(cols, rows);
    await terminal.waitForScreen(
      (lines) => (lines.at(-1) ?? '').includes('Enter open') && (lines[0] ?? '').includes('gatehouse'),
      'a whole frame after resizing',
    );
    terminal.write('q');
    await terminal.waitForText('exit 0');
    expect(terminal.raw().toString('latin1')).not.toContain('\u001b[3J');
  });
});

describe('an attached run', () => {
  test('C043: gets every byte, and detaching restores all modes (C045)', async () => {
    const log = join(folder, 'attach.log');
    await using terminal = open({ snapshot: tuned, log });
    await terminal.waitForText('TB-104');
    terminal.write('a');
    await terminal.waitForText('RUN PAINTED');
    const bytes = Buffer.from(
      Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 0x1d && byte !== 0x1b),
    );
    terminal.write(bytes);
    await waitFor(() => inputOf(log).length >= bytes.length, { what: 'all bytes at the run' });
    expect(inputOf(log).equals(bytes)).toBe(true);
    terminal.write('\u001d');
    await terminal.waitForText('d detach');
    terminal.write('d');
    await terminal.waitForText('detached from TB-112');
    expect(readFileSync(log, 'utf8').trim().endsWith('close')).toBe(true);
    expect(terminal.emulator.modes.mouseTrackingMode).toBe('none');
    terminal.write('q');
    expect((await untilEnded(terminal)).code).toBe(0);
    expectUntouched(terminal);
  });

  test('C045: SIGTERM while attached restores what the run has switched on', async () => {
    await using terminal = open({ snapshot: tuned });
    await terminal.waitForText('TB-104');
    terminal.write('a');
    await terminal.waitForText('RUN PAINTED');
    process.kill(consolePid(terminal.pid), 'SIGTERM');
    expect((await untilEnded(terminal)).code).toBe(143);
    expectUntouched(terminal);
  });

  test("a run that enters and leaves its alternate screen stays on the console's, and is painted again", async () => {
    const log = join(folder, 'alternate.log');
    await using terminal = open({ snapshot: 'FIRST SCREEN', output: '\u001b[?1049h\u001b[HOTHER\u001b[?1049l', log });
    await terminal.waitForText('TB-104');
    terminal.write('a');
    await waitFor(() => readFileSync(log, 'utf8').match(/^attach /gm)?.length === 2, { what: 'a second snapshot' });
    await terminal.waitForText('FIRST SCREEN');
    expect(terminal.emulator.buffer.active.type).toBe('alternate');
  });

  test('a new window size goes to the run; the token key opens the prompt for it', async () => {
    const log = join(folder, 'resize.log');
    await using terminal = open({ log });
    await terminal.waitForText('TB-104');
    terminal.write('jj');
    await terminal.waitForText(/▸ ! TB-104/);
    terminal.write('a');
    await terminal.waitForText('snapshot of the run');
    terminal.resize(111, 33);
    await waitFor(() => readFileSync(log, 'utf8').includes('resize 111x33'), { what: 'the new size at the run' });
    terminal.write('\u001dt');
    await terminal.waitForText('run tb-104-x3');
    await terminal.waitForText('1_ 2_ [START DEVELOPMENT]');
  });

  test('C071: watching never resizes the run and sends it nothing', async () => {
    const log = join(folder, 'watch.log');
    await using terminal = open({ log, snapshot: '\u001b[2J\u001b[HWATCHED' });
    await terminal.waitForText('TB-104');
    terminal.write('w');
    await terminal.waitForText('WATCHED');
    terminal.write('hello\u001b[200~paste\u001b[201~');
    terminal.resize(90, 25);
    await terminal.waitForText('read-only');
    terminal.write('q');
    await terminal.waitForText('WAITS FOR');
    expect(readFileSync(log, 'utf8')).not.toMatch(/input|resize/);
  });

  test.each(['a', 'w'])('C075: output that came too fast to be shown is counted and said (%s)', async (key) => {
    await using terminal = open({ snapshot: '\u001b[2J\u001b[HTHE PRESENT SCREEN', skippedBytes: 12_340_000 });
    await terminal.waitForText('TB-104');
    terminal.write(key);
    await terminal.waitForText('THE PRESENT SCREEN');
    await terminal.waitForText('12.3 MB not shown; the recording has all of it');
  });

  test('begun from the command line, detaching ends the program', async () => {
    await using terminal = open({ begin: { mode: 'attach', run: 'tb-104-x3' }, snapshot: 'ATTACHED AT ONCE' });
    await terminal.waitForText('ATTACHED AT ONCE');
    terminal.write('\u001dd');
    expect((await untilEnded(terminal)).code).toBe(0);
    expectUntouched(terminal);
  });

  test('an unknown run is said on the normal screen', async () => {
    await using terminal = open({ begin: { mode: 'watch', run: 'nope' } });
    const { code, left } = await untilEnded(terminal);
    expect({ code, left }).toEqual({
      code: 1,
      left: ['gatehouse: there is no run nope', '  gatehouse ls lists the runs'],
    });
    expectUntouched(terminal);
  });
});

/** The shell's only child. */
function consolePid(shell: number): number {
  return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ')[0]);
}

function inputOf(log: string): Buffer {
  if (statSync(log, { throwIfNoEntry: false }) === undefined) return Buffer.alloc(0);
  return Buffer.from(
    [...readFileSync(log, 'utf8').matchAll(/^input ([0-9a-f]*)$/gm)].map((match) => match[1]).join(''),
    'hex',
  );
}
