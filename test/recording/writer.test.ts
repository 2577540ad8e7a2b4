import { appendFileSync, closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CastFile } from '../../src/recording/reader.ts';
import { incompleteTail } from '../../src/recording/utf8-tail.ts';
import { CastWriter } from '../../src/recording/writer.ts';
import { makeRecording } from './made-recording.ts';

function eventsOf(path: string): { code: string; data: string; timeMs: number }[] {
  using file = new CastFile(path);
  return [...file.batches()].flat().map(({ code, data, timeMs }) => ({ code, data, timeMs }));
}

test('a recording is asciicast 3, private, with times relative to the event before', () => {
  using made = makeRecording((writer, pass) => {
    pass(1_500);
    writer.output(Buffer.from('a"\x1b[1m'));
    pass(7);
    writer.resize(100, 30);
    writer.marker('session 2');
    writer.exit(3);
  });
  const [header = '', ...lines] = readFileSync(made.path, 'utf8').split('\n');
  expect(JSON.parse(header)).toMatchObject({ version: 3, term: { cols: 40, rows: 10 }, timestamp: 1_800_000_000 });
  expect(lines).toEqual([
    '[1.500, "o", "a\\"\\u001b[1m"]',
    '[0.007, "r", "100x30"]',
    '[0.000, "m", "session 2"]',
    '[0.000, "x", "3"]',
    '',
  ]);
  expect(statSync(made.path).mode & 0o777).toBe(0o600);
});

test('UTF-8 is never cut: any split of any bytes gives the same text', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 5 })),
      (noise, text, cuts) => {
        const bytes = Buffer.concat([Buffer.from(text), noise, Buffer.from(text)]);
        using made = makeRecording((writer) => {
          let at = 0;
          for (const cut of [...cuts, bytes.length]) {
            writer.output(bytes.subarray(at, at + cut));
            at += cut;
          }
        });
        const recorded = eventsOf(made.path).map((event) => event.data);
        expect(recorded.join('')).toBe(bytes.toString('utf8'));
      },
    ),
    { numRuns: 150 },
  );
});

test('the bytes returned are the bytes recorded, a cut character later', () => {
  expect([0xe2, 0x82, 0xac].map((_, index, all) => incompleteTail(Buffer.from(all.slice(0, index + 1))))).toEqual([
    1, 2, 0,
  ]);
  using made = makeRecording((writer) => {
    expect(writer.output(Buffer.from([0x61, 0xf0, 0x9f])).toString()).toBe('a');
    expect(writer.output(Buffer.from([0x98])).length).toBe(0);
    expect(writer.output(Buffer.from([0x80, 0x62])).toString()).toBe('😀b');
    expect(writer.output(Buffer.from([0xc3])).length).toBe(0);
    expect([...writer.endOutput()]).toEqual([0xc3]);
  });
  expect(eventsOf(made.path).map((event) => event.data)).toEqual(['a', '😀b', '\uFFFD']);
});

test('a file that is there is continued: the torn line goes, time goes on, one header', () => {
  using made = makeRecording((writer, pass) => {
    pass(2_000);
    writer.output(Buffer.from('first'));
  });
  appendFileSync(made.path, '[0.1, "o", "torn');
  const writer = new CastWriter({ path: made.path, cols: 90, rows: 20 });
  const { offset } = writer.position;
  expect(writer.position.timeMs).toBeGreaterThanOrEqual(2_000);
  writer.output(Buffer.from('second'));
  writer.close();
  const events = eventsOf(made.path);
  expect(events.map(({ code, data }) => [code, data])).toEqual([
    ['o', 'first'],
    ['r', '90x20'],
    ['o', 'second'],
  ]);
  expect(readFileSync(made.path, 'utf8').slice(0, offset)).toMatch(/"r", "90x20"\]\n$/);
});

test('a file torn at any byte opens, and is continued', () => {
  using made = makeRecording((writer) => {
    writer.output(Buffer.from('a€b'));
    writer.marker('m');
  });
  const whole = readFileSync(made.path);
  for (let size = 0; size <= whole.length; size += 1) {
    truncateSync(made.path, 0);
    writeFileSync(made.path, whole.subarray(0, size));
    const writer = new CastWriter({ path: made.path, cols: 40, rows: 10 });
    writer.output(Buffer.from('after'));
    writer.close();
    expect(eventsOf(made.path).at(-1)).toMatchObject({ code: 'o', data: 'after' });
  }
});

test('a full disk: the session goes on, what fits is kept, what does not is counted', () => {
  // /dev/full opens, and answers every write with ENOSPC.
  const failures: string[] = [];
  using made = makeRecording(() => undefined);
  const path = join(made.folder, 'other.cast');
  let now = 0;
  const resumed: number[] = [];
  const writer = new CastWriter({
    path,
    cols: 1,
    rows: 1,
    now: () => now,
    onFailed: (code, message) => failures.push(`${code} ${message}`),
    onResumed: (lost) => resumed.push(lost),
  });
  writer.output(Buffer.from('before'));
  const good = writer.position.offset;
  const real = swapDescriptor(writer, openSync('/dev/full', 'r+'));
  for (let index = 0; index < 40; index += 1) writer.output(Buffer.alloc(64 * 1024, 'x'));
  expect(failures).toEqual(['ENOSPC the recording stands still: there is no room on the disk; the session goes on']);
  expect(writer.failed).toBe(true);
  expect(writer.position.offset).toBe(good);
  closeSync(swapDescriptor(writer, real));
  now += 1_000;
  writer.retry();
  writer.output(Buffer.from('after'));
  writer.close();
  expect(resumed).toHaveLength(1);
  const kept = eventsOf(path).filter((event) => event.code === 'o' && event.data.startsWith('x')).length;
  expect(resumed[0]).toBe((40 - kept) * 64 * 1024);
  expect(kept).toBeGreaterThan(10);
  const last = eventsOf(path).slice(-2);
  expect(last).toMatchObject([
    { code: 'm', data: expect.stringContaining(`${resumed[0]} bytes of output were not recorded`) },
    { data: 'after' },
  ]);
});

function swapDescriptor(writer: CastWriter, fd: number): number {
  const inner = writer as unknown as { fd: number };
  const before = inner.fd;
  inner.fd = fd;
  return before;
}
