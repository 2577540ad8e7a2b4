// The agent's terminal: what it shows, what is typed to it. Owns standard input and output; knows nothing about the work.
import { Composer } from './screen/composer.ts';
import { escapeWaitMs, type Key, KeyDecoder } from './screen/keys.ts';
import { type RegionState, Screen, styles } from './screen/screen.ts';
import type { TruthLog } from './truth.ts';

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** Eight frames a second look alive and cost some 60 bytes each. */
const spinnerMs = 125;
const exitWindowMs = 2_000;
/** Lines of a tool's output that are shown; the rest is counted. */
const shownLines = 6;
/** Words of an answer appear in groups of this many. */
const streamedWords = 3;

export interface BodyEvents {
  readonly onMessage: (text: string, via: 'typed' | 'pasted') => void;
  readonly onInterrupt: () => void;
  readonly onExit: (reason: string) => void;
}

export interface BodyOptions {
  readonly name: string;
  readonly tempoMs: number;
  readonly truth: TruthLog;
}

interface Dialog {
  readonly tool: string;
  readonly command: string;
  selected: number;
  readonly answer: (approved: boolean) => void;
}

export class Body {
  private readonly screen = new Screen(process.stdout);
  private readonly composer = new Composer();
  private readonly keys = new KeyDecoder();
  private readonly options: BodyOptions;
  private readonly events: BodyEvents;
  private dialog: Dialog | null = null;
  private busy: { text: string; since: number } | null = null;
  private liveLine: string | null = null;
  private hint: string;
  private frame = 0;
  private spin: NodeJS.Timeout | null = null;
  private escapeTimer: NodeJS.Timeout | null = null;
  private exitArmedAt = 0;

  constructor(options: BodyOptions, events: BodyEvents) {
    this.options = options;
    this.events = events;
    this.hint = `scripted agent · ${options.name}`;
  }

  open(banner: readonly string[]): void {
    const { stdin, stdout } = process;
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.on('data', (chunk: Buffer) => this.input(chunk));
    stdin.on('end', () => this.events.onExit('the terminal is gone'));
    stdout.on('resize', () => this.draw());
    // A terminal that goes away must not end in an uncaught error.
    stdout.on('error', () => this.events.onExit('the terminal is gone'));
    this.screen.setTitle(this.title());
    this.screen.print(banner, this.region(), styles.cyan);
    this.screen.start();
  }

  close(): void {
    this.setBusy(null);
    this.screen.stop();
    process.stdin.pause();
    if (process.stdin.isTTY) process.stdin.setRawMode(false);
  }

  /** Stops reading what is typed, for good. */
  hang(): void {
    process.stdin.pause();
  }

  setBusy(text: string | null): void {
    if (text === null) {
      if (this.spin !== null) clearInterval(this.spin);
      this.spin = null;
      this.busy = null;
    } else {
      this.busy = { text, since: this.busy?.since ?? Date.now() };
      this.spin ??= setInterval(() => this.tick(), spinnerMs);
    }
    this.screen.setTitle(this.title());
    this.draw();
  }

  setTitle(title: string): void {
    this.screen.setTitle(title);
  }

  /** A message of the operator, as part of the conversation. */
  showMessage(text: string): void {
    const lines = text.split('\n');
    const shown = lines.length > 12 ? [...lines.slice(0, 11), `… ${lines.length - 11} more lines`] : lines;
    this.print(['', ...shown.map((line) => `▌ ${line}`)], styles.bold);
  }

  /** An answer, streamed at the scenario's pace. */
  async say(text: string, signal: AbortSignal): Promise<void> {
    for (const line of text.split('\n')) {
      const words = line.split(' ');
      for (let i = streamedWords; this.options.tempoMs > 0 && i < words.length; i += streamedWords) {
        this.liveLine = `● ${words.slice(0, i).join(' ')}`;
        this.draw();
        await pause(this.options.tempoMs / 10, signal);
      }
      this.liveLine = null;
      this.print([line]);
    }
  }

  print(lines: readonly string[], style = ''): void {
    this.screen.print(lines, this.region(), style);
  }

  printRaw(text: string): void {
    this.screen.printRaw(text, this.region());
  }

  showTool(name: string, command: string, output: string, result: string): void {
    const all = output.trimEnd() === '' ? [] : output.trimEnd().split('\n');
    const lines = all.slice(0, shownLines).map((line) => `│ ${printable(line)}`);
    if (all.length > shownLines) lines.push(`│ … ${all.length - shownLines} more lines`);
    this.print([
      `╭─ ${name}`,
      ...command.split('\n').map((line) => `│ $ ${printable(line)}`),
      ...lines,
      `╰─ ${result}`,
    ]);
  }

