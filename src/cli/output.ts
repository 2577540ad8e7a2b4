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
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
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
