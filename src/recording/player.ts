// Plays one recording on a screen of its own. Owns the open file and one timer; draws nothing: whoever shows it is told
// `onChange` and looks at `screen`. The clock is given, so that an hour can be played in a test.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createScreen, type Screen } from '../terminal/screen.ts';
import type { CastEvent, CastHeader } from './cast.ts';
import { surveyRecording } from './overview.ts';
import { CastFile, type Position } from './reader.ts';
import { applyEvent, catchUp, keyframeBefore, restoreKeyframe } from './replay-into.ts';
import { type SearchHit, type SearchOptions, searchRecording } from './search.ts';
import { indexPathOf, type Keyframe, type Mark, MemoryIndex, readIndex } from './seek-index.ts';

export interface PlayerClock {
  now(): number;
  /** @returns how to cancel it. */
  after(delayMs: number, action: () => void): () => void;
}

export interface PlayerOptions {
  readonly clock?: PlayerClock;
  readonly onChange?: () => void;
  /** It plays no further, and stands where it got to: a line that is no event. What is asked for in vain throws by itself. */
  readonly onStuck?: (error: unknown) => void;
  /** Where the seek index is; default: next to the recording. */
  readonly indexPath?: string;
}

type Target = { readonly timeMs: number } | { readonly offset: number };

const systemClock: PlayerClock = {
  now: () => performance.now(),
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};

