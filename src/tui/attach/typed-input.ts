// What the operator types into an attached run: the bytes of his terminal without its answers to queries. The filter
// decides; the clock is here, since the beginning of an answer may also be a key.
import { ReplyFilter } from '../../terminal/reply-filter.ts';

/** Alone for this long, ESC is a key. */
const escapeMs = 25;
/** An answer comes in one go; over a slow line it is still complete by then. */
const replyMs = 1_000;

export class TypedInput {
  private readonly forward: (bytes: Buffer) => void;
  private readonly filter = new ReplyFilter();
  private timer: NodeJS.Timeout | null = null;

  constructor(forward: (bytes: Buffer) => void) {
    this.forward = forward;
  }

  push(chunk: Buffer): void {
    this.close();
    this.pass(this.filter.push(chunk));
    if (!this.filter.isWaiting) return;
    this.timer = setTimeout(() => {
      this.pass(this.filter.flush());
      if (this.filter.isWaiting) this.timer = setTimeout(() => this.pass(this.filter.flush(true)), replyMs);
    }, escapeMs);
  }

  /** What is still undecided is dropped. */
  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private pass(bytes: Buffer): void {
    if (bytes.length > 0) this.forward(bytes);
  }
}
