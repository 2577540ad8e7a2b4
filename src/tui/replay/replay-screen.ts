// A recording, played in the console's frame. The player owns time and screen; this shows them and takes the keys.
import type { Player } from '../../recording/player.ts';
import type { InputEvent } from '../input/keys.ts';
import { failureText } from '../prompt/failure.ts';
import { LineField } from '../prompt/line-field.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';
import { fit } from '../text/cells.ts';
import { clockText, markAt, progressRow } from './progress-bar.ts';
import { ReplaySearch } from './replay-search.ts';

/** Pauses are cut to this while idle time is skipped. */
const idleLimitMs = 2_000;
/** Smooth enough for a screen that plays, and less work than one frame per output. */
const frameMs = 40;

export interface ReplayOptions {
  readonly path: string;
  readonly label: string;
  /** Where to begin; `end` shows the last moment, for scrolling back from it. */
  readonly at?: number | 'end';
  readonly play?: boolean;
  /** It could not be opened; the screen says so too. */
  readonly onFailed?: (error: unknown) => void;
}

export class ReplayScreen implements Screen {
  private readonly desk: Desk;
  private readonly options: ReplayOptions;
  private player: Player | null = null;
  private state = 'opening the recording...';
  private isClosed = false;
  private readonly search: ReplaySearch;
  /** The text to find, while it is typed. */
  private wanted: LineField | null = null;
  private offsetTop: number | null = null;

  constructor(desk: Desk, options: ReplayOptions) {
    this.desk = desk;
    this.options = options;
    this.search = new ReplaySearch(desk);
    void this.open();
  }

  title(): string {
    return `${this.options.label} › replay`;
  }

  closed(): void {
    this.isClosed = true;
    void this.player?.[Symbol.asyncDispose]();
    this.player = null;
  }

  rows(size: Size): string[] {
    const { player } = this;
    if (player === null) return ['', this.desk.theme.quiet(` ${this.state}`)];
    const height = Math.max(1, size.rows - 2);
    const screen = player.screen.styledRows({ width: size.cols }).map((row) => row.ansi);
    const most = Math.max(0, screen.length - height);
    const top = Math.min(most, this.offsetTop ?? Math.max(0, player.screen.cursor.y - height + 2));
    const body = screen.slice(top, top + height);
    while (body.length < height) body.push('');
    const progress = { timeMs: player.timeMs, durationMs: player.durationMs, marks: player.marks };
    return [...body, progressRow(progress, size.cols, this.desk.theme), this.statusRow(player, size, markAt(progress))];
  }

  input(event: InputEvent): boolean {
    if (this.wanted !== null) return this.searchInput(this.wanted, event);
    if (event.kind === 'paste') return true;
    const { player } = this;
    if (event.key === 'q' || event.key === 'escape') {
      this.desk.back();
      return true;
    }
    return player !== null && this.key(player, event.key);
  }

  hints(): readonly Hint[] {
    if (this.wanted !== null)
      return [
        { key: 'Enter', does: 'find' },
        { key: 'Esc', does: 'leave' },
      ];
    return [
      { key: 'space', does: this.player?.isPlaying === true ? 'pause' : 'play' },
      { key: 'h l', does: '5 s' },
      { key: 'H L', does: '60 s' },
      { key: '[ ]', does: 'stage and gate' },
      { key: ', .', does: 'event' },
      { key: '< >', does: 'speed' },
      { key: 'i', does: 'skip idle' },
      { key: '0-9', does: 'tenth' },
      { key: '/ n N', does: 'find' },
      { key: 'q', does: 'leave' },
    ];
  }

