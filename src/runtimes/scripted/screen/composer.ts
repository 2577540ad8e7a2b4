// The text in the composer: what a person or the supervisor has typed and not sent yet.

/** A longer paste is shown as a card; it is sent in full all the same. */
const cardLines = 7;

const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });

export class Composer {
  private draft = '';
  private pasted = false;

  get text(): string {
    return this.draft;
  }

  /** Did any of it arrive as a paste. */
  get hasPaste(): boolean {
    return this.pasted;
  }

  insert(text: string, paste = false): void {
    this.draft += text;
    this.pasted ||= paste;
  }

  erase(): void {
    this.draft = withoutLast(this.draft);
  }

  take(): string {
    const text = this.draft;
    this.draft = '';
    this.pasted = false;
    return text;
  }

  /** What the composer shows. */
  lines(): string[] {
    const lines = this.draft.split('\n');
    return lines.length < cardLines ? lines : [`[Pasted text +${lines.length - 1} lines]`];
  }
}

function withoutLast(text: string): string {
  return Array.from(clusters.segment(text), ({ segment }) => segment)
    .slice(0, -1)
    .join('');
}
