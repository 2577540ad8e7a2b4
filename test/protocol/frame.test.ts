import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  encodeBytes,
  encodeJson,
  type Frame,
  FrameDecoder,
  frameKind,
  maxFrameBytes,
} from '../../src/protocol/frame.ts';
import { decodeOutput, encodeOutput } from '../../src/protocol/holder.ts';

const frame = fc.oneof(
  fc.jsonValue().map((value): Frame => ({ kind: frameKind.json, value: JSON.parse(JSON.stringify(value)) })),
  fc.uint8Array({ maxLength: 300 }).map((bytes): Frame => ({ kind: frameKind.output, bytes: Buffer.from(bytes) })),
  fc.uint8Array({ maxLength: 300 }).map((bytes): Frame => ({ kind: frameKind.input, bytes: Buffer.from(bytes) })),
);

function encode(f: Frame): Buffer {
  return f.kind === frameKind.json ? encodeJson(f.value) : encodeBytes(f.kind, f.bytes);
}

test('frames come out as they went in, wherever the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 200 }),
      (frames, cuts) => {
        const stream = Buffer.concat(frames.map(encode));
        const decoder = new FrameDecoder();
        const seen: Frame[] = [];
        let at = 0;
        for (const cut of [...cuts, stream.length]) {
          seen.push(...decoder.push(stream.subarray(at, at + cut)));
          at = Math.min(stream.length, at + cut);
        }
        expect(seen).toEqual(frames);
      },
    ),
  );
});

test('frames split at every single byte', () => {
  const stream = Buffer.concat([
    encodeJson({ id: 1, method: 'status' }),
    encodeBytes(frameKind.input, Buffer.from('x')),
    encodeJson(null),
  ]);
  const decoder = new FrameDecoder();
  const seen = [...stream].flatMap((byte) => decoder.push(Buffer.of(byte)));
  expect(seen).toEqual([
    { kind: 0, value: { id: 1, method: 'status' } },
    { kind: 2, bytes: Buffer.from('x') },
    { kind: 0, value: null },
  ]);
});

test('garbage is refused at its header, before anything is collected', () => {
  const huge = Buffer.alloc(5);
  huge.writeUInt32BE(maxFrameBytes + 1);
  expect(() => new FrameDecoder().push(huge)).toThrow(/frame of/);
  expect(() => new FrameDecoder().push(Buffer.from([0, 0, 0, 2, 9, 9]))).toThrow(/kind 9/);
  expect(() => new FrameDecoder().push(Buffer.from([0, 0, 0, 0, 0]))).toThrow(/frame of 0/);
  expect(() => new FrameDecoder().push(Buffer.from([0, 0, 0, 2, 0, 0x7b]))).toThrow(/not JSON/);
  expect(() => encodeBytes(frameKind.input, Buffer.alloc(maxFrameBytes))).toThrow(/frame of/);
});

test('an output frame carries position and time in front of its bytes', () => {
  const output = { offset: 2 ** 40 + 1, timeMs: 3_600_001, bytes: Buffer.from([0, 255, 27]) };
  const [decoded] = new FrameDecoder().push(encodeOutput(output));
  expect(decoded?.kind === frameKind.output && decodeOutput(decoded.bytes)).toEqual(output);
});
