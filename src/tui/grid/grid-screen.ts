// The grid of all runs: selection by run id, views, filter, order.
import type { RunDetail, RunSummary } from '../../core/run.ts';
import type { InputEvent } from '../input/keys.ts';
import { ListCursor, motion } from '../list-cursor.ts';
import { LineField } from '../prompt/line-field.ts';
import type { RunActions } from '../run-actions.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';
import { cellWidth, fit } from '../text/cells.ts';
import { type Order, type View, arrange, matches, orders, views } from './arrange.ts';
import { type Layout, RowCache, headRow, layoutFor } from './columns.ts';
import { paneRows, stripRows } from './facts.ts';

/** From this width on the selected run has a pane beside the grid, below it a strip under it. */
const paneFrom = 150;
/** Fewer rows than this are all needed for the runs themselves. */
const stripFrom = 14;
/** From this height on the strip has everything the pane has. */
const largeStripFrom = 14;

export class GridScreen implements Screen {
  private readonly desk: Desk;
  private readonly actions: RunActions;
  private readonly selection = new ListCursor();
  private view: View = 'all';
  private order: Order = 'attention';
  private filter = '';
  private search: LineField | null = null;
  /** A search that is given up leads back to it. */
  private beforeSearch: string | null = null;
  private pageRows = 10;
  private visible: RunSummary[] = [];
  private ids: string[] = [];
  private arrangedFor = '';
  /** Of the visible runs, at this width. */
  private layout: Layout | null = null;
  private readonly painted = new RowCache();

  constructor(desk: Desk, actions: RunActions) {
    this.desk = desk;
    this.actions = actions;
  }

  title(): string {
    return this.view === 'all' ? '' : this.view;
  }

  run(): RunSummary | null {
    this.refresh();
    const id = this.selection.selected();
    return id === null ? null : (this.desk.feed.get(id) ?? null);
  }

  /** Makes the next run that needs a person the selected one. */
  selectRun(id: string): void {
    this.refresh();
    if (!this.visible.some((run) => run.id === id)) {
      this.view = 'all';
      this.filter = '';
      this.refresh();
    }
    this.selection.select(id);
  }

  entered(): void {
    this.desk.preview.show(this.run(), this.paneWanted());
  }

  rows(size: Size): string[] {
    this.refresh();
    const wide = size.cols >= paneFrom;
    const paneCols = wide ? Math.min(84, Math.floor(size.cols * 0.38)) : 0;
    const cols = size.cols - (wide ? paneCols + 1 : 0);
    const selected = this.run();
    const strip = wide || selected === null ? [] : this.strip(selected, size);
    const list = this.listRows({ cols, rows: size.rows - strip.length });
    if (!wide) return [...list, ...strip];
    return beside(list, this.pane(selected, { cols: paneCols, rows: size.rows }), cols, this.desk);
  }

  input(event: InputEvent): boolean {
    const used =
      this.search === null ? event.kind === 'key' && this.key(event.key) : this.searchInput(this.search, event);
    if (used) this.desk.preview.show(this.run(), this.paneWanted());
    return used;
  }

  hints(): readonly Hint[] {
    if (this.search !== null)
      return [
        { key: 'Enter', does: 'keep filter' },
        { key: 'Esc', does: 'clear' },
      ];
    return [
      { key: 'Enter', does: 'open' },
      { key: 't', does: 'token' },
      { key: 'T', does: 'send back' },
      { key: '!', does: 'next needing me' },
      { key: 'a', does: 'attach' },
      { key: 'w', does: 'watch' },
      { key: 'd', does: 'diff' },
      { key: 'e', does: 'why' },
      { key: '1-5', does: 'views' },
      { key: '/', does: 'filter' },
      { key: '?', does: 'help' },
      { key: 'q', does: 'quit' },
    ];
  }

  private key(key: string): boolean {
    this.refresh();
    const distance = motion(key, this.pageRows, this.ids.length);
    if (distance !== null) {
      this.selection.move(distance, this.ids);
      return true;
    }
    if (/^[1-5]$/.test(key)) {
      this.view = views[Number(key) - 1] ?? 'all';
      return true;
    }
    switch (key) {
      case 'o':
        this.order = orders[(orders.indexOf(this.order) + 1) % orders.length] ?? 'attention';
        this.desk.say({ level: 'info', text: `sorted by ${this.order}` });
        return true;
      case '/':
        this.search = new LineField(this.filter);
        this.beforeSearch = this.selection.selected();
        return true;
      case 'n':
      case 'N':
        return this.nextMatch(key === 'n' ? 1 : -1);
      case 'escape':
        if (this.filter === '') return false;
        this.filter = '';
        return true;
      default: {
        const run = this.run();
        return run !== null && this.actions.key(key, run);
      }
    }
  }

