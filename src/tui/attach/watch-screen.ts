// A run's live terminal, read-only, inside the console's frame. It emulates the run at the run's own size and never
// resizes it. Scrolled back it stays where it is while the run goes on writing, and says so.
import type { RunSummary } from '../../core/run.ts';
import { inertLine } from '../../core/inert.ts';
import type { Screen as Emulator } from '../../terminal/screen.ts';
import type { InputEvent } from '../input/keys.ts';
import { failureText } from '../prompt/failure.ts';
import type { AttachStream, ConsoleClient } from '../ports.ts';
import type { RunActions } from '../run-actions.ts';
import { ScrollText } from '../run/scroll-text.ts';
import { skippedText } from './skipped-text.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';
import { fit } from '../text/cells.ts';

/** Rows kept above the screen while watching; the replay has all of them. */
const scrollback = 1000;

export class WatchScreen implements Screen {
  private readonly desk: Desk;
  private readonly actions: RunActions;
  private readonly target: RunSummary;
  private readonly onFailed: (error: unknown) => void;
  private readonly scroll: ScrollText;
  private stream: AttachStream | null = null;
  private emulator: Emulator | null = null;
  private isClosed = false;
  private armed = false;
  private follow = true;
  private state = 'connecting...';
  private refused = false;
  private skippedBytes = 0;

  /** `onFailed`: it could not be connected; the screen says so too. */
  constructor(
    desk: Desk,
    actions: RunActions,
    target: RunSummary,
    client: ConsoleClient | null,
    onFailed: (error: unknown) => void = () => {},
  ) {
    this.desk = desk;
    this.actions = actions;
    this.target = target;
    this.onFailed = onFailed;
    this.scroll = new ScrollText(desk.theme);
    void this.connect(client);
  }

  title(): string {
    return `${this.target.task.id} › watch`;
  }

  run(): RunSummary {
    return this.desk.feed.get(this.target.id) ?? this.target;
  }

  closed(): void {
    this.isClosed = true;
    this.stream?.close();
    this.emulator?.dispose();
    this.emulator = null;
  }

  rows(size: Size): string[] {
    const { emulator } = this;
    if (emulator === null) return ['', this.desk.theme.quiet(` ${this.state}`)];
    const height = Math.max(1, size.rows - 1);
    const body = this.follow
      ? this.liveRows(emulator, size.cols, height)
      : this.scrolledRows(emulator, size.cols, height);
    while (body.length < height) body.push('');
    return [...body, this.statusRow(emulator, size.cols)];
  }

  input(event: InputEvent): boolean {
    if (this.scroll.searching()) return this.scroll.input(event);
    if (event.kind === 'paste') {
      this.refused = true;
      return true;
    }
    this.refused = false;
    const { key } = event;
    if (key === 'C-]') {
      this.armed = true;
      return true;
    }
    const prefixed = this.armed;
    this.armed = false;
    if (key === 'd' || key === 'q' || key === 'escape') return this.leave();
    if (key === 't' || key === 'a' || key === 'T' || key === 'enter' || key === 'y' || key === 'r')
      return this.actions.key(key, this.run());
    if (key === 'n' && (prefixed || this.follow)) return this.other(1);
    if ((key === 'p' || key === 'N') && (prefixed || this.follow)) return this.other(-1);
    return this.scrollKey(event, key);
  }

  hints(): readonly Hint[] {
    if (this.armed)
      return [
        { key: 'd', does: 'leave' },
        { key: 't', does: 'token' },
        { key: 'n p', does: 'next, previous needing me' },
      ];
    const scrolled: Hint[] = this.follow ? [] : [{ key: 'G', does: 'follow again' }];
    return [
      ...scrolled,
      { key: 'k C-u [', does: 'scroll back' },
      { key: '/', does: 'search' },
      { key: 'a', does: 'attach to type' },
      { key: 't', does: 'token' },
      { key: 'n p', does: 'next/previous needing me' },
      { key: 'q', does: 'leave' },
    ];
  }

