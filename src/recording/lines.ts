// Walks over the lines of a recording by their heads alone: time and kind, without decoding the text. That is what makes
// a file of 100 MB open quickly. Synchronous; between two blocks a caller may do something else.
import { readSync } from 'node:fs';

const newline = 10;
const quote = 0x22;
/** `[12345.678, "o", ` and some more. */
const headBytes = 40;

export interface LineHead {
  /** As written: since the event before (version 3) or since the beginning (version 2). */
  readonly seconds: number;
  /** One letter, or empty when the line is no event (header, comment). */
  readonly code: string;
  readonly offset: number;
  readonly end: number;
  readonly text: () => string;
}

export interface LineWalk {
  readonly fd: number;
  readonly from: number;
  /** Grows when a line is longer. */
  readonly blockBytes: number;
  readonly visit: (line: LineHead) => void;
}

/** Yields after each block. What stands behind the last newline is not visited. */
export function* walkLines({ fd, from, blockBytes, visit }: LineWalk): Generator<void> {
  let block = Buffer.allocUnsafe(blockBytes);
  let position = from;
  for (;;) {
    const size = readSync(fd, block, 0, block.length, position);
    if (size === 0) return;
    const used = visitBlock(block.subarray(0, size), position, visit);
    if (used > 0) position += used;
    else if (size < block.length) return;
    else block = Buffer.allocUnsafe(block.length * 2);
    yield;
  }
}

function visitBlock(block: Buffer, position: number, visit: (line: LineHead) => void): number {
  let start = 0;
  for (;;) {
    const lineEnd = block.indexOf(newline, start);
    if (lineEnd === -1) return start;
    const lineStart = start;
    start = lineEnd + 1;
    visit({
      ...parseHead(block, lineStart, lineEnd),
      offset: position + lineStart,
      end: position + start,
      text: () => block.toString('utf8', lineStart, lineEnd),
    });
  }
}

function parseHead(block: Buffer, start: number, end: number): { seconds: number; code: string } {
  if (block[start] !== 0x5b) return { seconds: 0, code: '' };
  const head = block.toString('latin1', start + 1, Math.min(end, start + headBytes));
  const comma = head.indexOf(',');
  const seconds = comma === -1 ? Number.NaN : Number(head.slice(0, comma));
  const opening = block.indexOf(quote, start + 1);
  if (!Number.isFinite(seconds) || opening === -1 || opening + 2 >= end) return { seconds: 0, code: '' };
  return block[opening + 2] === quote ? { seconds, code: head.charAt(opening - start) } : { seconds, code: '?' };
}