/** While nothing happens the shown time still moves. */
const longestTickMs = 100;
/** Going back to a mark that was passed just now means the one before it. */
const justPassedMs = 1_000;
const speeds = [0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;

export class Player implements AsyncDisposable {
  readonly header: CastHeader;
  readonly screen: Screen;
  /** Settles when every moment can be reached quickly. */
  readonly indexed: Promise<void>;
  private readonly file: CastFile;
  private readonly clock: PlayerClock;
  private readonly onChange: () => void;
  private readonly onStuck: (error: unknown) => void;
  private readonly index: MemoryIndex;
  private readonly closing = new AbortController();
  private end: Position;
  private position: Position;
  private now: number;
  private upcoming: CastEvent[] = [];
  private batches: Generator<CastEvent[]> | null = null;
  private factor = 1;
  private idleLimit: number | null = null;
  private anchor: { real: number; time: number } | null = null;
  private cancelTick: (() => void) | null = null;
  private seeks = 0;

  /** @throws GatehouseError `file.unreadable`. */
  static async open(path: string, options: PlayerOptions = {}): Promise<Player & AsyncDisposable> {
    const file = new CastFile(path);
    try {
      const indexPath = options.indexPath ?? indexPathOf(path);
      const index = new MemoryIndex(readIndex(indexPath, file.size));
      const { end, marks } = await surveyRecording(file, index);
      for (const mark of marks) index.mark(mark);
      return new Player(file, index, end, indexPath, options);
    } catch (error) {
      file.close();
      throw error;
    }
  }

  private constructor(file: CastFile, index: MemoryIndex, end: Position, indexPath: string, options: PlayerOptions) {
    this.file = file;
    this.header = file.header;
    this.index = index;
    this.end = end;
    this.clock = options.clock ?? systemClock;
    this.onChange = options.onChange ?? (() => undefined);
    this.onStuck = options.onStuck ?? (() => undefined);
    this.screen = createScreen({ cols: file.header.cols, rows: file.header.rows });
    this.screen.live = false;
    this.position = file.start;
    this.now = 0;
    this.indexed = this.completeIndex(indexPath);
  }

  get durationMs(): number {
    return this.end.timeMs;
  }

  get timeMs(): number {
    return this.now;
  }

  /** The byte offset that the screen shows. */
  get offset(): number {
    return this.position.offset;
  }

  get isPlaying(): boolean {
    return this.anchor !== null;
  }

  get speed(): number {
    return this.factor;
  }

  /** Longer pauses are cut to this; null: all are played as they were. */
  get idleLimitMs(): number | null {
    return this.idleLimit;
  }

  get marks(): readonly Mark[] {
    return this.index.marks;
  }

  play(): void {
    if (this.isPlaying) return;
    this.anchor = { real: this.clock.now(), time: this.now };
    this.tick();
  }

  pause(): void {
    if (!this.isPlaying) return;
    this.playOn();
    this.stop();
    this.onChange();
  }

  setSpeed(factor: number): void {
    this.reanchor(() => (this.factor = factor));
  }

  /** One step faster or slower. */
  changeSpeed(direction: 1 | -1): void {
    const at = speeds.findIndex((each) => each >= this.factor);
    this.setSpeed(speeds[Math.max(0, Math.min(speeds.length - 1, at + direction))] ?? 1);
  }

  setIdleLimit(limitMs: number | null): void {
    this.reanchor(() => (this.idleLimit = limitMs));
  }

  /** Shows the moment `timeMs`, everything that happened at it included. A newer seek makes an older one give up. */
  seek(timeMs: number): Promise<void> {
    const target = Math.max(0, Math.min(timeMs, this.end.timeMs));
    const start = this.index.keyframes.findLast((keyframe) => keyframe.timeMs <= target) ?? null;
    return this.goTo(start, { timeMs: target });
  }

  seekBy(deltaMs: number): Promise<void> {
    return this.seek((this.isPlaying ? this.playTime() : this.now) + deltaMs);
  }

  /** Shows everything up to a byte offset, as marks and search hits name it. */
  seekOffset(offset: number): Promise<void> {
    return this.goTo(keyframeBefore(this.index.keyframes, offset), { offset });
  }

  /** One change of the screen forwards or backwards. */
  async step(direction: 1 | -1): Promise<void> {
    this.stop();
    if (direction === 1) this.stepForward();
    else await this.seekOffset(this.offsetBeforeLastChange());
    this.onChange();
  }

  /** To the next or previous mark. @returns false when there is none. */
  async jump(direction: 1 | -1): Promise<boolean> {
    const { offset } = this.position;
    const before = this.now - (this.isPlaying ? justPassedMs : 0);
    const mark =
      direction === 1
        ? this.marks.find((each) => each.offset > offset)
        : this.marks.findLast((each) => each.offset < offset && each.timeMs <= before);
    if (mark === undefined) return false;
    await this.seekOffset(mark.offset);
    return true;
  }

  search(text: string, options: SearchOptions = {}): Promise<SearchHit[]> {
    return searchRecording(this.file, text, options);
  }

  /** A recording that is still being written has grown. */
  async refresh(): Promise<void> {
    const { end, marks } = await surveyRecording(this.file, this.index);
    for (const mark of marks) this.index.mark(mark);
    this.end = end;
    this.batches = null;
    this.upcoming = [];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop();
    this.seeks += 1;
    this.closing.abort();
    await this.indexed;
    this.screen.dispose();
    this.file.close();
  }

  private tick(): void {
    this.cancelTick = null;
    if (this.anchor === null) return;
    const next = this.playOn();
    if (next === null) this.stop();
    else {
      const wait = Math.max(0, (next.timeMs - this.now) / this.factor);
      this.cancelTick = this.clock.after(Math.min(wait, longestTickMs), () => this.tick());
    }
    this.onChange();
  }

  /** Shows what is due by now. @returns what comes next; null at the end. */
  private playOn(): CastEvent | null {
    try {
      this.skipIdle();
      this.advanceTo(this.playTime());
      return this.peek();
    } catch (error) {
      this.onStuck(error);
      return null;
    }
  }

  private playTime(): number {
    if (this.anchor === null) return this.now;
    return Math.min(this.end.timeMs, this.anchor.time + (this.clock.now() - this.anchor.real) * this.factor);
  }

  /** The rest of a long pause is jumped over once its allowed part has been played. */
  private skipIdle(): void {
    const next = this.peek();
    if (this.anchor === null || this.idleLimit === null || next === null) return;
    const playedMs = this.playTime() - this.position.timeMs;
    const gapMs = next.timeMs - this.position.timeMs;
    if (gapMs > this.idleLimit && playedMs >= this.idleLimit) this.anchor.time += Math.max(0, gapMs - playedMs);
  }

  private advanceTo(timeMs: number): void {
    for (let next = this.peek(); next !== null && next.timeMs <= timeMs; next = this.peek()) this.applyNext(next);
    this.screen.writeNow('');
    this.now = timeMs;
  }

  private stepForward(): void {
    for (let next = this.peek(); next !== null; next = this.peek()) {
      this.applyNext(next);
      this.now = next.timeMs;
      if (changesScreen(next)) break;
    }
    this.screen.writeNow('');
  }

  /** The end of what came before the last change that is shown now. */
  private offsetBeforeLastChange(): number {
    const { offset } = this.position;
    for (let start = keyframeBefore(this.index.keyframes, offset - 1); ; ) {
      const from = start ?? this.file.start;
      let before: number | null = null;
      for (const batch of this.file.batches(from, offset)) {
        for (const event of batch) if (event.end <= offset && changesScreen(event)) before = event.offset;
      }
      if (before !== null || start === null) return before ?? this.file.start.offset;
      start = keyframeBefore(this.index.keyframes, from.offset - 1);
    }
  }

  private async goTo(keyframe: Keyframe | null, target: Target): Promise<void> {
    this.seeks += 1;
    const mine = this.seeks;
    const wasPlaying = this.isPlaying;
    this.stop();
    const here = this.position;
    const isAhead = 'offset' in target ? target.offset >= here.offset : target.timeMs >= here.timeMs;
    // Going on from what is shown is cheaper, unless a keyframe lies in between.
    if (!isAhead || (keyframe !== null && keyframe.offset > here.offset)) {
      this.moveTo(restoreKeyframe(this.screen, this.file, keyframe));
    }
    const belongs = (event: CastEvent): boolean =>
      'offset' in target ? event.end <= target.offset : event.timeMs <= target.timeMs;
    let played = this.position.offset;
    for (let event = this.peek(); event !== null && belongs(event); event = this.peek()) {
      this.applyNext(event);
      if (this.position.offset - played < yieldEveryBytes) continue;
      played = this.position.offset;
      await nextTurn();
      if (mine !== this.seeks) return;
    }
    this.screen.writeNow('');
    this.now = 'offset' in target ? this.position.timeMs : target.timeMs;
    if (wasPlaying) this.play();
    else this.onChange();
  }

  private moveTo(position: Position): void {
    this.position = position;
    this.batches = null;
    this.upcoming = [];
  }

  private peek(): CastEvent | null {
    while (this.upcoming.length === 0) {
      this.batches ??= this.file.batches(this.position, this.end.offset);
      const batches = this.batches;
      // One that has failed is over; whoever asks again has to hear the same.
      this.batches = null;
      const batch = batches.next();
      this.batches = batches;
      if (batch.done === true) return null;
      this.upcoming = batch.value.toReversed();
    }
    return this.upcoming.at(-1) ?? null;
  }

  private applyNext(event: CastEvent): void {
    this.upcoming.pop();
    applyEvent(this.screen, event);
    this.position = { offset: event.end, timeMs: event.timeMs };
  }

  private reanchor(change: () => void): void {
    const wasPlaying = this.isPlaying;
    if (wasPlaying) this.pause();
    change();
    if (wasPlaying) this.play();
    else this.onChange();
  }

  private stop(): void {
    this.cancelTick?.();
    this.cancelTick = null;
    this.anchor = null;
  }

  /** Makes what the index lacks, in the background, and keeps it for the next time. */
  private async completeIndex(path: string): Promise<void> {
    const last = this.index.keyframes.at(-1) ?? null;
    if (!this.index.isDue(this.end.offset)) return;
    const screen = createScreen({ cols: this.header.cols, rows: this.header.rows, scrollback: 0 });
    try {
      const from = restoreKeyframe(screen, this.file, last);
      await catchUp({
        file: this.file,
        screen,
        from,
        to: this.end.offset,
        index: this.index,
        signal: this.closing.signal,
      });
      if (last === null) this.index.save(path);
    } catch {
      // Closed meanwhile, a place that cannot be written, a damaged recording: seeking stays as slow as it was.
    } finally {
      screen.dispose();
    }
  }
}

/** About 20 ms of playing. */
const yieldEveryBytes = 256 * 1024;

function changesScreen(event: CastEvent): boolean {
  return event.code === 'o' || event.code === 'r';
}
