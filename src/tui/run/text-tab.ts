import type { InputEvent } from '../input/keys.ts';
import type { Hint, Size } from '../screen.ts';
import type { Theme } from '../text/theme.ts';
import { ScrollText } from './scroll-text.ts';
import { type Tab, type TabName, scrollHints } from './tabs.ts';

/** A section that is one scrollable text. */
export class TextTab implements Tab {
  readonly name: TabName;
  protected readonly scroll: ScrollText;
  private readonly source: (size: Size) => readonly string[];
  private readonly text: () => string;
  private size: Size = { cols: 80, rows: 24 };

  /** `source` is asked anew for each frame and must be cheap, or keep what it made. */
  constructor(name: TabName, label: () => string, theme: Theme, source: (size: Size) => readonly string[]) {
    this.name = name;
    this.text = label;
    this.source = source;
    this.scroll = new ScrollText(theme);
  }

  showEnd(): void {
    this.scroll.scrollTo(Number.MAX_SAFE_INTEGER);
  }

  label(): string {
    return this.text();
  }

  rows(size: Size): string[] {
    this.size = size;
    this.scroll.set((cols) => this.source({ cols, rows: this.size.rows }));
    return this.scroll.rows(size);
  }

  input(event: InputEvent): boolean {
    return this.scroll.input(event);
  }

  hints(): readonly Hint[] {
    return scrollHints;
  }

  busy(): boolean {
    return this.scroll.searching();
  }
}
