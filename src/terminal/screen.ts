// Owns one emulated terminal: what a person in front of the session would see. No PTY, no socket, no clock.
// It answers the queries of programs (there must be one answerer) and reports what they announce.
import { answerQueries } from './answers.ts';
import { limitCounts } from './count-limits.ts';
import { KeyboardTracker } from './keyboard.ts';
import { type ScreenEvent, watchNotices } from './notices.ts';
import { ParseQueue } from './parse-queue.ts';
import { buildSnapshot } from './snapshot.ts';
import { type RowRange, type StyledRow, styledRows } from './styled-rows.ts';
import type { TerminalModes } from './undo-modes.ts';
import { UnfinishedSequence } from './unfinished-sequence.ts';
import { coreOf, type CursorShape, isGround, newTerminal, type Terminal } from './xterm-internals.ts';

export interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** Rows kept above the screen; the recording has the rest. 200 cost about 1.7 MB. */
  readonly scrollback?: number;
  /** Bytes that a terminal would send to the program: the answers to its queries. */
  readonly onReply?: (text: string) => void;
  readonly onEvent?: (event: ScreenEvent) => void;
}

export interface Cursor {
  readonly x: number;
  readonly y: number;
  readonly visible: boolean;
  /** null: the terminal's own. */
  readonly shape: CursorShape | null;
  readonly blink: boolean | null;
}

export interface SnapshotOptions {
  /** Rows above the screen; default none. */
  readonly scrollback?: number;
  /**
   * What is on the screen now, and not what was written but waits. In the `done` of a write this is exactly everything up
   * to that write.
   */
  readonly parsedOnly?: boolean;
}

export interface Screen {
  readonly cols: number;
  readonly rows: number;
  readonly title: string;
  readonly modes: TerminalModes;
  readonly cursor: Cursor;
  /** About how much `write` has taken that is not on the screen yet; above 100 KB a producer should pause. */
  readonly pendingBytes: number;
  /** False while what is written is old (a recording): nothing is answered or announced again. Flush before changing it. */
  live: boolean;
  /** Takes the bytes and puts them on the screen soon; `done` once they are. */
  write(data: Uint8Array | string, done?: () => void): void;
  /** On the screen when this returns. Blocks: for replay, not for the host. */
  writeNow(data: Uint8Array | string): void;
  flush(): Promise<void>;
  /** After everything that was written before. */
  resize(cols: number, rows: number): void;
  /** Back to a new screen of this size. */
  reset(cols: number, rows: number): void;
  /** Escape text that rebuilds all that was written so far on a fresh terminal; without scrollback unless asked. */
  snapshot(options?: SnapshotOptions): string;
  styledRows(range?: RowRange): StyledRow[];
  /** Plain text of the screen, trailing blanks cut. */
  text(): string[];
  /** Is this cell drawn faint; programs draw the hint in an empty composer so. */
  isFaint(row: number, col: number): boolean;
  /** The last row that is not blank. */
  lastLine(): string;
  dispose(): void;
}

const defaultScrollback = 200;

export function createScreen(options: ScreenOptions): Screen {
  return new XtermScreen(options);
}

class XtermScreen implements Screen {
  live = true;
  private readonly terminal: Terminal;
  private readonly keyboard: KeyboardTracker;
  private readonly colors: ReadonlyMap<string, string>;
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private currentTitle = '';
  private pending = 0;
  private readonly unfinished = new UnfinishedSequence();
  private readonly queue = new ParseQueue((text) => {
    this.pending -= text.length;
    this.parse(text);
  });

  constructor({ cols, rows, scrollback = defaultScrollback, onReply, onEvent }: ScreenOptions) {
    this.terminal = newTerminal({ cols, rows, scrollback });
    limitCounts(this.terminal);
    const reply = (text: string): void => {
      if (this.live) onReply?.(text);
    };
    this.terminal.onData(reply);
    this.keyboard = new KeyboardTracker(this.terminal, reply);
    this.colors = answerQueries(this.terminal, reply);
    watchNotices(this.terminal, (event) => {
      if (event.kind === 'title') this.currentTitle = event.title;
      if (this.live) onEvent?.(event);
    });
  }

