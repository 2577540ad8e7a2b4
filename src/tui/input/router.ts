// Owns the terminal's input for the whole life of the console: raw mode, and who gets the bytes. Our views get decoded
// keys; an attached run gets every byte as it came. The stream is never paused, since that would lose keys.
import { InputDecoder } from './decoder.ts';
import type { InputEvent } from './keys.ts';

/** The part of process.stdin that is used; tests give a plain stream. */
export interface InputStream {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** ESC begins every special key; after this long alone it is the Escape key. A terminal sends a sequence in one piece. */
const escapeMs = 25;
/** A cut sequence over a slow line still arrives; what has not come by then is thrown away. */
const sequenceMs = 500;

export class InputRouter {
  private readonly stream: InputStream;
  private decoder = new InputDecoder();
  private onEvent: ((event: InputEvent) => void) | null = null;
  private onBytes: ((bytes: Buffer) => void) | null = null;
  private early: InputEvent[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(stream: InputStream) {
    this.stream = stream;
  }

  /** From here on keys are kept, until somebody asks for them. */
  open(): void {
    if (this.stream.isTTY) this.stream.setRawMode?.(true);
    this.stream.on('data', this.receive);
    this.stream.resume();
  }

  close(): void {
    this.clearTimer();
    this.stream.off('data', this.receive);
    if (this.stream.isTTY) this.stream.setRawMode?.(false);
    this.stream.pause();
  }

  /** Keys go to `listener`, those typed before first. */
  listen(listener: (event: InputEvent) => void): void {
    this.onEvent = listener;
    const early = this.early;
    this.early = [];
    for (const event of early) listener(event);
  }

  /** Every byte goes to `listener` until the returned function is called. */
  takeRaw(listener: (bytes: Buffer) => void): () => void {
    this.clearTimer();
    this.decoder = new InputDecoder();
    this.onBytes = listener;
    return () => {
      if (this.onBytes === listener) this.onBytes = null;
    };
  }

  private readonly receive = (chunk: Buffer): void => {
    if (this.onBytes !== null) {
      this.onBytes(chunk);
      return;
    }
    this.clearTimer();
    this.deliver(this.decoder.push(chunk));
    const pending = this.decoder.pending();
    if (pending === 'nothing') return;
    this.timer = setTimeout(
      () => {
        this.timer = null;
        this.deliver(this.decoder.expire());
      },
      pending === 'escape' ? escapeMs : sequenceMs,
    );
  };

  private deliver(events: readonly InputEvent[]): void {
    for (const event of events) {
      if (this.onEvent === null) this.early.push(event);
      else this.onEvent(event);
    }
  }

  private clearTimer(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }
}
