// The screen of one run and everybody who looks at it. What is on the screen is always exactly the recording up to one
// offset: after a restart, or when live output was dropped, the rest is read from the recording, so nothing is missed.
import { existsSync } from 'node:fs';
import type { RunSummary } from '../core/run.ts';
import type { RecordPolicy } from '../core/record-policy.ts';
import { inertText } from '../core/inert.ts';
import type { Log } from '../platform/log.ts';
import type { RunPaths } from '../platform/paths.ts';
import { CastFile, type Position } from '../recording/reader.ts';
import { catchUp, keyframeBefore, keyframeOf, restoreKeyframe } from '../recording/replay-into.ts';
import { IndexWriter, readIndex } from '../recording/seek-index.ts';
import type { HolderEvent, HolderStatus, OutputFrame } from '../protocol/holder.ts';
import { type Screen, createScreen } from '../terminal/screen.ts';
import type { ReadySignal } from '../runtimes/adapter.ts';
import type { ScreenView } from '../runtimes/screen-view.ts';
import type { HolderLink } from './holder-link.ts';
import type { ClientConnection } from './client-connection.ts';
import { Viewers } from './viewers.ts';

/** Unparsed output above this stops reading from the holder, below the other it goes on; keeps the loop short in a flood. */
const highWaterBytes = 256 * 1024;
const lowWaterBytes = 64 * 1024;

export interface FeedHooks {
  readonly input: (bytes: Uint8Array) => void;
  readonly resize: (cols: number, rows: number) => Promise<void>;
  readonly changed: () => void;
  readonly record: RecordPolicy;
  readonly log: Log;
}

export class ScreenFeed {
  lastOutputAt: number | null = null;
  private screen: Screen | null = null;
  private link: HolderLink | null = null;
  /** What the screen shows: everything of the recording before it. Null before the first catching up. */
  private position: Position | null = null;
  private index: IndexWriter | null = null;
  /** Counts changes of the screen. */
  private version = 0;
  private viewed: { version: number; view: ScreenView } | null = null;
  private unparsedBytes = 0;
  private paused = false;
  /** The screen began in the middle of a session that is not recorded. */
  private isBlind = false;
  /** What arrives while the recording is being read; null when it is not. */
  private held: (() => void)[] | null = null;
  private readonly paths: RunPaths;
  private readonly hooks: FeedHooks;
  private readonly viewers: Viewers;

  constructor(run: string, paths: RunPaths, hooks: FeedHooks) {
    this.paths = paths;
    this.hooks = hooks;
    this.viewers = new Viewers(run, () => this.screen, hooks);
  }

  /** A holder is connected: brings the screen to where its recording stands, then follows. */
  async follow(link: HolderLink, status: HolderStatus): Promise<void> {
    this.link = link;
    this.held = [];
    const before = this.screen;
    const { offset, timeMs } = await link.request('subscribe', {});
    const screen = (this.screen ??= this.newScreen(status));
    try {
      await this.catchUp(screen, offset);
    } catch (error) {
      // A recording that is gone or spoilt costs the past of this screen, not the run.
      this.hooks.log.error('a recording cannot be read back', { dir: this.paths.dir, error: String(error) });
      this.position = { offset, timeMs };
    }
    const held = this.held;
    this.held = null;
    for (const step of held) step();
    if (before === null && status.session?.exit === null && this.hooks.record === 'off') await this.askToRedraw(screen);
  }

  output(frame: OutputFrame): void {
    if (this.held !== null) {
      this.held.push(() => this.output(frame));
      return;
    }
    // Equal while the disk is full: then the recording stands still, and the session does not.
    if (this.screen === null || frame.offset < (this.position?.offset ?? 0)) return;
    // Without bytes: the recording has caught up with what is on the screen already.
    if (frame.bytes.length > 0) {
      this.lastOutputAt = Date.now();
      this.viewers.output(frame.bytes);
    }
    this.parse(this.screen, frame);
  }

  event(event: HolderEvent): void {
    if (this.held !== null) {
      this.held.push(() => this.event(event));
      return;
    }
    switch (event.event) {
      case 'resized':
        this.resizeScreen(event.cols, event.rows);
        this.viewers.resized(event.cols, event.rows);
        break;
      case 'marked':
      case 'exited':
        this.mark(event);
        break;
      case 'lagged':
        if (this.link !== null)
          void this.follow(this.link, { ...this.sizeNow(), offset: event.offset } as HolderStatus).catch(
            (error: unknown) => this.hooks.log.error('catching up failed', { error: String(error) }),
          );
        break;
      case 'recording-failed':
        this.hooks.log.error('a recording cannot be written', { dir: this.paths.dir, code: event.code });
        break;
      default:
        break;
    }
  }

  attach(
    client: ClientConnection,
    mode: 'write' | 'read',
    size: { cols: number; rows: number },
  ): Promise<{ cols: number; rows: number; snapshot: string }> {
    return this.viewers.attach(client, mode, size);
  }

  async resize(cols: number, rows: number): Promise<void> {
    await this.hooks.resize(cols, rows);
  }

  watch(client: ClientConnection, size: { cols: number; rows: number }): void {
    this.viewers.watch(client, size);
  }

