import { describe, expect, it } from 'vitest';
import { readImage } from '../../src/engine/image.ts';
import { png } from './words.ts';

function jpeg(width: number, height: number): Buffer {
  const app0 = Buffer.from([0xff, 0xe0, 0x00, 0x04, 0x00, 0x00]);
  const frame = Buffer.from([
    0xff,
    0xc0,
    0x00,
    0x0b,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    1,
    0x11,
    0,
  ]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), app0, frame, Buffer.alloc(20, 1), Buffer.from([0xff, 0xd9])]);
}

function gif(width: number, height: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  return Buffer.concat([Buffer.from('GIF89a'), size, Buffer.alloc(10), Buffer.from([0x3b])]);
}

function webp(kind: 'VP8X' | 'VP8L', width: number, height: number): Buffer {
  const body = Buffer.alloc(18);
  if (kind === 'VP8X') {
    body.writeUIntLE(width - 1, 12, 3);
    body.writeUIntLE(height - 1, 15, 3);
  } else {
    body.writeUInt8(0x2f, 8);
    body.writeUInt32LE((width - 1) | ((height - 1) << 14), 9);
  }
  body.write(kind, 0, 'latin1');
  const head = Buffer.alloc(12);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(4 + body.length, 4);
  head.write('WEBP', 8, 'latin1');
  return Buffer.concat([head, body]);
}

const images: readonly [string, Buffer][] = [
  ['png', png(320, 200)],
  ['jpeg', jpeg(320, 200)],
  ['gif', gif(320, 200)],
  ['webp', webp('VP8X', 320, 200)],
  ['webp', webp('VP8L', 320, 200)],
];

describe('images', () => {
  it.each(images)('%s is read with its dimensions', (format, data) => {
    expect(readImage(data)).toEqual({ format, width: 320, height: 200 });
  });

  it.each(images)('%s that was cut off or has no size is none', (_format, data) => {
    expect(readImage(data.subarray(0, data.length - 4))).toBeNull();
    for (let length = 0; length < Math.min(24, data.length - 1); length++)
      expect(readImage(data.subarray(0, length))).toBeNull();
  });

  it('a header that claims an enormous or an empty picture, or pixels that are not there, is refused', () => {
    expect(readImage(gif(0, 10))).toBeNull();
    expect(readImage(jpeg(65_000, 65_000))).toBeNull();
    const lie = png(4, 4);
    lie.writeUInt32BE(4_000, 16);
    expect(readImage(lie)).toBeNull();
    expect(readImage(Buffer.from('#!/bin/sh\n'))).toBeNull();
  });
});
