// The grid's columns by width of the window. Pure: a run and a width give one row of exactly that many cells.
import type { RunSummary } from '../../core/run.ts';
import { inertLine } from '../../core/inert.ts';
import { cellWidth, fit } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import * as label from './labels.ts';

interface Column {
  readonly head: string;
  readonly width: number;
  /** The column appears from this width on. */
  readonly from: number;
  readonly align?: 'right';
  readonly text: (run: RunSummary, theme: Theme, now: number) => string;
}

export interface Layout {
  readonly cols: number;
  readonly columns: readonly Column[];
  /** Equal for layouts that place every cell alike. */
  readonly signature: string;
}

const stageWidth = 10;
const tokenMax = 22;
const titleLeast = 36;
const titleMost = 64;
const lastLineLeast = 16;
const gap = 1;
const stageWordFrom = 136;
const priorityFrom = 150;
const barCells = (cols: number) => (cols < 136 ? 5 : 10);

export function layoutFor(cols: number, runs: readonly RunSummary[]): Layout {
  const contents = runs.map(measure);
  const ids = widest(
    contents.map((content) => content.id),
    5,
    cols < 100 ? 8 : 14,
  );
  const waits = widest(
    contents.map((content) => content.waits),
    6,
    cols < 90 ? 20 : tokenMax,
  );
  const all: Column[] = [
    { head: '', width: 1, from: 0, text: (run, theme) => label.markOf(run, theme) },
    { head: 'TASK', width: ids, from: 0, text: (run, theme) => theme.bold(inertLine(run.task.id)) },
    { head: 'TITLE', width: 0, from: 24, text: (run, theme) => titleCell(run, theme, cols) },
    { head: 'PRI', width: 6, from: priorityFrom, text: (run, theme) => label.priorityOf(run, theme) },
    { head: 'AGENT', width: 8, from: 104, text: (run, theme) => theme.quiet(label.agentOf(run)) },
    { head: 'BOX', width: 6, from: 130, text: (run, theme) => label.sandboxOf(run, theme) },
    {
      head: 'STAGE',
      width: 6 + barCells(cols),
      from: 60,
      text: (run, theme) => stageCell(run, theme, cols),
    },
    {
      head: '',
      width: stageWidth,
      from: stageWordFrom,
      text: (run, theme) => label.stageStyle(run, theme)(label.stageWord(run)),
    },
    { head: 'REV', width: 3, from: 66, align: 'right', text: (run, theme) => label.reviewsOf(run, theme) },
    { head: 'WAITS FOR', width: waits, from: 76, text: (run, theme) => waitsCell(run, theme) },
    { head: 'ACTIVITY', width: 10, from: 44, text: (run, theme) => label.activityOf(run, theme) },
    {
      head: 'AGE',
      width: 4,
      from: 38,
      align: 'right',
      text: (run, theme, now) => theme.quiet(label.stageAge(run, now)),
    },
  ];
  const columns = shareRest(
    all.filter((column) => cols >= column.from),
    cols,
    widest(
      contents.map((content) => content.title),
      0,
      titleMost,
    ),
  );
  return { cols, columns, signature: `${cols}:${columns.map((column) => column.width).join(',')}` };
}

export function headRow(layout: Layout, theme: Theme): string {
  const cells = layout.columns.map((column) => fit(column.head, column.width, column.align));
  return theme.quiet(fit(`  ${cells.join(' ')}`, layout.cols));
}

/** A row is made anew only when its run, its place in the layout or its age has changed. */
export class RowCache {
  private readonly rows = new WeakMap<RunSummary, { key: string; row: string }>();

  row(run: RunSummary, selected: boolean, layout: Layout, theme: Theme, now: number): string {
    const key = `${selected ? 1 : 0} ${label.stageAge(run, now)} ${layout.signature}`;
    const known = this.rows.get(run);
    if (known?.key === key) return known.row;
    const row = runRow(run, selected, layout, theme, now);
    this.rows.set(run, { key, row });
    return row;
  }
}

function runRow(run: RunSummary, selected: boolean, layout: Layout, theme: Theme, now: number): string {
  const cells = layout.columns.map((column) => fit(column.text(run, theme, now), column.width, column.align));
  const row = fit(`${selected ? theme.attention('▸') : ' '} ${cells.join(' ')}`, layout.cols);
  return selected ? theme.selected(row) : row;
}

/** The title takes what is left. The last line of the screen is shown where the titles need less, or there is much room. */
function shareRest(columns: readonly Column[], cols: number, titles: number): Column[] {
  const fixed = columns.reduce((sum, column) => sum + column.width + gap, 0) + 1;
  const rest = Math.max(0, cols - fixed);
  const wanted = Math.max(titleLeast, Math.min(titles, rest - lastLineLeast - gap));
  const withLast = rest - wanted - gap >= lastLineLeast;
  const title = withLast ? wanted : rest;
  const sized = columns.map((column) => (column.head === 'TITLE' ? { ...column, width: title } : column));
  if (!withLast) return sized;
  const last: Column = {
    head: 'LAST LINE',
    width: rest - title - gap,
    from: 0,
    text: (run, theme) => theme.quiet(inertLine(run.lastLine)),
  };
  return [...sized, last];
}

/** Where there is no column for it, a sign says that a task is more than normal. */
function titleCell(run: RunSummary, theme: Theme, cols: number): string {
  const title = inertLine(run.task.title);
  if (cols >= priorityFrom) return title;
  if (run.task.priority === 'urgent') return `${theme.bad('⇑')} ${title}`;
  return run.task.priority === 'high' ? `${theme.attention('↑')} ${title}` : title;
}

function stageCell(run: RunSummary, theme: Theme, cols: number): string {
  const number = fit(label.stageNumberOf(run), 6);
  return label.stageStyle(run, theme)(number) + label.stageBar(run, barCells(cols), theme);
}

function waitsCell(run: RunSummary, theme: Theme): string {
  const text = inertLine(label.waitsFor(run));
  if (run.pendingToken !== null) return theme.attention(text);
  return run.halt !== null || run.disputed !== null ? theme.bad(text) : text;
}

interface Content {
  readonly id: number;
  readonly waits: number;
  readonly title: number;
}

/** Rows are measured once: of hundreds a few are new each time. */
const measured = new WeakMap<RunSummary, Content>();

function measure(run: RunSummary): Content {
  const known = measured.get(run);
  if (known !== undefined) return known;
  const content = {
    id: cellWidth(run.task.id),
    waits: cellWidth(inertLine(label.waitsFor(run))),
    // With two cells for the sign of the priority.
    title: cellWidth(inertLine(run.task.title)) + 2,
  };
  measured.set(run, content);
  return content;
}

function widest(widths: readonly number[], least: number, most: number): number {
  return Math.min(most, Math.max(least, ...widths));
}
