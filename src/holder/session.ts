// Owns one PTY and the program in it. The only user of node-pty, whose faults are worked around here:
// it destroys the stream 200 ms after the exit even with bytes unread, and it writes without pacing.
import { constants } from 'node:os';
import type { ReadStream } from 'node:tty';
import { type IPty, spawn } from 'node-pty';
import type { SessionExit, SpawnParams } from '../protocol/holder.ts';
import { InputQueue } from './input-queue.ts';

export interface SessionHandlers {
  readonly onOutput: (bytes: Buffer) => void;
  /** Once, after the last byte of output. */
  readonly onEnd: (exit: SessionExit) => void;
}

/** A process that outlives the program can hold the PTY open; this long a silence after the exit ends the session. */
const silenceAfterExitMs = 150;
/** ... and this is the end of patience with one that never falls silent. */
const longestDrainMs = 5_000;

/** What we use of node-pty beyond its types. */
interface RawPty extends IPty {
  readonly fd: number;
  readonly _socket: ReadStream;
  _emittedClose: boolean;
}

export class PtySession {
  readonly pid: number;
  private readonly pty: RawPty;
  private readonly stream: ReadStream;
  private readonly inputQueue: InputQueue;
  private readonly handlers: SessionHandlers;
  private exit: SessionExit | null = null;
  private streamEnded = false;
  private ended = false;
  private silence: NodeJS.Timeout | null = null;
  private drainDeadline = 0;
  private received = 0;

  /** @throws when no process or no PTY can be made. */
  constructor(path: string, params: SpawnParams, handlers: SessionHandlers) {
    this.handlers = handlers;
    const { cols, rows, cwd, env } = params;
    this.pty = spawn(path, params.argv.slice(1), {
      cols,
      rows,
      cwd,
      env,
      name: env.TERM ?? 'xterm-256color',
      encoding: null,
    }) as RawPty;
    // Makes node-pty believe that the end of the stream was announced: it then reports the exit at once and leaves the
    // stream to us.
    this.pty._emittedClose = true;
    this.pid = this.pty.pid;
    this.stream = this.pty._socket;
    this.inputQueue = new InputQueue(this.pty.fd, () => !this.stream.destroyed);
    this.stream.on('data', (bytes: Buffer) => {
      this.received += bytes.length;
      this.handlers.onOutput(bytes);
      if (this.exit !== null) this.awaitSilence();
    });
    // EIO is how Linux says that nobody holds the other side any more.
    this.stream.on('error', () => this.onStreamEnd());
    this.stream.on('close', () => this.onStreamEnd());
    this.pty.onExit(({ exitCode, signal }) => this.onExit(exitCode, signal ?? 0));
  }

  get inputQueued(): number {
    return this.inputQueue.queuedBytes;
  }

  write(bytes: Buffer): boolean {
    return this.exit !== null || this.inputQueue.push(bytes);
  }

  resize(cols: number, rows: number): void {
    if (!this.stream.destroyed) this.pty.resize(cols, rows);
  }

  /** @returns false when nobody is there to take it. */
  signal(signal: NodeJS.Signals): boolean {
    if (this.exit !== null) return false;
    try {
      process.kill(-this.pid, signal);
      return true;
    } catch {
      return false;
    }
  }

  pause(): void {
    if (this.exit === null) this.stream.pause();
  }

  unpause(): void {
    this.stream.resume();
  }

  private onExit(code: number, signal: number): void {
    this.exit = signal === 0 ? { code, signal: null } : { code: null, signal: signalName(signal) };
    this.inputQueue.close();
    this.drainDeadline = Date.now() + longestDrainMs;
    if (this.streamEnded) return this.end();
    this.unpause();
    this.awaitSilence();
  }

  private onStreamEnd(): void {
    this.streamEnded = true;
    this.inputQueue.close();
    if (this.exit !== null) this.end();
  }

  private awaitSilence(): void {
    if (this.silence !== null) clearTimeout(this.silence);
    const patience = Math.min(silenceAfterExitMs, Math.max(0, this.drainDeadline - Date.now()));
    this.silence = setTimeout(() => this.endUnlessMore(), patience);
  }

  /** After a busy moment timers run before reads do: let one round of reading pass before silence is believed. */
  private endUnlessMore(): void {
    const before = this.received;
    setImmediate(() => {
      if (this.received === before || Date.now() >= this.drainDeadline) this.end();
    });
  }

  private end(): void {
    if (this.ended || this.exit === null) return;
    this.ended = true;
    if (this.silence !== null) clearTimeout(this.silence);
    this.stream.destroy();
    this.handlers.onEnd(this.exit);
  }
}

function signalName(number: number): string {
  const found = Object.entries(constants.signals).find(([, value]) => value === number);
  return found?.[0] ?? `SIG${number}`;
}
