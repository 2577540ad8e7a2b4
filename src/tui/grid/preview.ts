// Details and live screen of the run that is selected, fetched a moment after the selection rests, so that moving
// through the grid asks for nothing.
import type { RunDetail, RunSummary } from '../../core/run.ts';
import type { Desk } from '../screen.ts';

/** Longer than a held key repeats. */
const restMs = 120;

export class Preview {
  private readonly desk: Desk;
  private wanted: RunSummary | null = null;
  private live = false;
  private timer: NodeJS.Timeout | null = null;
  private watched: string | null = null;
  private fetched: { id: string; detail: RunDetail; row: RunSummary } | null = null;
  private lastScreen: { id: string; rows: readonly string[] } | null = null;
  private size = { cols: 100, rows: 24 };

  constructor(desk: Desk) {
    this.desk = desk;
  }

  /** `live`: also the rows of its screen. */
  show(run: RunSummary | null, live: boolean): void {
    this.wanted = run;
    this.live = live;
    if (run === null || !live || run.id !== this.watched) this.unwatch();
    if (run === null || this.isFresh(run)) return;
    this.schedule();
  }

  detail(id: string): RunDetail | null {
    return this.fetched?.id === id ? this.fetched.detail : null;
  }

  screen(id: string): readonly string[] | null {
    return this.lastScreen?.id === id ? this.lastScreen.rows : null;
  }

  screenChanged(run: string, rows: readonly string[]): void {
    if (run !== this.watched) return;
    this.lastScreen = { id: run, rows };
    this.desk.repaintSoon();
  }

  /** The row of a run is new: what was fetched may be old. */
  runsChanged(): void {
    const run = this.wanted === null ? undefined : this.desk.feed.get(this.wanted.id);
    if (run !== undefined) this.show(run, this.live);
  }

  /** The connection is new: nothing is watched on it. */
  reset(): void {
    this.watched = null;
    this.fetched = null;
    this.runsChanged();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.wanted = null;
    this.unwatch();
  }

  private isFresh(run: RunSummary): boolean {
    return this.fetched?.row === run && (!this.live || this.watched === run.id);
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.fetch();
    }, restMs);
  }

  private async fetch(): Promise<void> {
    const row = this.wanted;
    if (row === null) return;
    try {
      if (this.live && this.watched !== row.id) {
        this.watched = row.id;
        await this.desk.request('run.watch-screen', { run: row.id, ...this.size });
      }
      const detail = await this.desk.request('run.show', { run: row.id });
      this.fetched = { id: row.id, detail, row };
      this.desk.repaintSoon();
    } catch {
      // A run that is gone, a host that is away: the pane shows what the row says.
    }
    if (this.wanted !== null && this.wanted !== row && this.timer === null) this.schedule();
  }

  private unwatch(): void {
    const run = this.watched;
    this.watched = null;
    this.lastScreen = null;
    if (run !== null) void this.desk.request('run.unwatch-screen', { run }).catch(() => {});
  }
}
