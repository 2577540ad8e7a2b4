// Cells of a terminal that a text takes; near enough for a screen that cuts its lines one cell early.
const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' });
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|^[\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u;
const plain = /^[\u0020-\u007e]*$/;

export function cellWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const { segment } of clusters.segment(text)) width += segmentWidth(segment);
  return width;
}

/** The beginning of a text that fits, with an ellipsis when something is cut off. */
export function cut(text: string, cells: number): string {
  if (cellWidth(text) <= cells) return text;
  let width = 0;
  let kept = '';
  for (const { segment } of clusters.segment(text)) {
    width += segmentWidth(segment);
    if (width > cells - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The end of a text that fits: what somebody types must stay in sight. */
export function cutFront(text: string, cells: number): string {
  let rest = [...clusters.segment(text)].map(({ segment }) => segment);
  if (cellWidth(text) <= cells) return text;
  while (rest.length > 0 && cellWidth(rest.join('')) > cells - 1) rest = rest.slice(1);
  return `…${rest.join('')}`;
}

/** Lines of at most so many cells, broken at blanks where there are any. */
export function wrap(text: string, cells: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/(?<= )/)) {
      if (line !== '' && cellWidth(line + word.trimEnd()) > cells) {
        lines.push(line.trimEnd());
        line = '';
      }
      line += word;
      while (cellWidth(line) > cells) {
        const head = beginning(line, cells);
        lines.push(head);
        line = line.slice(head.length);
      }
    }
    lines.push(line.trimEnd());
  }
  return lines;
}

/** As much as fits, and one cluster in any case. */
function beginning(text: string, cells: number): string {
  let width = 0;
  let kept = '';
  for (const { segment } of clusters.segment(text)) {
    width += segmentWidth(segment);
    if (width > cells && kept !== '') break;
    kept += segment;
  }
  return kept;
}

function segmentWidth(segment: string): number {
  if (/^[\p{M}\p{C}]+$/u.test(segment)) return 0;
  return wide.test(segment) ? 2 : 1;
}
