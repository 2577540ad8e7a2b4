// The real terminal: entering and leaving the console's screen, on every way out. What was changed is undone with a
// synchronous write, since a process that is being killed gets no second turn of its loop.
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { undoModes } from '../terminal/undo-modes.ts';
import { InputRouter } from './input/router.ts';
import { enterScreen, leaveScreen } from './paint/escapes.ts';
import type { Size } from './screen.ts';

/** A library that has something to say would say it over the frame. */
const voices = ['debug', 'error', 'info', 'log', 'warn'] as const;
const endingSignals = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

export class ConsoleTerminal {
  readonly input: InputRouter;
  private readonly stdout: NodeJS.WriteStream;
  private entered = false;
  private unmute = () => {};
  private readonly onExit = () => this.leave();
  private readonly onSignal = (signal: NodeJS.Signals) => {
    this.leave();
    process.exit(128 + constants.signals[signal]);
  };
  private readonly onCrash = (error: unknown) => {
    this.leave();
    process.stderr.write(
      `gatehouse: the console crashed; the runs go on.\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exit(1);
  };

  constructor(stdin: NodeJS.ReadStream, stdout: NodeJS.WriteStream) {
    this.stdout = stdout;
    this.input = new InputRouter(stdin);
  }

  enter(): void {
    if (this.entered) return;
    this.entered = true;
    this.unmute = mute();
    process.on('exit', this.onExit);
    for (const signal of endingSignals) process.on(signal, this.onSignal);
    process.on('uncaughtException', this.onCrash);
    process.on('unhandledRejection', this.onCrash);
    // A terminal that went away: its signal comes too, and ends us in order.
    this.stdout.on('error', () => {});
    this.write(enterScreen);
    this.input.open();
  }

  leave(): void {
    if (!this.entered) return;
    this.entered = false;
    this.unmute();
    process.off('exit', this.onExit);
    for (const signal of endingSignals) process.off(signal, this.onSignal);
    process.off('uncaughtException', this.onCrash);
    process.off('unhandledRejection', this.onCrash);
    writeAll(undoModes() + leaveScreen);
    try {
      this.input.close();
    } catch {
      // The terminal is gone.
    }
  }

  /** After somebody else had the screen: our modes again. What is on it is not ours. */
  reclaim(): void {
    this.write(undoModes() + enterScreen);
  }

  size(): Size {
    return { cols: this.stdout.columns || 80, rows: this.stdout.rows || 24 };
  }

  onResize(listener: () => void): () => void {
    this.stdout.on('resize', listener);
    return () => this.stdout.off('resize', listener);
  }

  takeRaw(listener: (bytes: Buffer) => void): () => void {
    return this.input.takeRaw(listener);
  }

  /** Nothing more once the terminal was given back: whoever still paints then would paint over the shell. */
  write(text: string | Uint8Array): boolean {
    if (!this.entered) return false;
    return this.stdout.write(text);
  }
}

function mute(): () => void {
  const before = voices.map((voice) => console[voice]);
  for (const voice of voices) console[voice] = () => {};
  return () => {
    for (const [index, voice] of voices.entries()) console[voice] = before[index] ?? console[voice];
  };
}

/** To the terminal itself, whatever is still queued in the stream. */
function writeAll(text: string): void {
  try {
    let rest = Buffer.from(text);
    // A full terminal buffer refuses for a moment; a terminal that is gone refuses for ever.
    for (let tries = 0; rest.length > 0 && tries < 200; tries++) {
      try {
        rest = rest.subarray(writeSync(1, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
  } catch {
    // Nothing more can be done.
  }
}
