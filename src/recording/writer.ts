// Owns one `session.cast`: appends events, knows the offset after each, continues a file that is there.
// What has been returned to the caller is in the file (written, not synced). When the disk is full it holds back what it
// can, counts what it cannot, and goes on by itself as soon as there is room. Dependency-free: the holder uses it.
import { closeSync, constants, fchmodSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import type { RecordPolicy } from '../core/record-policy.ts';
import { type CastCode, encodeEvent, encodeHeader } from './cast.ts';
import { OutputMasker } from './masker.ts';
import { readTail } from './tail.ts';
import { incompleteTail } from './utf8-tail.ts';

export interface Position {
  readonly offset: number;
  readonly timeMs: number;
}

export interface WriterOptions {
  readonly path: string;
  readonly cols: number;
  readonly rows: number;
  readonly title?: string;
  /** `masked`: known token shapes are not written; `off`: no output is. Everything else is, always. Default `full`. */
  readonly policy?: RecordPolicy;
  /** Milliseconds since the epoch; a step backwards counts as no time. */
  readonly now?: () => number;
  readonly onFailed?: (code: string, message: string) => void;
  readonly onResumed?: (lostBytes: number) => void;
}

/** Enough for the seconds in which somebody frees some disk, small enough for a process that must stay small. */
const heldBytesLimit = 1024 * 1024;
const retryAfterMs = 500;
const nothing = Buffer.alloc(0);

export class CastWriter {
  /** There was a recording already, of sessions before. */
  readonly continues: boolean;
  private readonly options: WriterOptions;
  private readonly now: () => number;
  private readonly fd: number;
  private offset = 0;
  private timeMs = 0;
  private lastEventAt: number;
  private readonly masker: OutputMasker | null;
  private tail: Buffer = nothing;
  private held: Buffer[] = [];
  private heldBytes = 0;
  private lostBytes = 0;
  private failedAt: number | null = null;
  private closed = false;

  /** @throws the system's error when the file cannot be opened at all. */
  constructor(options: WriterOptions) {
    this.options = options;
    this.now = options.now ?? Date.now;
    this.masker = options.policy === 'masked' ? new OutputMasker() : null;
    this.fd = openSync(options.path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
    fchmodSync(this.fd, 0o600);
    this.lastEventAt = this.now();
    const before = readTail(this.fd);
    this.offset = before.end;
    ftruncateSync(this.fd, before.end);
    this.continues = before.end > 0;
    if (!this.continues) {
      this.append(encodeHeader({ ...options, timestamp: Math.floor(this.lastEventAt / 1000) }), 0);
    } else {
      this.timeMs = before.timeMs;
      this.lastEventAt = Math.min(before.modifiedMs, this.lastEventAt);
      this.resize(options.cols, options.rows);
    }
  }

  get position(): Position {
    return { offset: this.offset, timeMs: this.timeMs };
  }

  get failed(): boolean {
    return this.failedAt !== null;
  }

  /** Output waits in memory because its end may be the beginning of a secret; `settle` ends the wait. */
  get holdsBack(): boolean {
    return this.masker?.holdsBack === true;
  }

  settle(): void {
    const rest = this.masker?.end() ?? '';
    if (rest !== '') this.event('o', rest, Buffer.byteLength(rest));
  }

  /** @returns the bytes that count as output now: a character whose end has not arrived yet is kept for the next call. */
  output(bytes: Buffer): Buffer {
    const all = this.tail.length === 0 ? bytes : Buffer.concat([this.tail, bytes]);
    const whole = all.subarray(0, all.length - incompleteTail(all));
    // A copy: the tail must not keep the large buffer alive.
    this.tail = whole.length === all.length ? nothing : Buffer.from(all.subarray(whole.length));
    this.recordOutput(whole);
    return whole;
  }

  /** The child is gone: what is left of a cut character will never be completed. */
  endOutput(): Buffer {
    const rest = this.tail;
    this.tail = nothing;
    this.recordOutput(rest);
    this.settle();
    return rest;
  }

  input(text: string): void {
    this.settle();
    this.event('i', text, text.length);
  }

  resize(cols: number, rows: number): void {
    this.settle();
    this.event('r', `${cols}x${rows}`, 0);
  }

  marker(label: string): void {
    this.settle();
    this.event('m', label, 0);
  }

  exit(status: number): void {
    this.settle();
    this.event('x', String(status), 0);
  }

  /** To be called now and then while `failed`; output that arrives retries by itself. */
  retry(): void {
    if (this.failedAt === null || this.closed || this.now() - this.failedAt < retryAfterMs) return;
    this.failedAt = this.now();
    while (this.held[0] !== undefined) {
      const line = this.held[0];
      if (!this.write(line)) return;
      this.held.shift();
      this.heldBytes -= line.length;
    }
    const lost = this.lostBytes;
    this.failedAt = null;
    this.lostBytes = 0;
    if (lost > 0) this.event('m', `${lost} bytes of output were not recorded: no room on the disk`, 0);
    this.options.onResumed?.(lost);
  }

  close(): void {
    if (this.closed) return;
    this.endOutput();
    this.closed = true;
    closeSync(this.fd);
  }

  private recordOutput(bytes: Buffer): void {
    if (bytes.length === 0 || this.options.policy === 'off') return;
    const text = bytes.toString('utf8');
    const now = this.masker === null ? text : this.masker.push(text);
    if (now !== '') this.event('o', now, bytes.length);
  }

  private event(code: CastCode, data: string, outputBytes: number): void {
    if (this.closed) return;
    const now = Math.max(this.now(), this.lastEventAt);
    const intervalMs = Math.round(now - this.lastEventAt);
    // An event that is dropped takes no time: the next one then carries the whole interval.
    if (!this.append(encodeEvent(intervalMs, code, data), outputBytes)) return;
    this.lastEventAt += intervalMs;
    this.timeMs += intervalMs;
  }

  private append(text: string, outputBytes: number): boolean {
    const line = Buffer.from(text);
    if (this.failedAt !== null) this.retry();
    if (this.failedAt === null && this.write(line)) return true;
    if (this.heldBytes + line.length > heldBytesLimit) {
      this.lostBytes += outputBytes;
      return false;
    }
    this.held.push(line);
    this.heldBytes += line.length;
    return true;
  }

  private write(line: Buffer): boolean {
    let written = 0;
    try {
      while (written < line.length) written += writeSync(this.fd, line, written);
    } catch (error) {
      this.fail(error as NodeJS.ErrnoException, written);
      return false;
    }
    this.offset += line.length;
    return true;
  }

  private fail(error: NodeJS.ErrnoException, torn: number): void {
    // Only whole lines stay in the file; shrinking works on a full disk.
    if (torn > 0) ftruncateSync(this.fd, this.offset);
    if (this.failedAt !== null) return;
    this.failedAt = this.now();
    const full = error.code === 'ENOSPC' || error.code === 'EDQUOT';
    const why = full ? 'there is no room on the disk' : error.message;
    this.options.onFailed?.(error.code ?? 'EIO', `the recording stands still: ${why}; the session goes on`);
  }
}