  unwatch(client: ClientConnection): void {
    this.viewers.unwatch(client);
  }

  /** The screen for adapters; read again only when something was written. */
  view(): ScreenView {
    const { screen } = this;
    if (screen === null) return emptyView;
    if (this.viewed?.version !== this.version) this.viewed = { version: this.version, view: viewOf(screen) };
    return this.viewed.view;
  }

  /** Nothing more will come for those who are attached. */
  over(reason: string): void {
    this.viewers.ended(reason);
  }

  /** All text on the screen. */
  text(): string {
    return this.view().rows.join('\n');
  }

  lastLine(): string {
    return inertText(this.screen?.lastLine() ?? '').trim();
  }

  size(fallback: { cols: number; rows: number }): { cols: number; rows: number } {
    return this.screen === null ? fallback : this.sizeNow();
  }

  isReady(signal: ReadySignal): boolean {
    switch (signal.kind) {
      case 'bracketed-paste':
        return (this.isBlind || this.screen?.modes.bracketedPaste) ?? false;
      case 'text':
        return signal.pattern.test(this.text());
      case 'none':
        return this.lastOutputAt !== null;
    }
  }

  recording(alive: boolean): RunSummary['recording'] {
    if (this.hooks.record === 'off' || !existsSync(this.paths.recording)) return 'missing';
    return alive ? 'recording' : 'stopped';
  }

  close(): void {
    this.viewers.ended('the host stops; the run goes on');
    this.screen?.dispose();
  }

  /**
   * Nothing of an earlier host's screen was kept. Most programs draw anew when their size changes; what modes they set
   * stays unknown, so they are taken to be ready.
   */
  private async askToRedraw({ cols, rows }: Screen): Promise<void> {
    this.isBlind = true;
    await this.hooks.resize(cols, rows - 1);
    await this.hooks.resize(cols, rows);
  }

  /** In its place among the output: what was written before wraps at the old width. */
  private resizeScreen(cols: number, rows: number): void {
    const { screen } = this;
    screen?.write('', () => {
      screen.resize(cols, rows);
      this.version++;
    });
  }

  /** Behind the output before it, so that the index stays in order. */
  private mark(event: Extract<HolderEvent, { event: 'marked' | 'exited' }>): void {
    const { offset, timeMs } = event;
    const mark =
      event.event === 'marked'
        ? ({ kind: 'marker', label: event.label } as const)
        : ({ kind: 'exit', label: String(event.exit.code ?? event.exit.signal) } as const);
    this.screen?.write('', () => this.index?.mark({ offset, timeMs, ...mark }));
  }

  private parse(screen: Screen, frame: OutputFrame): void {
    this.unparsedBytes += frame.bytes.length;
    if (this.unparsedBytes > highWaterBytes && !this.paused) {
      this.paused = true;
      this.link?.pause();
    }
    screen.write(frame.bytes, () => {
      this.unparsedBytes -= frame.bytes.length;
      const isRecorded = frame.offset > (this.position?.offset ?? 0);
      this.position = { offset: frame.offset, timeMs: frame.timeMs };
      // What is on the screen is what is recorded only where everything is.
      if (isRecorded && this.hooks.record === 'full' && this.index?.isDue(frame.offset) === true) {
        this.index.keyframe(keyframeOf(screen, this.position));
      }
      this.version++;
      if (this.paused && this.unparsedBytes < lowWaterBytes) {
        this.paused = false;
        this.link?.resume();
      }
      this.viewers.screenChanged();
      this.hooks.changed();
    });
  }

  private newScreen({ cols, rows }: Pick<HolderStatus, 'cols' | 'rows'>): Screen {
    return createScreen({
      cols,
      rows,
      // The host is the one who answers a program's queries, attached or not.
      onReply: (text) => this.hooks.input(Buffer.from(text)),
    });
  }

  /** From the nearest keyframe or from where we stand; what is read here was answered and announced when it happened. */
  private async catchUp(screen: Screen, to: number): Promise<void> {
    await screen.flush();
    using file = new CastFile(this.paths.recording);
    this.index ??= new IndexWriter(this.paths.index, file.size);
    const from =
      this.position ??
      restoreKeyframe(screen, file, keyframeBefore(readIndex(this.paths.index, file.size).keyframes, to));
    this.position = await catchUp({ file, screen, from, to, index: this.index });
    this.version++;
    this.viewers.refresh();
    this.hooks.changed();
  }

  private sizeNow(): { cols: number; rows: number } {
    return { cols: this.screen?.cols ?? 80, rows: this.screen?.rows ?? 24 };
  }
}

/** Its rows are made when somebody looks at them: to read all of them is dear, and not every adapter does. */
function viewOf(screen: Screen): ScreenView {
  const { x, y } = screen.cursor;
  let rows: string[] | null = null;
  return {
    get rows() {
      return (rows ??= screen.text());
    },
    cols: screen.cols,
    title: screen.title,
    cursor: { row: y, col: x },
    isFaint: (row, col) => screen.isFaint(row, col),
  };
}

const emptyView: ScreenView = { rows: [], cols: 0, title: '', cursor: { row: 0, col: 0 } };
