// What has scrolled off an attached run's screen: the end of its recording, written into a terminal with much scrollback.
// It stands still while the run goes on; leaving it attaches again.
import type { InputEvent } from '../input/keys.ts';
import { failureText } from '../prompt/failure.ts';
import { ScrollText } from '../run/scroll-text.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';

/** How far back: plays in about 100 ms, and is some thousand rows of an agent's output. */
const backBytes = 1024 * 1024;
const scrollback = 5_000;

export interface ScrollbackOptions {
  readonly path: string;
  readonly label: string;
  readonly onLeave: () => void;
}

export class ScrollbackScreen implements Screen {
  private readonly desk: Desk;
  private readonly options: ScrollbackOptions;
  private readonly scroll: ScrollText;
  private state: string | null = 'reading the recording...';

  constructor(desk: Desk, options: ScrollbackOptions) {
    this.desk = desk;
    this.options = options;
    this.scroll = new ScrollText(desk.theme);
    void this.read();
  }

  title(): string {
    return `${this.options.label} › scrolled back`;
  }

  rows(size: Size): string[] {
    return this.state === null ? this.scroll.rows(size) : ['', this.desk.theme.quiet(` ${this.state}`)];
  }

  input(event: InputEvent): boolean {
    if (this.scroll.input(event)) return true;
    if (event.kind !== 'key' || !['q', 'escape', 'a'].includes(event.key)) return false;
    this.desk.back();
    this.options.onLeave();
    return true;
  }

  hints(): readonly Hint[] {
    return [
      { key: 'k C-u g', does: 'back' },
      { key: 'j C-d G', does: 'forward' },
      { key: '/ n N', does: 'search' },
      { key: 'q', does: 'attach again' },
    ];
  }

  private async read(): Promise<void> {
    try {
      const rows = await lastRows(this.options.path);
      this.scroll.set(() => rows);
      this.scroll.scrollTo(Number.MAX_SAFE_INTEGER);
      this.state = null;
    } catch (error) {
      this.state = failureText(error);
    }
    this.desk.repaintSoon(0);
  }
}

async function lastRows(path: string): Promise<readonly string[]> {
  const { createScreen } = await import('../../terminal/screen.ts');
  const { CastFile } = await import('../../recording/reader.ts');
  const { indexPathOf, readIndex } = await import('../../recording/seek-index.ts');
  const { catchUp, keyframeBefore, restoreKeyframe } = await import('../../recording/replay-into.ts');
  using file = new CastFile(path);
  const { keyframes } = readIndex(indexPathOf(path), file.size);
  const { cols, rows } = file.header;
  const screen = createScreen({ cols, rows, scrollback });
  try {
    screen.live = false;
    const from = restoreKeyframe(screen, file, keyframeBefore(keyframes, file.size, backBytes));
    await catchUp({ file, screen, from });
    const all = screen.styledRows({ from: -scrollback, count: scrollback + screen.rows }).map((row) => row.ansi);
    const filled = (row: string) => row !== '';
    return all.slice(Math.max(0, all.findIndex(filled)), all.findLastIndex(filled) + 1);
  } finally {
    screen.dispose();
  }
}