  get cols(): number {
    return this.terminal.cols;
  }

  get rows(): number {
    return this.terminal.rows;
  }

  get title(): string {
    return this.currentTitle;
  }

  get pendingBytes(): number {
    return this.pending;
  }

  get modes(): TerminalModes {
    const { modes, buffer } = this.terminal;
    const { coreMouseService, coreService } = coreOf(this.terminal);
    return {
      alternateScreen: buffer.active.type === 'alternate',
      applicationCursorKeys: modes.applicationCursorKeysMode,
      applicationKeypad: modes.applicationKeypadMode,
      bracketedPaste: modes.bracketedPasteMode,
      focusReporting: modes.sendFocusMode,
      insert: modes.insertMode,
      mouse: modes.mouseTrackingMode,
      mouseEncoding: coreMouseService.activeEncoding,
      origin: modes.originMode,
      wraparound: modes.wraparoundMode,
      cursorHidden: coreService.isCursorHidden,
      ...this.keyboard.modes,
    };
  }

  get cursor(): Cursor {
    const { active } = this.terminal.buffer;
    const { isCursorHidden, decPrivateModes } = coreOf(this.terminal).coreService;
    return {
      x: Math.min(active.cursorX, this.terminal.cols - 1),
      y: active.cursorY,
      visible: !isCursorHidden,
      shape: decPrivateModes.cursorStyle ?? null,
      blink: decPrivateModes.cursorBlink ?? null,
    };
  }

  write(data: Uint8Array | string, done?: () => void): void {
    const text = this.decode(data);
    if (text !== '') {
      this.pending += text.length;
      this.queue.push(text);
    }
    if (done !== undefined) this.queue.push(done);
  }

  writeNow(data: Uint8Array | string): void {
    const text = this.decode(data);
    this.queue.drain();
    this.parse(text);
  }

  flush(): Promise<void> {
    return new Promise((done) => this.queue.push(done));
  }

  resize(cols: number, rows: number): void {
    this.queue.drain();
    this.terminal.resize(cols, rows);
  }

  reset(cols: number, rows: number): void {
    this.decoder.decode();
    // Also ends a sequence that is under way, and resets what the trackers hold.
    this.writeNow('\x18\x1bc');
    this.terminal.reset();
    this.terminal.resize(cols, rows);
    this.currentTitle = '';
  }

  snapshot({ scrollback = 0, parsedOnly = false }: SnapshotOptions = {}): string {
    if (!parsedOnly) this.queue.drain();
    const { terminal, keyboard, colors } = this;
    const unfinished = this.unfinished.text;
    return buildSnapshot({ terminal, keyboard, colors, unfinished, title: this.currentTitle, scrollback });
  }

  styledRows(range?: RowRange): StyledRow[] {
    return styledRows(this.terminal, range);
  }

  text(): string[] {
    const { active } = this.terminal.buffer;
    return Array.from(
      { length: this.rows },
      (_, y) =>
        active
          .getLine(active.baseY + y)
          // A line keeps cells beyond the edge when its screen has become narrower.
          ?.translateToString(true, 0, this.cols)
          .trimEnd() ?? '',
    );
  }

  isFaint(row: number, col: number): boolean {
    const { active } = this.terminal.buffer;
    return (
      (active
        .getLine(active.baseY + row)
        ?.getCell(col)
        ?.isDim() || 0) !== 0
    );
  }

  lastLine(): string {
    const { active } = this.terminal.buffer;
    for (let y = active.baseY + this.rows - 1; y >= active.baseY; y -= 1) {
      const text = active.getLine(y)?.translateToString(true).trim() ?? '';
      if (text !== '') return text;
    }
    return '';
  }

  dispose(): void {
    this.queue.clear();
    this.terminal.dispose();
  }

  /** Decoded here and not by xterm, so that invalid bytes look the same live and in a replay. */
  private decode(data: Uint8Array | string): string {
    return typeof data === 'string' ? data : this.decoder.decode(data, { stream: true });
  }

  private parse(text: string): void {
    coreOf(this.terminal)._inputHandler.parse(text);
    if (isGround(this.terminal)) this.unfinished.end();
    else this.unfinished.push(text);
  }
}
