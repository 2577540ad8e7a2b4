// A run's own terminal in ours: bytes both ways, nothing drawn but a one-line hint when it is asked for. It owns the
// attach stream; the terminal's modes are given back by whoever called.
import { cursorTo, eraseRight } from '../paint/escapes.ts';
import type { AttachStream, ConsoleClient } from '../ports.ts';
import type { Size } from '../screen.ts';
import { fit } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import { OutputFilter } from './output-filter.ts';
import { type PrefixKey, PrefixScanner } from './prefix-keys.ts';
import { skippedText } from './skipped-text.ts';
import { TypedInput } from './typed-input.ts';

/** Why it ended, and what the operator wants next. */
export type AttachEnd =
  | { readonly wants: 'detach' }
  | { readonly wants: 'token' }
  | { readonly wants: 'next' }
  | { readonly wants: 'previous' }
  | { readonly wants: 'scroll' }
  | { readonly wants: 'ended'; readonly reason: string };

interface AttachTerminal {
  size(): Size;
  write(bytes: string | Uint8Array): boolean;
  onResize(listener: () => void): () => void;
  takeRaw(listener: (bytes: Buffer) => void): () => void;
}

export interface AttachOptions {
  readonly client: ConsoleClient;
  readonly run: { readonly id: string; readonly label: string };
  readonly terminal: AttachTerminal;
  readonly theme: Theme;
  readonly prefix: PrefixKey;
  readonly allowClipboard: boolean;
}

/** How long a program usually takes to paint itself for a new size. */
const welcomeMs = 400;

const repaintGapMs = 150;

/** Clears what the view before left: scroll region, styles, screen. */
const clean = '\u001b[r\u001b[0m\u001b[?7h\u001b[?25h\u001b[H\u001b[2J';

export class AttachSession {
  private readonly options: AttachOptions;
  private readonly scanner: PrefixScanner;
  private readonly done = Promise.withResolvers<AttachEnd>();
  private stream: AttachStream | null = null;
  private filter: OutputFilter;
  private generation = 0;
  private hinted = false;
  private skippedBytes = 0;
  private repaintTimer: NodeJS.Timeout | null = null;
  private repaintedAt = Number.NEGATIVE_INFINITY;
  /** A snapshot goes through both screens; that is no reason for another. */
  private fromSnapshot = false;
  /** Typed before the stream was there. */
  private early: Buffer[] = [];

  constructor(options: AttachOptions) {
    this.options = options;
    this.scanner = new PrefixScanner(options.prefix);
    this.filter = this.newFilter();
  }

  /** @throws what the attach request throws, and when the host goes away. */
  async run(): Promise<AttachEnd> {
    const { terminal } = this.options;
    const input = new TypedInput((bytes) => this.typed(bytes));
    const releaseInput = terminal.takeRaw((bytes) => input.push(bytes));
    const releaseResize = terminal.onResize(() => this.resized());
    let welcome: NodeJS.Timeout | undefined;
    try {
      await this.connect();
      // After a resize the run paints itself anew; a hint before that would be gone at once.
      welcome = setTimeout(() => this.hint(), welcomeMs);
      return await this.done.promise;
    } finally {
      clearTimeout(welcome);
      if (this.repaintTimer !== null) clearTimeout(this.repaintTimer);
      releaseInput();
      input.close();
      releaseResize();
      this.generation += 1;
      this.stream?.close();
    }
  }

  private async connect(): Promise<void> {
    const { client, run, terminal } = this.options;
    const generation = ++this.generation;
    const waiting: Buffer[] = [];
    let painted = false;
    const filter = this.newFilter();
    const stream = await client.attach(run.id, 'write', terminal.size(), {
      onOutput: (bytes) => {
        if (generation !== this.generation) return;
        if (painted) this.put(bytes);
        else waiting.push(bytes);
      },
      onEvent: (event) => {
        if (generation !== this.generation || event.event !== 'skipped') return;
        this.skippedBytes += event.bytes;
        this.hint();
      },
      onEnd: (end) => {
        if (generation !== this.generation) return;
        if (end.by === 'run') this.done.resolve({ wants: 'ended', reason: end.reason });
        if (end.by === 'host') this.done.reject(end.error);
      },
    });
    if (generation !== this.generation) return stream.close();
    this.stream?.close();
    this.stream = stream;
    this.filter = filter;
    terminal.write(clean);
    this.put(Buffer.from(stream.snapshot), true);
    painted = true;
    for (const bytes of waiting) this.put(bytes);
    for (const bytes of this.early.splice(0)) stream.write(bytes);
  }

  /**
   * Paints everything again, from a new snapshot: after a hint, or when the run left its alternate screen. One at a time
   * and not more often than a person can see, since a program may switch screens in a loop.
   */
  private repaint(): void {
    if (this.repaintTimer !== null) return;
    const wait = Math.max(0, this.repaintedAt + repaintGapMs - performance.now());
    this.repaintTimer = setTimeout(() => {
      this.repaintTimer = null;
      this.repaintedAt = performance.now();
      this.connect().catch(this.done.reject);
    }, wait);
  }

  private put(bytes: Buffer, snapshot = false): void {
    this.fromSnapshot = snapshot;
    const passed = this.filter.push(bytes);
    this.fromSnapshot = false;
    if (passed.length > 0) this.options.terminal.write(passed);
  }

  private newFilter(): OutputFilter {
    return new OutputFilter({
      allowClipboard: this.options.allowClipboard,
      onAlternate: (state) => {
        if (state === 'left' && !this.fromSnapshot) this.repaint();
      },
    });
  }

  private typed(bytes: Buffer): void {
    for (const passed of this.scanner.push(bytes)) {
      if (passed.kind === 'bytes') {
        this.clearHint();
        this.send(passed.bytes);
      } else if (passed.kind === 'prefix') this.hint();
      else this.command(passed.key);
    }
  }

  private command(key: string): void {
    const ends: Readonly<Record<string, AttachEnd>> = {
      d: { wants: 'detach' },
      t: { wants: 'token' },
      n: { wants: 'next' },
      p: { wants: 'previous' },
      '[': { wants: 'scroll' },
    };
    const end = ends[key];
    if (end !== undefined) this.done.resolve(end);
    else {
      if (key === 'prefix') this.send(Buffer.from([this.options.prefix.byte]));
      this.clearHint();
    }
  }

  private send(bytes: Buffer): void {
    if (this.stream === null) this.early.push(Buffer.from(bytes));
    else this.stream.write(bytes);
  }

  private resized(): void {
    const { cols, rows } = this.options.terminal.size();
    this.hinted = false;
    void this.stream?.resize(cols, rows).catch(() => {});
  }

  private hint(): void {
    const { terminal, theme, prefix, run } = this.options;
    const { cols, rows } = terminal.size();
    const skipped = this.skippedBytes === 0 ? '' : `${skippedText(this.skippedBytes)} · `;
    const text = ` ${run.label} · ${skipped}${prefix.name}: d detach  t token  n p others needing me  [ scroll  ${prefix.name} itself`;
    this.hinted = true;
    // Saved and restored around it: the run's own cursor and style stay as they are.
    terminal.write(
      `\u001b7\u001b[?6l${cursorTo(rows - 1, 0)}\u001b[0m${theme.bar(fit(text, cols - 1))}${eraseRight}\u001b8`,
    );
  }

  private clearHint(): void {
    if (!this.hinted) return;
    this.hinted = false;
    this.repaint();
  }
}
