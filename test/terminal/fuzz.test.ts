// C068: what no program should print goes through everything that shows or replays a run, and nothing breaks.
import { expect, test, vi } from 'vitest';
import { Player } from '../../src/recording/player.ts';
import { createScreen, type Screen } from '../../src/terminal/screen.ts';
import { OutputFilter } from '../../src/tui/attach/output-filter.ts';
import { makeRecording } from '../recording/made-recording.ts';
import { caseSize } from '../support/case-size.ts';
import { screenState } from './screen-state.ts';

const streams = caseSize({ usual: 10_000, full: 1_000_000 });
/** A snapshot, and a new size, after each so many. */
const lookEvery = 500;

test(`C068: ${streams} streams of random, broken and cut sequences crash neither viewer nor replay`, {
  timeout: 3_600_000,
}, async () => {
  const said = vi.spyOn(console, 'error');
  const random = randomFrom(20_261_201);
  const watched = createScreen({ cols: 80, rows: 24 });
  const operator = createScreen({ cols: 80, rows: 24 });
  const filter = new OutputFilter({ allowClipboard: false });
  using made = makeRecording((writer, pass) => {
    writer.resize(80, 24);
    for (let index = 1; index <= streams; index += 1) {
      const stream = makeStream(random);
      writer.output(stream);
      watched.write(stream);
      operator.write(filter.push(stream));
      if (index % lookEvery !== 0) continue;
      pass(100);
      for (const screen of [watched, operator]) screen.writeNow('');
      expectWhole(watched);
      expectWhole(operator);
      const [cols, rows] = [1 + random(200), 1 + random(60)];
      writer.resize(cols, rows);
      for (const screen of [watched, operator]) screen.resize(cols, rows);
    }
    writer.exit(0);
  });
  watched.writeNow('');
  await using player = await Player.open(made.path);
  await player.seek(player.durationMs / 2);
  expectWhole(player.screen);
  await player.seek(player.durationMs);
  expect(screenState(player.screen)).toEqual(screenState(watched));
  // A console watches in its own process: what a parser prints would land on the operator's screen.
  expect(said).not.toHaveBeenCalled();
});

test.each(['S', 'T', 'L', 'M', 'I', 'Z', 'b'])(
  'C068: a count of a thousand million for %s does no more than a screen of it',
  (final) => {
    const shown = (count: number) => {
      const screen = createScreen({ cols: 40, rows: 10 });
      screen.writeNow(
        `${Array.from({ length: 10 }, (_, row) => `row ${row}`).join('\r\n')}\u001b[5;9Hx\u001b[${count}${final}|`,
      );
      return screenState(screen);
    };
    expect(shown(1_000_000_000)).toEqual(shown(40));
  },
);

test('C068: a string that never ends is not kept', () => {
  const screen = createScreen({ cols: 40, rows: 10 });
  screen.writeNow('seen\u001b]0;');
  for (let index = 0; index < 1_000; index += 1) screen.writeNow('no end '.repeat(1_000));
  expect(screen.snapshot().length).toBeLessThan(100_000);
  screen.writeNow('\u0007 and more');
  expect(screen.lastLine()).toBe('seen and more');
});

/** Rows and columns are those of the screen, and a snapshot of it can be taken and shown. */
function expectWhole(screen: Screen): void {
  const rows = screen.styledRows();
  expect(rows).toHaveLength(screen.rows);
  expect(screen.cursor.x).toBeLessThanOrEqual(screen.cols);
  expect(screen.cursor.y).toBeLessThan(screen.rows);
  const rebuilt = createScreen({ cols: screen.cols, rows: screen.rows });
  rebuilt.writeNow(screen.snapshot());
  expect({ cols: rebuilt.cols, rows: rebuilt.rows }).toEqual({ cols: screen.cols, rows: screen.rows });
  rebuilt.dispose();
}

const begins = [
  '\u001b[',
  '\u001b]0;',
  '\u001b]52;c;',
  '\u001b]8;;',
  '\u001bP',
  '\u001b_G',
  '\u001b^',
  '\u001bX',
  '\u001b(',
  '\u001b#',
  '\u001b[999999999;9',
  '\u001b[38;2;',
  '\u001b[4:',
  '\u001b[?',
  '\u001b[>',
  '\u001b[=',
  '\u001b[!',
  '\u009b',
  '\u001b',
];
const wholes = [
  '\u001b[?1049h',
  '\u001b[?1049l',
  '\u001b[3J',
  '\u001b[2J',
  '\u001b[r',
  '\u001b[5;2r',
  '\u001b[?6h',
  '\u001b[?7l',
  '\u001b[4h',
  '\u001bc',
  '\u001b[!p',
  '\u001b#8',
  '\u001b\\',
  '\u0007',
  '\u0018',
  '\u001a',
  '\r\n',
  '\t',
  '\b',
  '\u000e',
  '\u001b[99S',
  '\u001b[99T',
  '\u001b[99L',
  '\u001b[99M',
  '\u001b[99P',
  '\u001b[99@',
  '\u001b[99X',
  '\u001b[99b',
  '\u001b[s',
  '\u001b[u',
  '\u001b7',
  '\u001b8',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  '1️⃣',
  '❤️',
  'e\u0301'.repeat(9),
  '漢',
  '\u200d',
  '\ufe0f',
  '\u202e',
  'ก็็็็็็',
].map((text) => Buffer.from(text));

/** The beginning of a sequence, bytes that are perhaps its rest, perhaps no characters at all, and perhaps a whole one. */
function makeStream(random: (below: number) => number): Buffer {
  const noise = Buffer.alloc(random(24));
  const printable = random(2) === 0;
  for (let index = 0; index < noise.length; index += 1) noise[index] = printable ? 0x20 + random(0x5f) : random(256);
  const begin = random(3) === 0 ? Buffer.from(begins[random(begins.length)] ?? '') : Buffer.alloc(0);
  const whole = wholes[random(wholes.length)] ?? Buffer.alloc(0);
  // Cut anywhere: the rest of a character or a sequence never comes, or comes in front of something else.
  const all = Buffer.concat([begin, noise, whole]);
  return random(4) === 0 ? all.subarray(0, random(all.length + 1)) : all;
}

/** xorshift32: fast, and the same each time. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
