// Shares the event loop between the screens of one process. Parsing is the dearest thing the host does (some 60 ms per
// MB), so all screens together get a few milliseconds per turn, in turns, and one that floods cannot starve the others.
// xterm's own write buffer schedules each screen for itself, and its synchronous side is documented as unreliable.

/** Text is parsed in pieces of this size: some 0.3 ms each, and some 50 of the dearest sequences there are. */
const pieceChars = 4 * 1024;
/** What all screens together may take of one turn of the loop: a key waits for a turn on its way in, and on its way out. */
const turnMs = 2;

/** A queue that never runs empty must not keep what it has done. */
const compactAfter = 256;

const waiting: ParseQueue[] = [];
let scheduled = false;

export class ParseQueue {
  /** Stands in line for its next step. */
  isWaiting = false;
  private readonly parse: (text: string) => void;
  private items: (string | (() => void))[] = [];
  private next = 0;

  constructor(parse: (text: string) => void) {
    this.parse = parse;
  }

  /** Text to be parsed, or something to be done when everything before it has been. */
  push(item: string | (() => void)): void {
    this.items.push(item);
    schedule(this);
  }

  /** Does everything that waits, now. */
  drain(): void {
    while (this.hasWork) this.step();
  }

  clear(): void {
    this.items = [];
    this.next = 0;
  }

  get hasWork(): boolean {
    return this.next < this.items.length;
  }

  /** One action, or one piece of text; small texts that follow each other are parsed at once. */
  step(): void {
    const item = this.items[this.next];
    if (typeof item === 'string') this.parse(this.takePiece(item));
    else {
      this.next += 1;
      item?.();
    }
    if (!this.hasWork) this.clear();
    else if (this.next > compactAfter) {
      this.items = this.items.slice(this.next);
      this.next = 0;
    }
  }

  private takePiece(first: string): string {
    if (first.length > pieceChars) {
      this.items[this.next] = first.slice(pieceChars);
      return first.slice(0, pieceChars);
    }
    this.next += 1;
    let piece = first;
    for (let item = this.items[this.next]; typeof item === 'string'; item = this.items[this.next]) {
      if (piece.length + item.length > pieceChars) break;
      piece += item;
      this.next += 1;
    }
    return piece;
  }
}

function schedule(queue: ParseQueue): void {
  if (!queue.isWaiting) waiting.push(queue);
  queue.isWaiting = true;
  if (scheduled) return;
  scheduled = true;
  setImmediate(turn);
}

function turn(): void {
  const deadline = performance.now() + turnMs;
  do {
    const queue = waiting.shift();
    if (queue === undefined) break;
    queue.isWaiting = false;
    if (queue.hasWork) queue.step();
    if (queue.hasWork) schedule(queue);
  } while (performance.now() < deadline);
  scheduled = waiting.length > 0;
  if (scheduled) setImmediate(turn);
}
