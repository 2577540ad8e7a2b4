// Reads recordings of asciicast versions 2 and 3 from any event on. Tolerates the one thing that a crash does to a file
// that is only appended to, a torn last line; anything else that is not an event is an error with its line number.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { GatehouseError } from '../core/error.ts';
import { type CastEvent, type CastHeader, isCastCode, parseEvent, parseHeader } from './cast.ts';

const newline = 10;
/** Small enough that putting one block on a screen holds up nobody (5 ms). */
const blockBytes = 64 * 1024;
/** A header is a few hundred bytes; whoever has none within this is no recording. */
const headerLimitBytes = 64 * 1024;

export interface Position {
  /** Byte offset of an event's line. */
  readonly offset: number;
  /** Time of what comes before it. */
  readonly timeMs: number;
}

/** Owns an open file. The file may grow meanwhile. */
export class CastFile implements Disposable {
  readonly path: string;
  readonly fd: number;
  readonly header: CastHeader;
  readonly start: Position;

  /** @throws GatehouseError `file.unreadable` when it cannot be opened or is no recording. */
  constructor(path: string) {
    this.path = path;
    try {
      // Opening a named pipe would wait for somebody who writes to it.
      this.fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (cause) {
      throw unreadable(`${path} cannot be opened: ${(cause as Error).message}`, cause);
    }
    try {
      if (!fstatSync(this.fd).isFile()) throw unreadable(`${path} is not a file`);
      const line = readFirstLine(this.fd);
      const header = parseHeader(line.toString('utf8'));
      if (header === null) throw unreadable(`${path}:1 is not the header of a recording (asciicast 2 or 3)`);
      this.header = header;
      this.start = { offset: line.length, timeMs: 0 };
    } catch (error) {
      closeSync(this.fd);
      throw error;
    }
  }

  get size(): number {
    return fstatSync(this.fd).size;
  }

  /** Events in batches of one block, from a position up to a byte offset (default: what is there now). */
  *batches(from: Position = this.start, to: number = this.size): Generator<CastEvent[]> {
    let rest: Buffer = Buffer.alloc(0);
    let position = from.offset;
    let { timeMs } = from;
    while (position < to) {
      const block = Buffer.allocUnsafe(Math.min(blockBytes, to - position));
      const size = readSync(this.fd, block, 0, block.length, position);
      if (size === 0) break;
      const all = rest.length === 0 ? block.subarray(0, size) : Buffer.concat([rest, block.subarray(0, size)]);
      const base = position - rest.length;
      position += size;
      const batch: CastEvent[] = [];
      let at = 0;
      let damage: unknown = null;
      for (let end = all.indexOf(newline); end !== -1 && damage === null; end = all.indexOf(newline, at)) {
        try {
          const event = this.parse(all.toString('utf8', at, end), base + at, base + end + 1, timeMs);
          if (event !== null) timeMs = event.timeMs;
          if (event !== null && isCastCode(event.code)) batch.push(event);
        } catch (error) {
          damage = error;
        }
        at = end + 1;
      }
      rest = all.subarray(at);
      // What stands before a damaged line still counts.
      if (batch.length > 0) yield batch;
      if (damage !== null) throw damage;
    }
    const last = this.parseLast(rest, position, timeMs);
    if (last !== null) yield [last];
  }

  close(): void {
    closeSync(this.fd);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** @returns null for what is no event but allowed: empty lines and comments. */
  private parse(line: string, offset: number, end: number, timeMs: number): CastEvent | null {
    if (line === '' || line.startsWith('#')) return null;
    const parsed = parseEvent(line);
    if (parsed === null) {
      throw unreadable(`${this.path}:${this.lineNumber(offset)} is not an event of a recording`);
    }
    const spent = this.header.version === 3 ? timeMs + toMs(parsed.seconds) : toMs(parsed.seconds);
    return { code: parsed.code as CastEvent['code'], data: parsed.data, timeMs: spent, offset, end };
  }

  /** Without a newline it may be whole (other programs) or torn (a crash); both are fine. */
  private parseLast(rest: Buffer, end: number, timeMs: number): CastEvent | null {
    try {
      const event = this.parse(rest.toString('utf8'), end - rest.length, end, timeMs);
      return event !== null && isCastCode(event.code) ? event : null;
    } catch {
      return null;
    }
  }

  private lineNumber(offset: number): number {
    const block = Buffer.allocUnsafe(blockBytes);
    let line = 1;
    for (let position = 0; position < offset; ) {
      const size = readSync(this.fd, block, 0, Math.min(block.length, offset - position), position);
      if (size === 0) break;
      for (let at = block.indexOf(newline); at !== -1 && at < size; at = block.indexOf(newline, at + 1)) line += 1;
      position += size;
    }
    return line;
  }
}

/** Microseconds are kept, so that the many short intervals of other recorders do not add up to nothing. */
export function toMs(seconds: number): number {
  return Math.round(seconds * 1_000_000) / 1000;
}

function readFirstLine(fd: number): Buffer {
  const block = Buffer.alloc(headerLimitBytes);
  const size = readSync(fd, block, 0, block.length, 0);
  const end = block.subarray(0, size).indexOf(newline);
  return block.subarray(0, end === -1 ? size : end + 1);
}

function unreadable(message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('file.unreadable', message, 'give a file that Gatehouse or asciinema has recorded', {
    cause,
  });
}
