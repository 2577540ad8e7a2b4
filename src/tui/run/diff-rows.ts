// A unified diff as coloured rows, with the row at which each file begins.
import { rule } from '../grid/facts.ts';
import type { Style, Theme } from '../text/theme.ts';
import { hardWrap } from './markdown-rows.ts';

export interface DiffRows {
  readonly rows: readonly string[];
  readonly files: readonly { readonly name: string; readonly row: number }[];
}

export function diffRows(text: string, cols: number, theme: Theme): DiffRows {
  const rows: string[] = [];
  const files: { name: string; row: number }[] = [];
  for (const line of text.split('\n')) {
    const head = /^diff --git a\/.* b\/(.*)$/.exec(line);
    if (head !== null) {
      if (rows.length > 0) rows.push('');
      files.push({ name: head[1] ?? '', row: rows.length });
      rows.push(rule(head[1] ?? '', cols, theme));
      continue;
    }
    // The file's name stands in the rule above; modes, renames and "new file" stay.
    if (/^(index |--- |\+\+\+ )/.test(line)) continue;
    const style = diffStyle(line, theme);
    rows.push(...hardWrap(line, cols).map(style));
  }
  return { rows, files };
}

export function diffStyle(line: string, theme: Theme): Style {
  if (line.startsWith('+')) return theme.added;
  if (line.startsWith('-')) return theme.removed;
  if (line.startsWith('@@')) return theme.accent;
  return (text) => text;
}
