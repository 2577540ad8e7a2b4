// How commands speak: results on standard output, what went wrong in two lines on standard error.
import { type ErrorBody, toErrorBody } from '../core/error.ts';
import { inertText } from '../core/inert.ts';

export const exitDone = 0;
export const exitRefused = 1;
export const exitUsage = 2;

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

export function sayJson(value: unknown): void {
  process.stdout.write(`${inertJson(value)}\n`);
}

// JSON.stringify escapes C0; DEL, C1 (terminals obey them in UTF-8 too), bidi controls and what cannot be seen are left.
const unescaped = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The same value, harmless on a terminal. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    unescaped,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** One line says what is wrong, a second what to do. */
export function complain(error: unknown): number {
  const body = toErrorBody(error);
  process.stderr.write(`gatehouse: ${inertText(body.message)}\n  ${inertText(body.hint)}\n${problems(body)}`);
  return body.code === 'usage.invalid' ? exitUsage : exitRefused;
}

function problems(body: ErrorBody): string {
  const list =
    (body.details as { problems?: { file: string; line: number | null; rule: string; message: string }[] } | undefined)
      ?.problems ?? [];
  return list
    .map((p) => `  ${inertText(`${p.file}${p.line === null ? '' : `:${p.line}`} ${p.rule}: ${p.message}`)}\n`)
    .join('');
}

/** Columns padded to their widest cell; the last one is left as it is. `width` counts terminal cells. */
export function table(rows: readonly (readonly string[])[], width: (text: string) => number): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, i) => (widths[i] = Math.max(widths[i] ?? 0, width(cell))));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === row.length - 1 ? cell : cell + ' '.repeat((widths[i] ?? 0) - width(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
