// What omp's screen and title say.
import { listDialog, type NamePattern } from '../choice-list.ts';
import type { Dialog, Draft, ScreenView, TitleHint } from '../screen-view.ts';

export function ompTitle(title: string): TitleHint {
  if (title.startsWith('π !')) return 'blocked';
  if (/^π [⠀-⣿]/u.test(title)) return 'working';
  return title.startsWith('π >') ? 'idle' : null;
}

const names: readonly NamePattern[] = [
  { name: 'permission', pattern: /^Allow tool/m },
  { name: 'update', pattern: /update available/i },
  { name: 'login', pattern: /log ?in|sign in/i },
  { name: 'menu', pattern: /^Pasted \d+ lines/m },
];

/** A box in the place of the composer, its choices without numbers. */
export function ompDialog(screen: ScreenView): Dialog | null {
  return ompComposer(screen).state === 'unknown' ? listDialog(screen.rows, names) : null;
}

/** The composer is the status bar and, below it, rows that end with the one that starts with `╰─`. */
export function ompComposer(screen: ScreenView): Draft {
  const { rows } = screen;
  const bar = rows.findLastIndex((row) => /^[ ╭]\S* .*> ⬢ .*─/u.test(row));
  const last = rows.findIndex((row, index) => index > bar && /^╰─( |$)/u.test(row));
  if (bar === -1 || last === -1 || last - bar > 30) return { state: 'unknown' };
  const lines = rows.slice(bar + 1, last + 1).map((row) => row.replace(/^[│╰]─? ?/u, '').replace(/[│\s]+$/u, ''));
  const text = lines.join('\n').trim();
  return text === '' ? { state: 'empty' } : { state: 'draft', text };
}
