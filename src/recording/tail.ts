// What a writer must know about a file that it continues: where the last whole line ends, and which time that is.
import { fstatSync } from 'node:fs';
import { walkLines } from './lines.ts';

const blockBytes = 64 * 1024;

export interface Tail {
  /** End of the last complete line; what follows was torn by a crash. */
  readonly end: number;
  /** Sum of all intervals. */
  readonly timeMs: number;
  /** When the last byte was written. */
  readonly modifiedMs: number;
}

/** Assumes version 3, which is what we write. */
export function readTail(fd: number): Tail {
  const { size, mtimeMs: modifiedMs } = fstatSync(fd);
  let end = 0;
  let timeMs = 0;
  if (size > 0) {
    const visit = (line: { seconds: number; end: number }): void => {
      end = line.end;
      timeMs += Math.round(line.seconds * 1000);
    };
    for (const _ of walkLines({ fd, from: 0, blockBytes: Math.min(size, blockBytes), visit }));
  }
  return { end, timeMs, modifiedMs };
}