  /** With a filter only matches are listed, so this walks through them, around the end. */
  private nextMatch(by: number): boolean {
    const ids = this.visible
      .filter((run) => this.filter === '' || matches(run, this.filter.toLowerCase()))
      .map((run) => run.id);
    if (ids.length === 0) return true;
    const at = this.selection.settle(ids);
    this.selection.moveTo((at + by + ids.length) % ids.length, ids);
    return true;
  }

  private searchInput(field: LineField, event: InputEvent): boolean {
    const outcome = field.input(event);
    this.filter = outcome === 'cancelled' ? '' : field.text;
    if (outcome !== 'editing') this.search = null;
    if (outcome === 'cancelled' && this.beforeSearch !== null) this.selection.select(this.beforeSearch);
    return true;
  }

  private refresh(): void {
    const { feed } = this.desk;
    const key = `${feed.version} ${this.view} ${this.order} ${this.filter}`;
    if (this.arrangedFor !== key) {
      this.arrangedFor = key;
      this.visible = arrange(feed.list(), { view: this.view, order: this.order, filter: this.filter });
      this.ids = this.visible.map((run) => run.id);
      this.layout = null;
    }
    this.selection.settle(this.ids);
  }

  /** Measures every run, so it is not done again for each key. */
  private layoutAt(cols: number): Layout {
    if (this.layout?.cols !== cols) this.layout = layoutFor(cols, this.visible);
    return this.layout;
  }

  private listRows(size: Size): string[] {
    const { theme } = this.desk;
    const layout = this.layoutAt(size.cols);
    const status = this.statusRows(size.cols);
    const height = Math.max(1, size.rows - status.length - 1);
    this.pageRows = height;
    const top = this.selection.windowTop(height, this.visible.length);
    const window = this.visible.slice(top, top + height);
    const rows = window.map((run) => this.row(run, layout));
    const head = fit(headRow(layout, theme), size.cols);
    if (this.visible.length === 0) rows.push(`  ${theme.quiet(this.emptyText())}`);
    while (rows.length < height) rows.push('');
    return [...status, withPosition(head, top, window.length, this.visible.length, size.cols, this.desk), ...rows];
  }

  private row(run: RunSummary, layout: Layout): string {
    const { theme } = this.desk;
    return this.painted.row(run, run.id === this.selection.selected(), layout, theme, this.desk.now());
  }

  private statusRows(cols: number): string[] {
    const { theme } = this.desk;
    if (this.search !== null) return [fit(` ${theme.accent('/')}${this.search.text}${theme.accent('▏')}`, cols)];
    const facts: string[] = [];
    if (this.view !== 'all') facts.push(`view ${theme.bold(this.view)}`);
    if (this.order !== 'attention') facts.push(`sorted by ${theme.bold(this.order)}`);
    if (this.filter !== '') facts.push(`filter ${theme.bold(`/${this.filter}`)} (Esc clears)`);
    return facts.length === 0 ? [] : [fit(` ${facts.join(theme.quiet(' · '))}`, cols)];
  }

  private emptyText(): string {
    const { feed } = this.desk;
    if (feed.link.state === 'connecting') return 'asking the host for its runs...';
    if (feed.counts().all === 0) return 'no runs yet: gatehouse start TASK.md --repo DIR (or gatehouse demo)';
    if (this.filter !== '') return `no run matches "${this.filter}" here`;
    return this.view === 'needs me' ? 'nothing needs you' : `no run in view "${this.view}"`;
  }

  private pane(run: RunSummary | null, size: Size): string[] {
    if (run === null) return [];
    const detail: RunDetail | null = this.desk.preview.detail(run.id);
    return paneRows(run, detail, this.desk.preview.screen(run.id), size, this.desk.theme);
  }

  /** Four rows at the least; what the runs leave free goes to the selected one. */
  private strip(run: RunSummary, size: Size): string[] {
    if (size.rows < stripFrom) return [];
    const free = size.rows - this.visible.length - 3;
    if (free < largeStripFrom) return stripRows(run, size.cols, this.desk.theme);
    return this.pane(run, { cols: size.cols, rows: free });
  }

  /** Whether there is room to show the live screen of the selected run. */
  private paneWanted(): boolean {
    const { cols, rows } = this.desk.size();
    return cols >= paneFrom || rows - this.visible.length - 5 >= largeStripFrom;
  }
}

function beside(left: readonly string[], right: readonly string[], cols: number, desk: Desk): string[] {
  const bar = desk.theme.quiet('│');
  return left.map((row, y) => `${fit(row, cols)}${bar}${right[y] ?? ''}`);
}

/** Says in the head row that there is more than is shown. */
function withPosition(head: string, top: number, shown: number, count: number, cols: number, desk: Desk): string {
  if (count <= shown) return head;
  const text = ` ${top + 1}-${top + shown} of ${count} `;
  return fit(fit(head, cols - cellWidth(text)) + desk.theme.attention(text), cols);
}