  private key(player: Player, key: string): boolean {
    if (/^[0-9]$/.test(key)) return this.go(player.seek((player.durationMs * Number(key)) / 10));
    switch (key) {
      case ' ':
        if (player.isPlaying) player.pause();
        else if (player.timeMs >= player.durationMs) void this.fromTheStart(player);
        else player.play();
        return true;
      case 'h':
      case 'left':
        return this.go(player.seekBy(-5_000));
      case 'l':
      case 'right':
        return this.go(player.seekBy(5_000));
      case 'H':
        return this.go(player.seekBy(-60_000));
      case 'L':
        return this.go(player.seekBy(60_000));
      case ',':
        return this.go(player.step(-1));
      case '.':
        return this.go(player.step(1));
      case '[':
      case ']':
        return this.go(this.jump(player, key === ']' ? 1 : -1));
      case '<':
      case '>':
        player.changeSpeed(key === '>' ? 1 : -1);
        return true;
      case 'i':
        player.setIdleLimit(player.idleLimitMs === null ? idleLimitMs : null);
        return true;
      case '/':
        this.wanted = new LineField();
        return true;
      case 'n':
      case 'N':
        return this.go(this.search.next(player, key === 'n' ? 1 : -1));
      case 'g':
      case 'home':
        return this.go(player.seek(0));
      case 'G':
      case 'end':
        return this.go(this.toTheEnd(player));
      case 'j':
      case 'k':
      case 'up':
      case 'down':
        return this.pan(player, key === 'j' || key === 'down' ? 1 : -1);
      default:
        return false;
    }
  }

  /** Within a recorded screen that is taller than the window. */
  private pan(player: Player, by: number): boolean {
    const here = this.offsetTop ?? player.screen.cursor.y;
    this.offsetTop = Math.max(0, Math.min(player.screen.rows - 1, here + by));
    return true;
  }

  private async fromTheStart(player: Player): Promise<void> {
    await player.seek(0);
    player.play();
  }

  private async toTheEnd(player: Player): Promise<void> {
    await player.refresh();
    await player.seek(player.durationMs);
  }

  /** Marks at one and the same moment count as one: a jump that moves nothing is none. */
  private async jump(player: Player, by: 1 | -1): Promise<void> {
    const before = player.timeMs;
    let found = await player.jump(by);
    while (found && player.timeMs === before) found = await player.jump(by);
    if (!found) this.desk.say({ level: 'info', text: by === 1 ? 'no mark after this' : 'no mark before this' });
  }

  private searchInput(field: LineField, event: InputEvent): boolean {
    const outcome = field.input(event);
    if (outcome === 'editing') return true;
    this.wanted = null;
    if (outcome === 'entered' && field.text !== '' && this.player !== null)
      this.go(this.search.find(this.player, field.text));
    return true;
  }

  /** A seek may take a moment; when it is done the screen is painted. */
  private go(seek: Promise<void>): true {
    void seek
      .catch((error: unknown) => this.desk.say({ level: 'bad', text: failureText(error) }))
      .finally(() => this.desk.repaintSoon(0));
    return true;
  }

  private statusRow(player: Player, size: Size, mark: string): string {
    const { theme } = this.desk;
    if (this.wanted !== null) return fit(`${theme.accent('/')}${this.wanted.text}${theme.accent('▏')}`, size.cols);
    const playing = player.isPlaying
      ? theme.live('▶ playing')
      : player.timeMs >= player.durationMs
        ? '■ end'
        : '‖ paused';
    const idle = player.idleLimitMs === null ? '' : ` · idle skipped after ${clockText(player.idleLimitMs)}`;
    const { cols, rows } = player.screen;
    const clipped =
      cols > size.cols || rows > size.rows - 2
        ? theme.attention(` ${cols}x${rows}, j k move the window`)
        : ` ${cols}x${rows}`;
    return theme.bar(
      fit(` ${playing} ${player.speed}x${idle} ·${clipped}${mark === '' ? '' : ` · ${theme.bold(mark)}`}`, size.cols),
    );
  }

  private async open(): Promise<void> {
    try {
      const { Player: Opened } = await import('../../recording/player.ts');
      const player = await Opened.open(this.options.path, {
        onChange: () => this.desk.repaintSoon(frameMs),
        onStuck: (error) => this.desk.say({ level: 'bad', text: failureText(error) }),
      });
      if (this.isClosed) return void player[Symbol.asyncDispose]();
      const { at } = this.options;
      if (at !== undefined) await player.seek(at === 'end' ? player.durationMs : at);
      this.player = player;
      if (this.options.play === true) player.play();
    } catch (error) {
      this.state = failureText(error);
      this.options.onFailed?.(error);
    }
    this.desk.repaintSoon(0);
  }
}
