// Text measured and cut in terminal cells, escape sequences (SGR only) not counted. Everything the console lays out goes
// through here, so that one rule decides how wide a character is.
import stringWidth from 'string-width';

const plainAscii = /^[\x20-\x7e]*$/;
const sgr = /\u001b\[[0-9;:]*m/g;
const ellipsis = '…';
/** Ends what a cut cell may have left open; the background stays, it belongs to the row. */
const closeInk = '\u001b[22;23;24;39m';
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** One UTF-16 unit each, one cell each, nothing that combines: ASCII, Latin, dashes and dots, arrows, lines and blocks. */
const narrow =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u21ff\u2500-\u25fc\u2713\u2717]*$/;

/** Measuring takes graphemes apart, and a frame asks for the same texts again and again. */
const measured = new Map<string, number>();
const measuredMost = 4_000;

export function cellWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  const bare = text.includes('\u001b') ? text.replace(sgr, '') : text;
  if (narrow.test(bare)) return bare.length;
  const known = measured.get(bare);
  if (known !== undefined) return known;
  const width = stringWidth(bare);
  if (measured.size >= measuredMost) measured.clear();
  measured.set(bare, width);
  return width;
}

/** Exactly `cols` cells: cut with an ellipsis, or padded with spaces. */
export function fit(text: string, cols: number, align: 'left' | 'right' = 'left'): string {
  if (cols <= 0) return '';
  const width = cellWidth(text);
  if (width === cols) return text;
  if (width > cols) {
    const cut = truncate(text, cols);
    return cut + ' '.repeat(cols - cellWidth(cut));
  }
  const padding = ' '.repeat(cols - width);
  return align === 'left' ? text + padding : padding + text;
}

/** At most `cols` cells; a cut is shown by an ellipsis, and styles that are open at the cut are closed. */
export function truncate(text: string, cols: number): string {
  if (cols <= 0) return '';
  if (cellWidth(text) <= cols) return text;
  if (plainAscii.test(text)) return `${text.slice(0, cols - 1)}${ellipsis}`;
  const { head, open } = takeCells(text, cols - 1);
  return `${head}${ellipsis}${open ? closeInk : ''}`;
}

/** Cells from..to of a line, styles kept; a wide character that is cut in half becomes a space. */
export function sliceCells(text: string, from: number, to: number): string {
  let column = 0;
  let out = '';
  let styled = false;
  for (const part of parts(text)) {
    if (part.sgr) {
      out += part.text;
      styled = true;
      continue;
    }
    const start = column;
    column += part.width;
    if (column <= from || start >= to) continue;
    out += start < from || column > to ? ' '.repeat(Math.min(column, to) - Math.max(start, from)) : part.text;
  }
  return styled ? `${out}\u001b[0m` : out;
}

/** Breaks at spaces, and inside a word only when it is longer than a line. At least one line; styles go on over a break. */
export function wrap(text: string, cols: number): string[] {
  const width = Math.max(1, cols);
  const lines = text.split('\n').flatMap((line) => wrapLine(line, width));
  return text.includes('\u001b[') ? carryStyles(lines) : lines;
}

/** Each row is painted by itself: what is open at the end of one is opened again on the next. */
function carryStyles(lines: readonly string[]): string[] {
  let open: string[] = [];
  return lines.map((line) => {
    const before = open.join('');
    for (const [sequence] of line.matchAll(sgr)) {
      open = /^\u001b\[(0|2[2-7]|[34]9)?m$/.test(sequence) ? [] : [...open, sequence];
    }
    return before + line;
  });
}

function wrapLine(line: string, cols: number): string[] {
  if (cellWidth(line) <= cols) return [line];
  const lines: string[] = [];
  let current = '';
  let width = 0;
  // Runs of spaces stay with the word before them; wide scripts have no spaces and may break anywhere.
  for (const word of line.match(/\s+|[^\s]+/gu) ?? []) {
    const wordWidth = cellWidth(word);
    if (width + wordWidth <= cols) {
      current += word;
      width += wordWidth;
      continue;
    }
    if (/^\s/.test(word)) continue;
    if (wordWidth <= cols && !hasWide(word)) {
      if (current.trim() !== '') lines.push(current.trimEnd());
      current = word;
      width = wordWidth;
      continue;
    }
    for (const part of parts(word)) {
      if (width + part.width > cols) {
        if (current !== '') lines.push(current.trimEnd());
        current = '';
        width = 0;
      }
      current += part.text;
      width += part.width;
    }
  }
  if (current !== '' || lines.length === 0) lines.push(current.trimEnd());
  return lines;
}

function hasWide(word: string): boolean {
  return /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/.test(word);
}

function takeCells(text: string, cols: number): { head: string; open: boolean } {
  let head = '';
  let column = 0;
  let open = false;
  for (const part of parts(text)) {
    if (part.sgr) {
      head += part.text;
      open = true;
      continue;
    }
    if (column + part.width > cols) break;
    head += part.text;
    column += part.width;
  }
  return { head, open };
}

interface Part {
  readonly text: string;
  readonly sgr: boolean;
  readonly width: number;
}

/** Graphemes and style sequences, in order. */
export function* parts(text: string): Generator<Part> {
  let index = 0;
  for (const match of text.matchAll(sgr)) {
    yield* graphemes(text.slice(index, match.index));
    yield { text: match[0], sgr: true, width: 0 };
    index = match.index + match[0].length;
  }
  yield* graphemes(text.slice(index));
}

function* graphemes(text: string): Generator<Part> {
  if (plainAscii.test(text)) {
    for (const character of text) yield { text: character, sgr: false, width: 1 };
    return;
  }
  for (const { segment } of segmenter.segment(text)) yield { text: segment, sgr: false, width: cellWidth(segment) };
}
