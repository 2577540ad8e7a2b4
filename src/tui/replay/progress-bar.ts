// Where a replay stands: a bar with its marks, and the time. Pure.
import { inertLine } from '../../core/inert.ts';
import type { Mark } from '../../recording/seek-index.ts';
import { cellWidth, fit } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';

export interface Progress {
  readonly timeMs: number;
  readonly durationMs: number;
  readonly marks: readonly Mark[];
}

export function progressRow({ timeMs, durationMs, marks }: Progress, cols: number, theme: Theme): string {
  const time = ` ${clockText(timeMs)} / ${clockText(durationMs)} `;
  const width = Math.max(1, cols - cellWidth(time) - 1);
  const at = cellOf(timeMs, durationMs, width);
  const marked = new Set(marks.map((mark) => cellOf(mark.timeMs, durationMs, width)));
  const cells = Array.from({ length: width }, (_, x) => {
    if (x === at) return theme.bold('●');
    if (marked.has(x)) return theme.attention('┃');
    return x < at ? theme.accent('━') : theme.quiet('─');
  });
  return fit(` ${cells.join('')}${theme.quiet(time)}`, cols);
}

/** The last mark that was passed: where in the workflow this moment is. */
export function markAt({ timeMs, marks }: Progress): string {
  const mark = marks.findLast((each) => each.timeMs <= timeMs);
  if (mark === undefined) return '';
  return mark.kind === 'exit' ? `the session ended (${inertLine(mark.label)})` : inertLine(mark.label);
}

export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const rest = `${two(Math.floor((seconds % 3600) / 60))}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

function cellOf(timeMs: number, durationMs: number, width: number): number {
  return durationMs <= 0 ? 0 : Math.min(width - 1, Math.floor((timeMs / durationMs) * width));
}
