// Markdown as rows, line by line. It makes headings, lists, tables and code readable and leaves nothing out: what a
// person approves is the whole file, so comments, raw HTML and link targets stay visible as they are written.
import { cellWidth, fit, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';

/** A frame asks again for what it showed; the last few answers are kept. */
const remembered: { text: string; cols: number; theme: Theme; rows: string[] }[] = [];
const rememberedMost = 6;

/** `text` is inert already. */
export function markdownRows(text: string, cols: number, theme: Theme): string[] {
  const known = remembered.find((each) => each.cols === cols && each.theme === theme && each.text === text);
  if (known !== undefined) return known.rows;
  const rows = renderRows(text, cols, theme);
  remembered.unshift({ text, cols, theme, rows });
  remembered.length = Math.min(remembered.length, rememberedMost);
  return rows;
}

function renderRows(text: string, cols: number, theme: Theme): string[] {
  const rows: string[] = [];
  const lines = text.split('\n');
  let fence: string | null = null;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const mark = /^\s*(```+|~~~+)(.*)$/.exec(line);
    if (fence !== null || mark !== null) {
      if (fence === null && mark !== null) fence = (mark[1] ?? '').slice(0, 3);
      else if (mark !== null && (mark[1] ?? '').startsWith(fence ?? '')) fence = null;
      else rows.push(...codeRows(line, cols, theme));
      continue;
    }
    if (/^\s*\|.*\|\s*$/.test(line)) {
      const end = lines.findIndex((each, at) => at > i && !/^\s*\|.*\|\s*$/.test(each));
      const last = end === -1 ? lines.length : end;
      rows.push(...tableRows(lines.slice(i, last), cols, theme));
      i = last - 1;
      continue;
    }
    rows.push(...lineRows(line, cols, theme));
  }
  return rows;
}

function lineRows(line: string, cols: number, theme: Theme): string[] {
  const heading = /^(#{1,6})\s+(.*)$/.exec(line);
  if (heading !== null) return headingRows(heading[1]?.length ?? 1, heading[2] ?? '', cols, theme);
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return [theme.quiet('─'.repeat(Math.min(cols, 60)))];
  const quote = /^\s*>\s?(.*)$/.exec(line);
  if (quote !== null) return hang(theme.quiet('│ '), quote[1] ?? '', cols, theme, theme.quiet('│ '));
  const item = /^(\s*)([-*+]|\d{1,4}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line);
  if (item !== null) {
    const [, indent = '', marker = '', box, rest = ''] = item;
    const sign = box === undefined ? (/^[-*+]$/.test(marker) ? '•' : marker) : box === ' ' ? '☐' : '☑';
    return hang(`${indent.slice(0, 12)}${theme.accent(sign)} `, rest, cols, theme);
  }
  return wrap(inline(line, theme), cols);
}

function headingRows(level: number, text: string, cols: number, theme: Theme): string[] {
  const rows = wrap(text, cols);
  if (level === 1)
    return [
      ...rows.map((row) => theme.bold(theme.accent(row))),
      theme.accent('═'.repeat(Math.min(cols, cellWidth(text)))),
    ];
  if (level === 2) return rows.map((row) => theme.bold(theme.accent(row)));
  return rows.map(theme.bold);
}

/** Later lines of a list item stand under its text. */
function hang(lead: string, text: string, cols: number, theme: Theme, again?: string): string[] {
  const width = cellWidth(lead);
  return wrap(inline(text, theme), Math.max(8, cols - width)).map((row, index) =>
    index === 0 ? lead + row : (again ?? ' '.repeat(width)) + row,
  );
}

function codeRows(line: string, cols: number, theme: Theme): string[] {
  return hardWrap(line, cols - 2).map((row) => `${theme.quiet('▏')} ${row}`);
}

/** Code keeps its spaces: cut by cells, not at words. */
export function hardWrap(line: string, cols: number): string[] {
  const width = Math.max(4, cols);
  if (cellWidth(line) <= width) return [line];
  const rows: string[] = [];
  let row = '';
  let cells = 0;
  for (const character of line) {
    const more = cellWidth(character);
    if (cells + more > width) {
      rows.push(row);
      row = '';
      cells = 0;
    }
    row += character;
    cells += more;
  }
  return [...rows, row];
}

function tableRows(lines: readonly string[], cols: number, theme: Theme): string[] {
  const table = lines.map((line) =>
    line
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
  const isRule = (row: readonly string[]) => row.every((cell) => /^:?-+:?$/.test(cell));
  const count = Math.max(...table.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, x) =>
    Math.max(...table.filter((row) => !isRule(row)).map((row) => cellWidth(row[x] ?? ''))),
  );
  const total = widths.reduce((sum, width) => sum + width + 3, 0);
  if (total > cols)
    return table.filter((row) => !isRule(row)).flatMap((row) => hang('  ', row.join(' · '), cols, theme));
  return table.map((row, y) => {
    if (isRule(row)) return theme.quiet(widths.map((width) => '─'.repeat(width)).join('─┼─'));
    const cells = widths.map((width, x) => fit(inline(row[x] ?? '', theme), width));
    const text = cells.join(theme.quiet(' │ '));
    return y === 0 ? theme.bold(text) : text;
  });
}

/** In one pass, so that an escaped character begins nothing: an escape, a code span, bold, the id of a piece of evidence. */
const marks = /\\([!-/:-@[-`{-~])|(?<!`)(`+)(?!`)(.+?)(?<!`)\2(?!`)|\*\*([^*]+)\*\*|\b(E[1-9][0-9]*)\b/g;

function inline(text: string, theme: Theme): string {
  return text.replace(marks, (_all, escaped?: string, _fence?: string, code?: string, bold?: string, id?: string) => {
    if (escaped !== undefined) return escaped;
    if (code !== undefined) return theme.accent(code);
    return bold === undefined ? theme.live(id ?? '') : theme.bold(bold);
  });
}
