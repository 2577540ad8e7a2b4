// What a writer must know about a file that it continues: where the last whole line ends, and which time that is.
import { fstatSync, readSync } from 'node:fs';

const blockBytes = 64 * 1024;
const newline = 10;

export interface Tail {
  /** End of the last complete line; what follows was torn by a crash. */
  readonly end: number;
  /** Sum of all intervals. */
  readonly timeMs: number;
  /** When the last byte was written. */
  readonly modifiedMs: number;
}

/** Reads only the number in front of each line, never its text. Assumes version 3. */
export function readTail(fd: number): Tail {
  const { size: fileBytes, mtimeMs: modifiedMs } = fstatSync(fd);
  const block = Buffer.allocUnsafe(Math.min(blockBytes, fileBytes));
  let position = 0;
  let end = 0;
  let timeMs = 0;
  let number = '';
  let atLineStart = true;
  for (;;) {
    const size = readSync(fd, block, 0, block.length, position);
    if (size === 0) break;
    let at = 0;
    while (at < size) {
      if (atLineStart) {
        const byte = block[at] ?? newline;
        if (byte !== newline && byte !== 0x2c && number.length < 32) {
          number += String.fromCharCode(byte);
          at += 1;
          continue;
        }
        atLineStart = false;
      }
      const lineEnd = block.subarray(at, size).indexOf(newline);
      if (lineEnd === -1) break;
      at += lineEnd + 1;
      end = position + at;
      timeMs += Math.round(seconds(number) * 1000);
      number = '';
      atLineStart = true;
    }
    position += size;
  }
  return { end, timeMs, modifiedMs };
}

function seconds(number: string): number {
  const value = number.startsWith('[') ? Number(number.slice(1)) : 0;
  return Number.isFinite(value) ? value : 0;
}
