// Owns the bytes that wait for the child. node-pty retries a full PTY without pause, which pins a core; this queue
// writes by itself, waits longer and longer while nothing is taken, and refuses what would exceed its limit.
import { writeSync } from 'node:fs';

/** Four times the largest paste that a person makes. */
const limitBytes = 4 * 1024 * 1024;
/** A PTY takes about 4 KB at a time; larger pieces only cost copies. */
const pieceBytes = 16 * 1024;
const shortestWaitMs = 1;
/** 16 tries a second cost less than half a percent of a core, and a child that reads again is served within 64 ms. */
const longestWaitMs = 64;

export class InputQueue {
  private readonly fd: number;
  private readonly isOpen: () => boolean;
  private chunks: Buffer[] = [];
  private queued = 0;
  private waitMs = shortestWaitMs;
  private timer: NodeJS.Timeout | null = null;

  constructor(fd: number, isOpen: () => boolean) {
    this.fd = fd;
    this.isOpen = isOpen;
  }

  get queuedBytes(): number {
    return this.queued;
  }

  /** @returns false when the bytes were refused as a whole. */
  push(bytes: Buffer): boolean {
    if (this.queued + bytes.length > limitBytes) return false;
    if (bytes.length === 0) return true;
    this.chunks.push(bytes);
    this.queued += bytes.length;
    if (this.timer === null) this.pump();
    return true;
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.chunks = [];
    this.queued = 0;
  }

  private pump(): void {
    this.timer = null;
    for (;;) {
      const [first] = this.chunks;
      if (first === undefined) return;
      // The number of a closed descriptor may belong to something else by now.
      if (!this.isOpen()) return this.close();
      const taken = this.write(first.subarray(0, pieceBytes));
      if (taken === 0) break;
      this.waitMs = shortestWaitMs;
      this.queued -= taken;
      if (taken < first.length) this.chunks[0] = first.subarray(taken);
      else this.chunks.shift();
    }
    this.timer = setTimeout(() => this.pump(), this.waitMs);
    this.waitMs = Math.min(this.waitMs * 2, longestWaitMs);
  }

  private write(piece: Buffer): number {
    try {
      return writeSync(this.fd, piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      // EIO: the child closed its side; nobody will ever read this.
      this.close();
      return 0;
    }
  }
}
