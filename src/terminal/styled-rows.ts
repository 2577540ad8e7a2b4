// Rows of a screen for previews: what they look like, cut to a width, safe to print anywhere (they hold printable
// characters and SGR only, and end with a reset).
import { isVisibleWhenBlank, plainStyle, sgrOf } from './cell-style.ts';
import { coreOf, scratchCell, type Terminal } from './xterm-internals.ts';

export interface StyledRow {
  readonly text: string;
  readonly ansi: string;
}

export interface RowRange {
  /** Columns; a wide character that does not fit is left out. */
  readonly width?: number;
  /** First row of the screen; negative ones are scrollback. */
  readonly from?: number;
  readonly count?: number;
}

export function styledRows(terminal: Terminal, range: RowRange = {}): StyledRow[] {
  const { width = terminal.cols, from = 0, count = terminal.rows - from } = range;
  return Array.from({ length: count }, (_, index) => styledRow(terminal, from + index, Math.min(width, terminal.cols)));
}

function styledRow(terminal: Terminal, row: number, width: number): StyledRow {
  const buffer = coreOf(terminal).buffers.active;
  const line = buffer.lines.get(buffer.ybase + row);
  const cell = scratchCell(terminal);
  let text = '';
  let ansi = '';
  let sgr = plainStyle;
  let blanks = 0;
  for (let x = 0; x < width && line !== undefined; x += 1) {
    line.loadCell(x, cell);
    const cellWidth = cell.getWidth();
    if (cellWidth === 0) continue;
    if (x + cellWidth > width) break;
    const chars = cell.getChars();
    const style = sgrOf(cell);
    if ((chars === '' || chars === ' ') && !isVisibleWhenBlank(cell)) {
      blanks += 1;
      continue;
    }
    // Blanks count only once something follows them.
    if (blanks > 0) {
      if (sgr !== plainStyle) ansi += '\x1b[m';
      sgr = plainStyle;
      ansi += ' '.repeat(blanks);
      text += ' '.repeat(blanks);
      blanks = 0;
    }
    if (style !== sgr) ansi += `\x1b[${style}m`;
    sgr = style;
    ansi += chars || ' ';
    text += chars || ' ';
  }
  if (sgr !== plainStyle) ansi += '\x1b[m';
  return { text: text.trimEnd(), ansi };
}
