// C102: a seek shows what playing through would show, with the size right, anywhere.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Player, type PlayerClock } from '../../src/recording/player.ts';
import { CastFile } from '../../src/recording/reader.ts';
import { applyEvent, catchUp, keyframeOf, restoreKeyframe } from '../../src/recording/replay-into.ts';
import { indexPathOf, IndexWriter, readIndex } from '../../src/recording/seek-index.ts';
import { createScreen, type Screen } from '../../src/terminal/screen.ts';
import { screenState } from '../terminal/screen-state.ts';
import { busySession, makeRecording } from './made-recording.ts';

const events = 6_000;

/** The screen after everything up to `timeMs`, played from the beginning. */
function playedThrough(path: string, timeMs: number): Screen {
  using file = new CastFile(path);
  const screen = createScreen({ cols: file.header.cols, rows: file.header.rows });
  screen.live = false;
  for (const event of [...file.batches()].flat()) {
    if (event.timeMs > timeMs) break;
    applyEvent(screen, event);
  }
  screen.writeNow('');
  return screen;
}

class ManualClock implements PlayerClock {
  time = 0;
  private due: { at: number; action: () => void } | null = null;

  now(): number {
    return this.time;
  }

  after(delayMs: number, action: () => void): () => void {
    this.due = { at: this.time + delayMs, action };
    return () => (this.due = null);
  }

  pass(ms: number): void {
    const end = this.time + ms;
    while (this.due !== null && this.due.at <= end) {
      const { at, action } = this.due;
      this.due = null;
      this.time = at;
      action();
    }
    this.time = end;
  }
}

test('C102: seeking equals playing through, at random moments, resizes included', async () => {
  using made = makeRecording(busySession(events));
  await using player = await Player.open(made.path);
  await player.indexed;
  expect(readIndex(indexPathOf(made.path), statSync(made.path).size).keyframes.length).toBeGreaterThan(1);
  expect(statSync(indexPathOf(made.path)).mode & 0o777).toBe(0o600);
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (where) => {
      await player.seek(where * player.durationMs);
      expect(screenState(player.screen)).toEqual(screenState(playedThrough(made.path, player.timeMs)));
    }),
    { numRuns: 12 },
  );
});

test('an index that is missing, torn at any place or from another file only costs time', async () => {
  using made = makeRecording(busySession(events));
  const indexPath = indexPathOf(made.path);
  {
    await using player = await Player.open(made.path);
    await player.indexed;
  }
  const whole = readFileSync(indexPath);
  const middle =
    (await Player.open(made.path).then(async (player) => {
      await player[Symbol.asyncDispose]();
      return player.durationMs;
    })) / 2;
  const expected = screenState(playedThrough(made.path, middle));
  const otherFile = Buffer.from(`${JSON.stringify({ offset: 1e9, timeMs: 1, cols: 1, rows: 1, snapshot: 'x' })}\n`);
  for (const index of [whole, whole.subarray(0, whole.length / 2), whole.subarray(0, -1), Buffer.alloc(0), otherFile]) {
    writeFileSync(indexPath, index);
    await using player = await Player.open(made.path);
    await player.seek(middle);
    expect(screenState(player.screen)).toEqual(expected);
    expect(player.marks.filter((mark) => mark.kind === 'marker')).toHaveLength(Math.ceil(events / 97));
  }
});

test('the host catches up: screen and index equal those of one that was never away', async () => {
  using made = makeRecording(busySession(events));
  using file = new CastFile(made.path);
  const indexPath = indexPathOf(made.path);
  const half = [...file.batches()].flat().findLast((event) => event.end < file.size / 2);
  const first = createScreen({ cols: 40, rows: 10 });
  const position = await catchUp({
    file,
    screen: first,
    to: half?.end ?? 0,
    index: new IndexWriter(indexPath, file.size),
  });
  expect(position).toEqual({ offset: half?.end, timeMs: half?.timeMs });
  // A new host: the screen comes from the last keyframe, and the rest is read from there.
  const { keyframes } = readIndex(indexPath, file.size);
  const second = createScreen({ cols: 40, rows: 10 });
  const from = restoreKeyframe(second, file, keyframes.at(-1) ?? null);
  const end = await catchUp({ file, screen: second, from, index: new IndexWriter(indexPath, file.size) });
  expect(end.offset).toBe(file.size);
  expect(screenState(second)).toEqual(screenState(playedThrough(made.path, Number.POSITIVE_INFINITY)));
  const { keyframes: all, marks } = readIndex(indexPath, file.size);
  expect(all.length).toBeGreaterThan(keyframes.length);
  expect(marks.map((mark) => mark.label)).toEqual([
    ...Array.from({ length: Math.ceil(events / 97) }, (_, n) => `stage ${n * 97}`),
    '0',
  ]);
});

test('a keyframe taken while more is waiting shows exactly what belongs to its offset', async () => {
  const screen = createScreen({ cols: 40, rows: 10 });
  const taken: { text: string; snapshot: string }[] = [];
  for (const text of ['one', 'two', 'three']) {
    screen.write(`${text}\r\n`, () => {
      taken.push({ text, snapshot: keyframeOf(screen, { offset: 1, timeMs: 0 }).snapshot });
    });
  }
  await screen.flush();
  const shown = taken.map(({ snapshot }) => {
    const rebuilt = createScreen({ cols: 40, rows: 10 });
    rebuilt.writeNow(snapshot);
    return rebuilt.lastLine();
  });
  expect(shown).toEqual(['one', 'two', 'three']);
});

