// C102: a recording too large to be read for every look at it. What is counted are the bytes that each look reads.
import { readFileSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Player } from '../../src/recording/player.ts';
import { CastFile } from '../../src/recording/reader.ts';
import { catchUp } from '../../src/recording/replay-into.ts';
import { IndexWriter, indexPathOf, keyframeEveryBytes } from '../../src/recording/seek-index.ts';
import { createScreen } from '../../src/terminal/screen.ts';
import { caseSize } from '../support/case-size.ts';
import { makeRecording } from './made-recording.ts';

const megabyte = 1024 * 1024;
const size = caseSize({ usual: 24, full: 1024 }) * megabyte;
const sizes = [
  { cols: 80, rows: 24 },
  { cols: 132, rows: 50 },
  { cols: 40, rows: 10 },
];
const minuteMs = 60_000;

test(`C102: in a recording of ${size / megabyte} MB each jump reads little and shows the right size`, {
  timeout: 600_000,
}, async () => {
  const line = `${'work '.repeat(15)}\r\n`;
  const piece = Buffer.from(line.repeat(200));
  // Another size each minute, and a minute for each megabyte.
  let minutes = 0;
  using made = makeRecording((writer, pass) => {
    for (let written = 0; written < size; written += piece.length) {
      if (written >= minutes * megabyte) {
        writer.resize(sizeAt(minutes).cols, sizeAt(minutes).rows);
        writer.output(Buffer.from(`minute ${minutes}\r\n`));
        minutes += 1;
        pass(minuteMs);
      }
      writer.output(piece);
    }
  });
  await indexAsTheHostDoes(made.path);

  const indexBytes = statSync(indexPathOf(made.path)).size;
  expect(indexBytes).toBeLessThan(size / 20);
  const beforeOpen = bytesRead();
  await using player = await Player.open(made.path);
  expect(bytesRead() - beforeOpen).toBeLessThan(indexBytes + 4 * megabyte);
  await player.indexed;

  for (let jump = 0; jump < 40; jump += 1) {
    const minute = Math.floor(((jump * 0.618_033_99) % 1) * minutes);
    const before = bytesRead();
    // In the middle of the minute: its size was set, and its text was written, at its beginning.
    await player.seek((minute + 0.5) * minuteMs);
    // A keyframe, what follows it, and the rest of the block that was read for it.
    expect(bytesRead() - before).toBeLessThan(8 * keyframeEveryBytes);
    const { cols, rows } = player.screen;
    expect({ minute, cols, rows }).toEqual({ minute, ...sizeAt(minute) });
  }
});

function sizeAt(minute: number): { cols: number; rows: number } {
  return sizes[minute % sizes.length] ?? { cols: 80, rows: 24 };
}

async function indexAsTheHostDoes(path: string): Promise<void> {
  using file = new CastFile(path);
  const screen = createScreen({ cols: 80, rows: 24, scrollback: 0 });
  await catchUp({ file, screen, index: new IndexWriter(indexPathOf(path), file.size) });
  screen.dispose();
}

/** By this process, as the kernel counts them. */
function bytesRead(): number {
  return Number(/^rchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}
