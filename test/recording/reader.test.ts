import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CastFile } from '../../src/recording/reader.ts';
import { busySession, makeRecording } from './made-recording.ts';

test('version 2, with absolute times, reads like version 3', () => {
  using made = makeRecording(() => undefined);
  const header = '{"version": 2, "width": 80, "height": 24, "timestamp": 1}';
  writeFileSync(made.path, `${header}\n[0.5, "o", "a"]\n[1.25, "r", "90x30"]\n\n[1.25,"o","b"]\n`);
  using file = new CastFile(made.path);
  expect(file.header).toMatchObject({ version: 2, cols: 80, rows: 24 });
  expect([...file.batches()].flat()).toMatchObject([
    { code: 'o', data: 'a', timeMs: 500 },
    { code: 'r', data: '90x30', timeMs: 1250 },
    { code: 'o', data: 'b', timeMs: 1250 },
  ]);
});

test('comments and unknown events are skipped, and count as time', () => {
  using made = makeRecording(() => undefined);
  writeFileSync(
    made.path,
    '{"version":3,"term":{"cols":8,"rows":2}}\n# by hand\n[1, "z", {}]\n[1, "o", "a"]\n[0.0004, "o", "b"]',
  );
  using file = new CastFile(made.path);
  expect([...file.batches()].flat().map(({ data, timeMs }) => [data, timeMs])).toEqual([
    ['a', 2000],
    ['b', 2000.4],
  ]);
});

test('garbage is an error with its line number; a torn last line is none', () => {
  using made = makeRecording(busySession(300));
  const lines = readFileSync(made.path, 'utf8').split('\n');
  writeFileSync(made.path, [...lines.slice(0, 200), 'garbage', ...lines.slice(200)].join('\n'));
  using file = new CastFile(made.path);
  expect(() => [...file.batches()]).toThrow(`${made.path}:201 is not an event`);
  writeFileSync(made.path, 'not a recording\n');
  expect(() => new CastFile(made.path)).toThrow(':1 is not the header');
  expect(() => new CastFile(`${made.path}.missing`)).toThrow('cannot be opened');
});

test('cut at any byte it reads, without inventing anything', () => {
  using made = makeRecording((writer) => {
    writer.output(Buffer.from('漢"字'));
    writer.resize(50, 20);
  });
  const whole = readFileSync(made.path);
  const header = whole.indexOf(10) + 1;
  for (let size = header; size <= whole.length; size += 1) {
    writeFileSync(made.path, whole.subarray(0, size));
    using file = new CastFile(made.path);
    const data = [...file.batches()].flat().map((event) => event.data);
    expect(['漢"字', '50x20'].slice(0, data.length)).toEqual(data);
  }
});

test('reading goes on from any event', () => {
  using made = makeRecording(busySession(200));
  using file = new CastFile(made.path);
  const all = [...file.batches()].flat();
  for (const at of [0, 1, 57, all.length - 1]) {
    const from = { offset: all[at]?.end ?? 0, timeMs: all[at]?.timeMs ?? 0 };
    expect([...file.batches(from)].flat()).toEqual(all.slice(at + 1));
  }
});
