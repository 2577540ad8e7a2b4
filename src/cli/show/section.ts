// The pieces that every part of `show` is made of.
import stringWidth from 'string-width';
import { age } from '../../core/activity.ts';
import { inertLine } from '../../core/inert.ts';
import { localTime } from '../../core/local-time.ts';
import type { Paint } from '../paint.ts';
import { table } from '../output.ts';

export interface View {
  readonly paint: Paint;
  /** Epoch milliseconds. */
  readonly now: number;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Cells may carry colour; what an agent wrote must have gone through `inert` before. */
export function rows(cells: readonly (readonly string[])[]): string[] {
  return cells.length === 0 ? [] : table(cells, stringWidth).split('\n');
}

export function indent(lines: readonly string[], by = 2): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line));
}

/** One line of harmless text, cut to what still fits beside other columns. */
export function inert(text: string, longest = 400): string {
  const line = inertLine(text);
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

/** `2026-01-02 03:04:05, 5m ago`. */
export function when(iso: string, now: number): string {
  const time = localTime(iso);
  return time === '' ? inert(iso, 40) : `${time}, ${age(now - Date.parse(iso))} ago`;
}

/** `2026-01-02 03:04:05`. */
export function clock(iso: string): string {
  return localTime(iso) || inert(iso, 40);
}

export function short(hash: string): string {
  return hash.slice(0, 12);
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit] ?? ''}`;
}

/** As a word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9._/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
