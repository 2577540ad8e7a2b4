import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Painter } from '../../src/tui/paint/painter.ts';
import { cellWidth, fit, sliceCells, truncate, wrap } from '../../src/tui/text/cells.ts';
import { caseSize } from '../support/case-size.ts';
import type { ConsoleRig } from './support/console-rig.ts';
import { openRig } from './support/open-rig.ts';
import { sampleRun } from './support/sample-runs.ts';

/** What terminals and fonts disagree about most. */
const widthCorpus = [
  '日本語のラベル',
  '한국어 라벨',
  'ｆｕｌｌ ｗｉｄｔｈ',
  '❤️ VS16',
  '❤︎ VS15',
  '1️⃣ keycap',
  '👨‍👩‍👧‍👦 family',
  '🏳️‍🌈 flag',
  '🇩🇪🇫🇷 flags',
  '👍🏽 tone',
  'café combining',
  'กำลัง Thai',
  'हिन्दी',
  'שלום עולם',
  'مرحبا',
  'tab\tinside',
  'zero\u200bwidth',
  '○ ● ■ × ✓ ↑ ⇑',
];

const heights = caseSize({
  usual: [1, 2, 3, 5, 6, 7, 8, 10, 13, 14, 15, 24, 50, 111, 200],
  full: Array.from({ length: 200 }, (_, index) => index + 1),
});
const steps = ['', '\r', 'd', 'A', 'e', 'l', 'q', 't', '\u001b', 'T', '\u001b', '?', 'q', 'X', '\u001b'];

