// A one-line text field: what was typed and where the cursor is. Knows nothing of what the text means.
import { cellWidth } from '../text/cells.ts';
import { type InputEvent, isText } from '../input/keys.ts';

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export type FieldOutcome = 'editing' | 'entered' | 'cancelled';

export class LineField {
  private graphemes: string[];
  private at: number;

  constructor(text = '') {
    this.graphemes = split(text);
    this.at = this.graphemes.length;
  }

  get text(): string {
    return this.graphemes.join('');
  }

  /** Cells between the beginning and the cursor. */
  get cursorCells(): number {
    return cellWidth(this.graphemes.slice(0, this.at).join(''));
  }

  input(event: InputEvent): FieldOutcome {
    if (event.kind === 'paste') {
      this.insert(event.text.replace(/\s*\n\s*/g, ' '));
      return 'editing';
    }
    switch (event.key) {
      case 'enter':
        return 'entered';
      case 'escape':
      case 'C-c':
        return 'cancelled';
      default:
        this.edit(event.key);
        return 'editing';
    }
  }

  private edit(key: string): void {
    switch (key) {
      case 'backspace':
        if (this.at === 0) return;
        this.graphemes.splice(this.at - 1, 1);
        this.at -= 1;
        return;
      case 'delete':
        this.graphemes.splice(this.at, 1);
        return;
      case 'left':
        this.at = Math.max(0, this.at - 1);
        return;
      case 'right':
        this.at = Math.min(this.graphemes.length, this.at + 1);
        return;
      case 'home':
        this.at = 0;
        return;
      case 'end':
      case 'C-e':
        this.at = this.graphemes.length;
        return;
      case 'C-u':
        this.graphemes.splice(0, this.at);
        this.at = 0;
        return;
      case 'C-w': {
        const head = this.graphemes
          .slice(0, this.at)
          .join('')
          .replace(/\S+\s*$/u, '');
        const rest = this.graphemes.slice(this.at);
        this.graphemes = [...split(head), ...rest];
        this.at = this.graphemes.length - rest.length;
        return;
      }
      default:
        if (isText(key)) this.insert(key);
    }
  }

  /** Joined again with what stands before, since a combining mark or a joined emoji arrives in pieces. */
  private insert(text: string): void {
    const head = split(this.graphemes.slice(0, this.at).join('') + text);
    this.graphemes = [...head, ...this.graphemes.slice(this.at)];
    this.at = head.length;
  }
}

function split(text: string): string[] {
  return [...segmenter.segment(text)].map(({ segment }) => segment);
}