  /** Opens the permission dialog. Enter approves: what is typed while it is open may answer it. */
  ask(tool: string, command: string, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const close = (): void => {
        this.dialog = null;
        this.setBusy(this.busy?.text ?? null);
      };
      const onAbort = (): void => {
        close();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const answer = (approved: boolean): void => {
        signal.removeEventListener('abort', onAbort);
        close();
        resolve(approved);
      };
      this.dialog = { tool, command, selected: 0, answer };
      this.screen.setTitle(this.title());
      this.draw();
    });
  }

  /** Puts a text into the composer, as if somebody had typed it and not sent it. */
  typeDraft(text: string): void {
    this.composer.insert(text);
    this.draw();
  }

  private input(chunk: Buffer): void {
    if (this.escapeTimer !== null) clearTimeout(this.escapeTimer);
    this.escapeTimer = null;
    for (const key of this.keys.push(chunk)) this.press(key);
    if (this.keys.waiting) {
      this.escapeTimer = setTimeout(() => this.keys.flush().forEach((key) => this.press(key)), escapeWaitMs);
    }
    this.draw();
  }

  private press(key: Key): void {
    if (this.dialog !== null) return this.pressInDialog(this.dialog, key);
    switch (key.type) {
      case 'text':
        return this.composer.insert(key.text);
      case 'paste':
        return this.composer.insert(key.text, true);
      case 'newline':
        return this.composer.insert('\n');
      case 'erase':
        return this.composer.erase();
      case 'clear':
        return void this.composer.take();
      case 'enter':
        return this.submit();
      case 'escape':
        return this.events.onInterrupt();
      case 'interrupt':
        return this.leave();
      case 'end':
        if (this.composer.text === '') this.events.onExit('Ctrl-D');
        return;
      case 'up':
      case 'down':
        return;
    }
  }

  private pressInDialog(dialog: Dialog, key: Key): void {
    switch (key.type) {
      case 'up':
      case 'down':
        dialog.selected = 1 - dialog.selected;
        return;
      case 'enter':
        return dialog.answer(dialog.selected === 0);
      case 'escape':
        return dialog.answer(false);
      case 'interrupt':
        return this.leave();
      case 'text':
        if (key.text === '1' || key.text === '2') return dialog.answer(key.text === '1');
        return this.drop(key.text);
      case 'paste':
        return this.drop(key.text);
      case 'newline':
      case 'erase':
      case 'clear':
      case 'end':
        return;
    }
  }

  private drop(text: string): void {
    this.options.truth.note({ type: 'dropped-input', bytes: Buffer.byteLength(text) });
  }

  private submit(): void {
    const via = this.composer.hasPaste ? 'pasted' : 'typed';
    const text = this.composer.take().trimEnd();
    if (text.trim() === '') return;
    if (text.trim() === '/exit') return this.events.onExit('/exit');
    this.events.onMessage(text, via);
  }

  private leave(): void {
    if (Date.now() - this.exitArmedAt < exitWindowMs) return this.events.onExit('Ctrl-C');
    this.exitArmedAt = Date.now();
    this.composer.take();
    this.hint = 'press Ctrl-C again to leave';
  }

  private tick(): void {
    this.frame += 1;
    // The title changes less often than the screen: some terminals redraw their whole tab bar for it.
    if (this.frame % 4 === 0) this.screen.setTitle(this.title());
    this.draw();
  }

  private draw(): void {
    this.screen.draw(this.region());
  }

  private title(): string {
    if (this.dialog !== null) return `! ${this.options.name}`;
    return this.busy === null ? `· ${this.options.name}` : `${this.spinnerFrame()} ${this.options.name}`;
  }

  private spinnerFrame(): string {
    return spinner[this.frame % spinner.length] ?? '⠋';
  }

  private region(): RegionState {
    const seconds = this.busy === null ? 0 : Math.floor((Date.now() - this.busy.since) / 1000);
    return {
      busy: this.busy === null ? null : `${this.spinnerFrame()} ${this.busy.text} (${seconds}s · esc to interrupt)`,
      liveLine: this.liveLine,
      dialog: this.dialog,
      composer: this.composer.lines(),
      hint: this.hint,
    };
  }
}

/** Waits, unless the turn is broken off. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    if (ms <= 0) return resolve();
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Output of programs is shown without its control characters. */
function printable(line: string): string {
  return line.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');
}
