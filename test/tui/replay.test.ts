import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ScrollbackScreen } from '../../src/tui/attach/scrollback-screen.ts';
import { progressRow } from '../../src/tui/replay/progress-bar.ts';
import { ReplayScreen } from '../../src/tui/replay/replay-screen.ts';
import { createTheme } from '../../src/tui/text/theme.ts';
import type { ConsoleRig } from './support/console-rig.ts';
import { openRig } from './support/open-rig.ts';

let folder = '';
let path = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gh-replay-'));
  path = join(folder, 'session.cast');
  const lines = [
    { version: 3, term: { cols: 60, rows: 10 } },
    [0, 'm', 'stage diagnose'],
    [1, 'o', '\u001b[2J\u001b[Hbeginning of it'],
    [9, 'o', '\r\nat ten seconds'],
    [20, 'm', 'stage implement'],
    [0, 'o', '\u001b[2J\u001b[Hwork begins'],
    [10, 'r', '90x20'],
    [0, 'o', '\u001b[2J\u001b[Ha larger window'],
    [60, 'm', 'gate testing'],
    [0, 'o', '\u001b[2J\u001b[Hwaiting for a needle'],
    [20, 'o', '\r\nthe end'],
  ];
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function replay(at?: number | 'end'): Promise<ConsoleRig> {
  const rig = await openRig({ cols: 100, rows: 30 });
  rig.console.open(new ReplayScreen(rig.console, { path, label: 'TB-101', ...(at === undefined ? {} : { at }) }));
  await rig.waitForText(/‖ paused|■ end/);
  return rig;
}

describe('replay', () => {
  test('jumps from mark to mark, and says in which stage it is', async () => {
    const rig = await replay();
    await rig.type(']');
    await rig.waitForText('stage implement');
    await rig.type(']');
    await rig.waitForText('gate testing');
    await rig.type('[');
    await rig.waitForText('stage implement');
  });

  test('C102: the size is right after any jump', async () => {
    const rig = await replay();
    await rig.type('5');
    expect(await rig.waitForText('90x20')).toContain('a larger window');
    await rig.type('0');
    expect(await rig.waitForText('60x10')).not.toContain('a larger window');
  });

  test('h l H L move by 5 and 60 seconds, , and . by one event', async () => {
    const rig = await replay();
    await rig.type('l');
    await rig.waitForText('00:05 / 02:00');
    await rig.type('l');
    expect(await rig.waitForText('00:10 / 02:00')).toContain('at ten seconds');
    await rig.type('L');
    await rig.waitForText('01:10 / 02:00');
    await rig.type('h');
    await rig.waitForText('01:05 / 02:00');
    await rig.type('H');
    await rig.waitForText('00:05 / 02:00');
    await rig.type('.');
    await rig.waitForText('00:10 / 02:00');
    await rig.type(',');
    expect(await rig.waitForText('00:01 / 02:00')).toContain('beginning of it');
  });

  test('finds what was printed, wherever it is', async () => {
    const rig = await replay();
    await rig.type('/');
    await rig.typeSlowly('needle');
    await rig.type('\r');
    expect(await rig.waitForText('1 of 1 "needle"')).toContain('waiting for a needle');
  });

  test('plays, pauses, changes speed, skips idle time', async () => {
    const rig = await replay();
    await rig.type('>');
    await rig.waitForText('2x');
    await rig.type('i');
    await rig.waitForText('idle skipped');
    await rig.type(' ');
    await rig.waitForText('playing');
    await rig.type(' ');
    await rig.waitForText('paused');
  });

  test('begins where it is told to, and q leaves', async () => {
    const rig = await replay('end');
    expect(await rig.waitForText('■ end')).toContain('the end');
    await rig.type('q');
    expect(await rig.text()).not.toContain('02:00');
  });

  test('a file that is no recording is said, not thrown', async () => {
    const broken = join(folder, 'broken.cast');
    writeFileSync(broken, 'not a recording\n');
    const rig = await openRig({ cols: 100, rows: 30 });
    rig.console.open(new ReplayScreen(rig.console, { path: broken, label: 'x' }));
    await rig.waitForText('is not the header of a recording');
  });
});

describe('scrolling back from an attached run', () => {
  test('C073: shows what has left the screen, can be searched, and leaving attaches again', async () => {
    const long = join(folder, 'long.cast');
    const lines = Array.from({ length: 300 }, (_, index) => JSON.stringify([0, 'o', `row ${index}\r\n`]));
    writeFileSync(long, `${[JSON.stringify({ version: 3, term: { cols: 60, rows: 10 } }), ...lines].join('\n')}\n`);
    const rig = await openRig({ cols: 80, rows: 24 });
    let attachedAgain = 0;
    rig.console.open(
      new ScrollbackScreen(rig.console, { path: long, label: 'TB-101', onLeave: () => (attachedAgain += 1) }),
    );
    expect(await rig.waitForText('row 299')).not.toContain('row 100');
    await rig.type('g');
    await rig.waitForText(/^row 0 /m);
    await rig.type('/');
    await rig.typeSlowly('row 150');
    await rig.type('\r');
    await rig.waitForText('row 150');
    await rig.type('q');
    expect(attachedAgain).toBe(1);
  });
});

describe('the progress bar', () => {
  test('shows the place and the marks at every width', () => {
    const theme = createTheme({ TERM: 'dumb' });
    const marks = [{ offset: 1, timeMs: 50_000, kind: 'marker' as const, label: 'stage review' }];
    for (let cols = 20; cols < 200; cols += 7) {
      const row = progressRow({ timeMs: 30_000, durationMs: 100_000, marks }, cols, theme);
      expect(row.length).toBe(cols);
      expect(row.indexOf('●')).toBeLessThan(row.indexOf('┃'));
    }
  });
});
