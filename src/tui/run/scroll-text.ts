// A long text in a window: scrolling and searching. Rows are made once per width, and only the visible ones leave here.
import type { InputEvent } from '../input/keys.ts';
import { motion } from '../list-cursor.ts';
import { LineField } from '../prompt/line-field.ts';
import type { Size } from '../screen.ts';
import { fit } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';

const sgr = /\u001b\[[0-9;:]*m/g;

export class ScrollText {
  private readonly theme: Theme;
  private make: (cols: number) => readonly string[];
  private made: { cols: number; rows: readonly string[] } | null = null;
  private top = 0;
  private height = 1;
  private search: LineField | null = null;
  private needle = '';

  constructor(theme: Theme, make: (cols: number) => readonly string[] = () => []) {
    this.theme = theme;
    this.make = make;
  }

  /** New content; the place in the text stays. */
  set(make: (cols: number) => readonly string[]): void {
    this.make = make;
    this.made = null;
  }

  scrollTo(row: number): void {
    this.top = row;
  }

  get position(): number {
    return this.top;
  }

  searching(): boolean {
    return this.search !== null;
  }

  rows(size: Size): string[] {
    const all = this.all(size.cols - 1);
    const foot = this.search === null ? [] : [`${this.theme.accent('/')}${this.search.text}${this.theme.accent('▏')}`];
    this.height = Math.max(1, size.rows - foot.length);
    this.top = Math.max(0, Math.min(this.top, all.length - this.height));
    const shown = all.slice(this.top, this.top + this.height).map((row) => this.marked(row));
    while (shown.length < this.height) shown.push('');
    return [...withBar(shown, this.top, all.length, size, this.theme), ...foot];
  }

  input(event: InputEvent): boolean {
    if (this.search !== null) return this.searchInput(this.search, event);
    if (event.kind !== 'key') return false;
    const distance = motion(event.key, this.height, this.made?.rows.length ?? 0);
    if (distance !== null) {
      this.top = Math.max(0, this.top + distance);
      return true;
    }
    if (event.key === ' ') this.top += Math.max(1, this.height - 1);
    else if (event.key === '/') this.search = new LineField();
    else if (event.key === 'n' && this.needle !== '') this.find(1);
    else if (event.key === 'N' && this.needle !== '') this.find(-1);
    else return false;
    return true;
  }

  private searchInput(field: LineField, event: InputEvent): boolean {
    const outcome = field.input(event);
    if (outcome === 'editing') return true;
    this.search = null;
    this.needle = outcome === 'entered' ? field.text.toLowerCase() : '';
    if (this.needle !== '') this.find(1, true);
    return true;
  }

  private find(by: number, fromHere = false): void {
    const rows = this.made?.rows ?? [];
    for (let step = fromHere ? 0 : 1; step <= rows.length; step++) {
      const at = (this.top + by * step + rows.length * 2) % rows.length;
      if (
        !plain(rows[at] ?? '')
          .toLowerCase()
          .includes(this.needle)
      )
        continue;
      this.top = at;
      return;
    }
  }

  private marked(row: string): string {
    if (this.needle === '' || !plain(row).toLowerCase().includes(this.needle)) return row;
    return this.theme.selected(row);
  }

  private all(cols: number): readonly string[] {
    if (this.made?.cols !== cols) this.made = { cols, rows: this.make(cols) };
    return this.made.rows;
  }
}

function withBar(rows: readonly string[], top: number, total: number, size: Size, theme: Theme): string[] {
  if (total <= rows.length) return [...rows];
  const from = Math.floor((top / total) * rows.length);
  const to = Math.max(from + 1, Math.ceil(((top + rows.length) / total) * rows.length));
  return rows.map((row, y) => {
    return fit(row, size.cols - 1) + (y >= from && y < to ? theme.accent('┃') : theme.quiet('│'));
  });
}

function plain(row: string): string {
  return row.replace(sgr, '');
}
