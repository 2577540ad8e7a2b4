// A selection that belongs to a thing, not to a place: when the list is sorted anew or grows, the same thing stays
// selected. Also keeps the window of rows that is visible.
export class ListCursor {
  private id: string | null = null;
  /** Where it stood, in case the thing goes away. */
  private index = 0;
  private top = 0;

  selected(): string | null {
    return this.id;
  }

  select(id: string): void {
    this.id = id;
  }

  /** The index of the selected thing in `ids`; when it is gone, what now stands in its place is selected. */
  settle(ids: readonly string[]): number {
    const found = this.id === null ? -1 : ids.indexOf(this.id);
    this.index = found >= 0 ? found : Math.max(0, Math.min(this.index, ids.length - 1));
    this.id = ids[this.index] ?? null;
    return this.index;
  }

  move(by: number, ids: readonly string[]): void {
    this.moveTo(this.settle(ids) + by, ids);
  }

  moveTo(index: number, ids: readonly string[]): void {
    this.index = Math.max(0, Math.min(index, ids.length - 1));
    this.id = ids[this.index] ?? null;
  }

  /** First visible index for a window of `height` rows; the selected row is always in it. */
  windowTop(height: number, count: number): number {
    const most = Math.max(0, count - height);
    if (this.index < this.top) this.top = this.index;
    if (this.index >= this.top + height) this.top = this.index - height + 1;
    this.top = Math.max(0, Math.min(this.top, most));
    return this.top;
  }
}

/** Keys that move through any list or text, as a distance; null when the key is none of them. */
export function motion(key: string, page: number, length: number): number | null {
  switch (key) {
    case 'j':
    case 'down':
      return 1;
    case 'k':
    case 'up':
      return -1;
    case 'C-d':
      return Math.max(1, Math.floor(page / 2));
    case 'C-u':
      return -Math.max(1, Math.floor(page / 2));
    case 'pagedown':
      return Math.max(1, page - 1);
    case 'pageup':
      return -Math.max(1, page - 1);
    case 'g':
    case 'home':
      return -length;
    case 'G':
    case 'end':
      return length;
    default:
      return null;
  }
}