test('playing follows the clock; speed, pause and idle skip', async () => {
  using made = makeRecording((writer, pass) => {
    for (const text of ['one', ' two', ' three']) {
      pass(1_000);
      writer.output(Buffer.from(text));
    }
    pass(60_000);
    writer.output(Buffer.from(' late'));
  });
  const clock = new ManualClock();
  let changes = 0;
  await using player = await Player.open(made.path, { clock, onChange: () => (changes += 1) });
  expect(player.durationMs).toBe(63_000);
  player.play();
  clock.pass(1_999);
  expect(player.screen.lastLine()).toBe('one');
  clock.pass(1);
  expect(player.screen.lastLine()).toBe('one two');
  player.setSpeed(4);
  clock.pass(250);
  expect([player.screen.lastLine(), player.timeMs]).toEqual(['one two three', 3_000]);
  player.pause();
  clock.pass(100_000);
  expect([player.timeMs, player.isPlaying]).toEqual([3_000, false]);
  player.setSpeed(1);
  player.setIdleLimit(2_000);
  player.play();
  clock.pass(2_200);
  expect([player.screen.lastLine(), player.isPlaying]).toEqual(['one two three late', false]);
  expect(changes).toBeGreaterThan(5);
});

test('steps go change by change, forwards and backwards, and jumps mark by mark', async () => {
  using made = makeRecording((writer, pass) => {
    for (const text of ['a', 'b', 'c', 'd']) {
      pass(100);
      writer.marker(`before ${text}`);
      writer.output(Buffer.from(text));
    }
  });
  await using player = await Player.open(made.path);
  const shown: string[] = [];
  for (const direction of [1, 1, 1, -1, -1, 1, -1, -1, -1] as const) {
    await player.step(direction);
    shown.push(player.screen.lastLine());
  }
  expect(shown).toEqual(['a', 'ab', 'abc', 'ab', 'a', 'ab', 'a', '', '']);
  const jumps: unknown[] = [];
  for (const direction of [1, 1, 1, 1, 1, -1, -1] as const)
    jumps.push([await player.jump(direction), player.screen.lastLine()]);
  expect(jumps).toEqual([
    [true, ''],
    [true, 'a'],
    [true, 'ab'],
    [true, 'abc'],
    [false, 'abc'],
    [true, 'ab'],
    [true, 'a'],
  ]);
});

test('text is found across outputs and styles, and shown by a seek to the hit', async () => {
  using made = makeRecording((writer, pass) => {
    for (const text of ['nothing ', '\x1b[1mNee', 'dle\x1b[m here\r\n', 'again needle']) {
      pass(1_000);
      writer.output(Buffer.from(text));
    }
  });
  await using player = await Player.open(made.path);
  const hits = await player.search('needle');
  expect(hits.map(({ timeMs, excerpt }) => [timeMs, excerpt])).toEqual([
    [3_000, 'nothing Needle here'],
    [4_000, 'again needle'],
  ]);
  await player.seekOffset(hits[0]?.offset ?? 0);
  expect(player.screen.lastLine()).toBe('nothing Needle here');
});

test('a newer seek makes an older one give up', async () => {
  using made = makeRecording(busySession(events));
  await using player = await Player.open(made.path);
  const first = player.seek(player.durationMs);
  await nextTurn();
  await Promise.all([first, player.seek(1_000)]);
  expect(player.timeMs).toBe(1_000);
  expect(screenState(player.screen)).toEqual(screenState(playedThrough(made.path, 1_000)));
});

test('a damaged line ends the playing where it stands, and every way past it says so', async () => {
  using made = makeRecording(busySession(10));
  const good = (text: string) => `[0.010, "o", "${text}"]\n`;
  // Beyond the first block that is read.
  const before = Array.from({ length: 4_000 }, (_, n) => good(`\\r\\nrow ${n}`)).join('');
  const head = readFileSync(made.path, 'utf8').split('\n')[0];
  writeFileSync(made.path, `${head}\n${before}rubbish\n${good('never seen')}`);
  const clock = new ManualClock();
  const stuck: unknown[] = [];
  await using player = await Player.open(made.path, { clock, onStuck: (error) => stuck.push(error) });
  const damaged = expect.objectContaining({
    code: 'file.unreadable',
    message: expect.stringContaining(':4002 ') as string,
  });

  player.play();
  clock.pass(60_000);
  expect(stuck).toEqual([damaged]);
  expect(player.isPlaying).toBe(false);
  const shown = player.screen.text().join('\n');
  expect(shown).toMatch(/row 3\d\d\d/);
  expect(shown).not.toContain('never seen');

  player.play();
  expect(stuck).toEqual([damaged, damaged]);
  await expect(player.seek(player.durationMs)).rejects.toEqual(damaged);
  await player.seek(1_000);
  expect(player.screen.text().join('\n')).toContain('row 99');
  player.setSpeed(32);
  player.play();
  player.pause();
  expect(stuck.length).toBe(2);
});