describe('frames', () => {
  test('C063: at 1 to 200 rows no screen is taller than the window, and none scrolls it', {
    timeout: 300_000,
  }, async () => {
    const rig = await openRig({
      runs: Array.from({ length: 30 }, (_, index) => sampleRun(index)),
      cols: 100,
      rows: 30,
    });
    for (const rows of heights) {
      await rig.resize(100, rows);
      for (const key of steps) {
        if (key !== '') await rig.type(key);
        const content = rig.console.content();
        expect(content.rows.length).toBeLessThanOrEqual(rows);
        expect(content.rows.join('')).not.toContain('could not be drawn');
        expect(await rig.scrolledRows()).toBe(0);
      }
    }
    expect(rig.written.join('')).not.toContain('\u001b[3J');
    expect(rig.written.join('')).not.toContain('\u001b[2J');
  });

  test('every row fits into the window at widths from 40 to 220', async () => {
    const runs = Array.from({ length: 12 }, (_, index) =>
      sampleRun(index, { task: { ...sampleRun(index).task, title: widthCorpus[index % widthCorpus.length] ?? '' } }),
    );
    const rig = await openRig({ runs, cols: 80, rows: 30 });
    for (let cols = 40; cols <= 220; cols += 3) {
      await rig.resize(cols, 30);
      for (const key of ['', '\r', 't', '\u001b', 'q']) {
        if (key !== '') await rig.type(key);
        const { rows } = rig.console.content();
        expect(rows.join('')).not.toContain('could not be drawn');
        for (const row of rows) expect(cellWidth(row)).toBeLessThanOrEqual(cols);
      }
    }
  });

  test('a window that is too small gets one clear line', async () => {
    const rig = await openRig({ runs: [sampleRun(1)], cols: 30, rows: 4 });
    expect((await rig.text()).trim()).toMatch(/^window 30x4 is too/);
    await rig.resize(80, 24);
    expect(await rig.text()).toContain('TB-102');
  });

  test('C067: every column stays at its place at every width, whatever the texts of a run are made of', {
    timeout: 300_000,
  }, async () => {
    const runs = widthCorpus.map((text, index) =>
      sampleRun(index, {
        task: { ...sampleRun(index).task, title: text, priority: 'normal' },
        agent: text,
        stage: 'diagnose',
        stageNumber: 2,
        activity: 'working',
        activityReason: text,
        disputed: text,
        lastLine: text,
      }),
    );
    const rig = await openRig({ runs, cols: 120, rows: 40 });
    const seen = new Map<string, number>();
    const widths = Array.from({ length: 161 }, (_, index) => 60 + index).filter(
      (cols) => cols % caseSize({ usual: 23, full: 1 }) === 0,
    );
    for (const cols of widths) {
      await rig.resize(cols, 40);
      await rig.text();
      const rows = runs.map((_, index) => 2 + index);
      for (const anchor of ['2/10', 'working', '│']) {
        const columns = new Set(rows.map((row) => columnOf(rig, { row, cols }, anchor)));
        expect({ cols, anchor, columns: columns.size }).toEqual({ cols, anchor, columns: 1 });
        if (!columns.has(-1)) seen.set(anchor, (seen.get(anchor) ?? 0) + 1);
      }
    }
    expect([seen.get('2/10'), seen.get('working')]).toEqual([widths.length, widths.length]);
    // A wide window has a pane beside the grid.
    expect(seen.get('│')).toBeGreaterThan(0);
  });

  test('C064: nothing is written while nothing changes, and one changed run is one row', async () => {
    const rig = await openRig({
      runs: Array.from({ length: 30 }, (_, index) => sampleRun(index)),
      cols: 100,
      rows: 40,
    });
    rig.written.length = 0;
    rig.console.repaint();
    rig.now += 5_000;
    rig.console.repaint();
    expect(rig.written).toEqual([]);
    rig.client.change({
      ...(rig.client.runs.find((run) => run.task.id === 'TB-130') ?? sampleRun(29)),
      reviewCount: 5,
    });
    rig.console.repaint();
    expect(rig.written.length).toBe(1);
    expect(rig.written[0]?.match(/\u001b\[\d+;1H/g)?.length).toBe(1);
    expect(rig.written[0]).toMatch(/^\u001b\[\?2026h.*\u001b\[\?2026l$/s);
  });

  test('the time in a stage goes on, once a minute', async () => {
    const rig = await openRig({ runs: [sampleRun(1, { since: '2026-03-01T02:55:00.000Z' })], cols: 80, rows: 24 });
    expect(await rig.text()).toContain(' 5m');
    rig.now += 61_000;
    expect(await rig.text()).toContain(' 6m');
  });

  test('a key writes a frame at once, and only what it changes', async () => {
    const rig = await openRig({
      runs: Array.from({ length: 60 }, (_, index) => sampleRun(index)),
      cols: 120,
      rows: 40,
    });
    rig.written.length = 0;
    rig.console.input({ kind: 'key', key: 'j', more: false });
    expect(rig.written.length).toBe(1);
    expect(Buffer.byteLength(rig.written[0] ?? '')).toBeLessThan(4_000);
  });

  test('resizing again and again ends in a whole frame', async () => {
    const rig = await openRig({ runs: Array.from({ length: 12 }, (_, index) => sampleRun(index)), cols: 80, rows: 24 });
    for (let i = 0; i < 40; i++) await rig.resize(40 + ((i * 37) % 160), 6 + ((i * 13) % 60));
    await rig.resize(120, 40);
    const before = await rig.screen();
    const fresh = await openRig({ runs: rig.client.runs, cols: 120, rows: 40 });
    expect(before.slice(0, 10)).toEqual((await fresh.screen()).slice(0, 10));
  });
});

describe('the painter', () => {
  test('paints again what somebody else has overwritten', () => {
    const written: string[] = [];
    const painter = new Painter((text) => written.push(text));
    painter.paint(['a', 'b'], { cols: 10, rows: 2 }, null);
    painter.paint(['a', 'b'], { cols: 10, rows: 2 }, null);
    expect(written.length).toBe(1);
    painter.forget();
    painter.paint(['a', 'b'], { cols: 10, rows: 2 }, null);
    expect(written.length).toBe(2);
    expect(written[1]).toContain('a');
  });

  test('shows the text cursor only where a field is', () => {
    const written: string[] = [];
    const painter = new Painter((text) => written.push(text));
    painter.paint(['a'], { cols: 10, rows: 1 }, { row: 0, column: 3 });
    expect(written[0]).toContain('\u001b[1;4H\u001b[?25h');
    painter.paint(['a'], { cols: 10, rows: 1 }, null);
    expect(written[1]).toBe('\u001b[?25l');
  });
});

describe('cells', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(...widthCorpus),
    fc.constantFrom('\u001b[31mred\u001b[39m plain', '\u001b[1;33m! 日本\u001b[22;39m'),
  );

  test('fit gives exactly the cells asked for', () => {
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 60 }),
        (value, cols) => cellWidth(fit(value.replaceAll(/[\n\r]/g, ' '), cols)) === cols,
      ),
    );
  });

  test('truncate never gives more, and leaves what fits alone', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (value, cols) => {
        const cut = truncate(value, cols);
        return cellWidth(cut) <= cols && (cellWidth(value) > cols || cut === value);
      }),
    );
  });

  test('wrap keeps every character but spaces at the breaks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 4, max: 40 }), (value, cols) => {
        const lines = wrap(value, cols);
        expect(lines.join('').replaceAll(/\s/g, '')).toBe(value.replaceAll(/\s/g, ''));
        for (const line of lines) expect(cellWidth(line)).toBeLessThanOrEqual(cols);
      }),
    );
  });

  test('a wide character that is cut in half becomes a space', () => {
    expect(sliceCells('a日b', 0, 2)).toBe('a ');
    expect(sliceCells('a日b', 2, 4)).toBe(' b');
  });
});

/** The column in which a text begins in the cells of a row; -1 when it is not there. */
function columnOf(rig: ConsoleRig, { row, cols }: { row: number; cols: number }, text: string): number {
  const cells = Array.from({ length: cols }, (_, column) => rig.cell(row, column));
  return cells.findIndex((_, column) =>
    Array.from(text).every((character, index) => cells[column + index] === character),
  );
}
