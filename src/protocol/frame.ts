// The one wire format of every socket: `u32 BE length of (kind + payload)`, `u8 kind`, payload.
// Owns no socket; a decoder belongs to one connection and is useless after it has thrown.
import { GatehouseError } from '../core/error.ts';

export const frameKind = { json: 0, output: 1, input: 2 } as const;
export type ByteKind = typeof frameKind.output | typeof frameKind.input;

export type Frame =
  | { readonly kind: typeof frameKind.json; readonly value: unknown }
  | { readonly kind: ByteKind; readonly bytes: Buffer };

/** Larger than any paste or artifact that is sent whole, small enough that a garbage length cannot exhaust the memory. */
export const maxFrameBytes = 16 * 1024 * 1024;

const headerBytes = 5;

export function encodeJson(value: unknown): Buffer {
  return encodeFrame(frameKind.json, Buffer.from(JSON.stringify(value)));
}

/** Several parts make one payload, so that a header in front of the bytes costs no second copy. */
export function encodeBytes(kind: ByteKind, ...parts: readonly Uint8Array[]): Buffer {
  return encodeFrame(kind, ...parts);
}

export class FrameDecoder {
  private chunks: Buffer[] = [];
  private buffered = 0;
  /** Total size of the frame that is being collected; null while its header is incomplete. */
  private wanted: number | null = null;

  /** @throws GatehouseError `usage.invalid` when what arrives is not our format; the connection must then be closed. */
  push(chunk: Buffer): Frame[] {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      this.wanted ??= this.peekLength();
      // Chunks are joined once per frame, not once per chunk: a large frame must not be copied again and again.
      if (this.wanted === null || this.buffered < this.wanted) return frames;
      frames.push(decodeFrame(this.take(this.wanted)));
      this.wanted = null;
    }
  }

  private peekLength(): number | null {
    if (this.buffered < headerBytes) return null;
    const header = this.joined();
    const length = header.readUInt32BE(0);
    const kind = header.readUInt8(4);
    if (length < 1 || length > maxFrameBytes) throw malformed(`a frame of ${length} bytes`);
    if (kind > frameKind.input) throw malformed(`a frame of kind ${kind}`);
    return length + 4;
  }

  private take(size: number): Buffer {
    const all = this.joined();
    const rest = all.subarray(size);
    this.chunks = rest.length === 0 ? [] : [rest];
    this.buffered = rest.length;
    return all.subarray(0, size);
  }

  private joined(): Buffer {
    const [only] = this.chunks;
    const all = this.chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.chunks);
    this.chunks = [all];
    return all;
  }
}

function encodeFrame(kind: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 1);
  if (length > maxFrameBytes) throw malformed(`a frame of ${length} bytes`);
  const frame = Buffer.allocUnsafe(headerBytes - 1 + length);
  frame.writeUInt32BE(length, 0);
  frame.writeUInt8(kind, 4);
  let at = headerBytes;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

function decodeFrame(frame: Buffer): Frame {
  const kind = frame.readUInt8(4);
  const payload = frame.subarray(headerBytes);
  if (kind === frameKind.output || kind === frameKind.input) return { kind, bytes: payload };
  try {
    return { kind: frameKind.json, value: JSON.parse(payload.toString('utf8')) };
  } catch (cause) {
    throw malformed('a message that is not JSON', cause);
  }
}

function malformed(what: string, cause?: unknown): GatehouseError {
  const options = cause === undefined ? {} : { cause };
  return new GatehouseError(
    'usage.invalid',
    `the other side sent ${what}`,
    'both sides must be the same version of Gatehouse',
    options,
  );
}