  private scrollKey(event: InputEvent, key: string): boolean {
    if (key === 'G' || key === 'end') {
      this.follow = true;
      return true;
    }
    const starts = ['k', 'up', 'C-u', 'pageup', 'g', 'home', '[', '/'].includes(key);
    if (this.follow) {
      if (!starts) return false;
      this.follow = false;
      this.scroll.scrollTo(Number.MAX_SAFE_INTEGER);
      this.rows({ cols: this.desk.size().cols, rows: Math.max(2, this.desk.size().rows - 2) });
      if (key === '[') return true;
    }
    return this.scroll.input(event);
  }

  private leave(): boolean {
    this.desk.back();
    return true;
  }

  private other(by: 1 | -1): boolean {
    this.actions.watchOther(this.target, by);
    return true;
  }

  /** The rows around the cursor when the run's screen is taller than the window. */
  private liveRows(emulator: Emulator, cols: number, height: number): string[] {
    const rows = emulator.styledRows({ width: cols });
    if (rows.length <= height) return rows.map((row) => row.ansi);
    const top = Math.max(0, Math.min(emulator.cursor.y - height + 2, rows.length - height));
    return rows.slice(top, top + height).map((row) => row.ansi);
  }

  private scrolledRows(emulator: Emulator, cols: number, height: number): string[] {
    this.scroll.set((width) => {
      const all = emulator
        .styledRows({ width, from: -scrollback, count: scrollback + emulator.rows })
        .map((row) => row.ansi);
      const first = all.findIndex((row) => row !== '');
      return first === -1 ? [] : all.slice(first);
    });
    return this.scroll.rows({ cols, rows: height });
  }

  private statusRow(emulator: Emulator, cols: number): string {
    const { theme } = this.desk;
    const clipped = emulator.cols > cols ? ` · the window shows ${cols} of its ${emulator.cols} columns` : '';
    const mode = this.follow ? theme.live('following') : theme.attention('scrolled back; the run goes on below');
    const refused = this.refused ? theme.bad(' · read-only: a paste goes nowhere') : '';
    const skipped = this.skippedBytes === 0 ? '' : theme.attention(` · ${skippedText(this.skippedBytes)}`);
    const title = emulator.title === '' ? '' : ` · ${inertLine(emulator.title)}`;
    return theme.bar(
      fit(
        ` watching, read-only · ${mode} · ${emulator.cols}x${emulator.rows}${skipped}${clipped}${title}${this.state === '' ? '' : ` · ${this.state}`}${refused}`,
        cols,
      ),
    );
  }

  private async connect(client: ConsoleClient | null): Promise<void> {
    if (client === null) {
      this.state = 'the host does not answer';
      return;
    }
    try {
      const { createScreen } = await import('../../terminal/screen.ts');
      const early: Buffer[] = [];
      const stream = await client.attach(this.target.id, 'read', this.desk.size(), {
        onOutput: (bytes) => {
          if (this.emulator === null) early.push(bytes);
          else this.emulator.write(bytes, () => this.desk.repaintSoon());
        },
        onEvent: (event) => {
          if (event.event === 'resized') this.emulator?.resize(event.cols, event.rows);
          if (event.event === 'skipped') this.skippedBytes += event.bytes;
        },
        onEnd: (end) => {
          this.state = end.by === 'run' ? end.reason : end.by === 'host' ? failureText(end.error) : '';
          this.desk.repaintSoon();
        },
      });
      if (this.isClosed) return stream.close();
      this.stream = stream;
      const emulator = createScreen({ cols: stream.cols, rows: stream.rows, scrollback });
      emulator.live = false;
      emulator.writeNow(stream.snapshot);
      for (const bytes of early) emulator.writeNow(bytes);
      this.emulator = emulator;
      this.state = '';
    } catch (error) {
      this.state = failureText(error);
      this.onFailed(error);
    }
    this.desk.repaintSoon();
  }
}
