// A list on top, and under it the content of what is selected: artifacts, evidence.
import type { InputEvent } from '../input/keys.ts';
import { ListCursor } from '../list-cursor.ts';
import type { Hint, Size } from '../screen.ts';
import { fit } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import { ScrollText } from './scroll-text.ts';
import type { Tab, TabName } from './tabs.ts';

export interface ListItem {
  readonly id: string;
  /** One row, at most `cols` cells. */
  row(cols: number): string;
  content(cols: number): readonly string[];
}

export class ListTab implements Tab {
  readonly name: TabName;
  private readonly theme: Theme;
  private readonly title: string;
  private readonly empty: string;
  private readonly source: () => readonly ListItem[];
  private readonly cursor = new ListCursor();
  private readonly scroll: ScrollText;
  private shownId: string | null = null;

  constructor(name: TabName, title: string, empty: string, theme: Theme, source: () => readonly ListItem[]) {
    this.name = name;
    this.title = title;
    this.empty = empty;
    this.theme = theme;
    this.source = source;
    this.scroll = new ScrollText(theme);
  }

  label(): string {
    const count = this.source().length;
    return count === 0 ? this.title : `${this.title} ${count}`;
  }

  select(id: string): void {
    this.cursor.select(id);
  }

  selected(): string | null {
    this.cursor.settle(this.source().map((item) => item.id));
    return this.cursor.selected();
  }

  rows(size: Size): string[] {
    const items = this.source();
    if (items.length === 0) return ['', this.theme.quiet(` ${this.empty}`)];
    const at = this.cursor.settle(items.map((item) => item.id));
    // In a low window the content matters more than the list.
    const height = Math.min(items.length, Math.max(1, Math.floor(size.rows * 0.35)));
    const top = this.cursor.windowTop(height, items.length);
    const list = items.slice(top, top + height).map((item, index) => this.listRow(item, top + index === at, size.cols));
    const item = items[at];
    if (item !== undefined && item.id !== this.shownId) {
      this.shownId = item.id;
      this.scroll.scrollTo(0);
    }
    this.scroll.set((cols) => item?.content(cols) ?? []);
    const more = items.length > height ? ` ${top + 1}-${top + height} of ${items.length} ` : '';
    const line = this.theme.quiet(fit(`${'─'.repeat(Math.max(0, size.cols - more.length - 2))}${more}──`, size.cols));
    return [...list, line, ...this.scroll.rows({ cols: size.cols, rows: size.rows - list.length - 1 })];
  }

  input(event: InputEvent): boolean {
    if (!this.scroll.searching() && event.kind === 'key') {
      const by = event.key === ']' || event.key === 'right' ? 1 : event.key === '[' || event.key === 'left' ? -1 : 0;
      if (by !== 0) {
        this.cursor.move(
          by,
          this.source().map((item) => item.id),
        );
        return true;
      }
    }
    return this.scroll.input(event);
  }

  hints(): readonly Hint[] {
    return [
      { key: '[ ]', does: 'choose' },
      { key: 'j k', does: 'scroll' },
      { key: '/', does: 'search' },
    ];
  }

  busy(): boolean {
    return this.scroll.searching();
  }

  private listRow(item: ListItem, selected: boolean, cols: number): string {
    const row = fit(`${selected ? this.theme.attention('▸') : ' '} ${item.row(cols - 2)}`, cols);
    return selected ? this.theme.selected(row) : row;
  }
}
