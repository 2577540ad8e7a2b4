// Owns what is on the screen: the rows painted last, and the cursor. Writes only rows that changed, each at its absolute
// place, in one write. Knows nothing of React; the first frame is painted with it before React is there.
import { cellWidth, parts } from '../text/cells.ts';
import { beginSync, column, cursorTo, endSync, eraseRight, hideCursor, resetStyle, showCursor } from './escapes.ts';

export interface CursorPlace {
  readonly row: number;
  readonly column: number;
}

export interface PaintSize {
  readonly cols: number;
  readonly rows: number;
}

export class Painter {
  private shown: string[] = [];
  private size: PaintSize = { cols: 0, rows: 0 };
  private cursor: CursorPlace | null = null;
  private readonly write: (text: string) => void;

  constructor(write: (text: string) => void) {
    this.write = write;
  }

  /** Rows beyond the screen are not painted; missing ones become empty. */
  paint(rows: readonly string[], size: PaintSize, cursor: CursorPlace | null): void {
    const fresh = size.cols !== this.size.cols || size.rows !== this.size.rows;
    if (fresh) this.shown = [];
    this.size = size;
    let out = '';
    for (let y = 0; y < size.rows; y++) {
      const row = rows[y] ?? '';
      if (this.shown[y] === row) continue;
      out += cursorTo(y, 0) + rowBytes(row, size.cols);
      this.shown[y] = row;
    }
    const place = cursor !== null && cursor.row < size.rows && cursor.column < size.cols ? cursor : null;
    const moved = place?.row !== this.cursor?.row || place?.column !== this.cursor?.column;
    if (out === '' && !moved) return;
    const cursorBytes =
      place === null ? (this.cursor === null ? '' : hideCursor) : cursorTo(place.row, place.column) + showCursor;
    this.cursor = place;
    this.write(
      out === '' ? cursorBytes : `${beginSync}${place === null ? '' : hideCursor}${out}${cursorBytes}${endSync}`,
    );
  }

  /** Somebody else wrote to the screen: the next frame is painted in full. */
  forget(): void {
    this.shown = [];
    this.size = { cols: 0, rows: 0 };
    this.cursor = { row: -1, column: -1 };
  }
}

/** What terminals disagree about: emoji joined, flagged or modified, combining and invisible characters, right-to-left scripts. */
const contested =
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{M}|\p{Cf}|\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Thai}/u;

function rowBytes(row: string, cols: number): string {
  if (row === '') return eraseRight;
  if (contested.test(row)) return contestedRow(row);
  // With auto-wrap off the cursor rests on the last cell of a full row, and erasing would take that cell away.
  return cellWidth(row) >= cols ? row + resetStyle : `${row}${resetStyle}${eraseRight}`;
}

/** After each contested character the next one is put at its column, so that no terminal's opinion shifts the row. */
function contestedRow(row: string): string {
  let out = eraseRight;
  let x = 0;
  for (const part of parts(row)) {
    out += part.text;
    if (part.sgr) continue;
    x += part.width;
    if (contested.test(part.text)) out += column(x);
  }
  return out + resetStyle;
}
