// What omp's screen and title say.
import { attendedDialog, choiceRows, listDialog, makeDialog, type NamePattern } from '../choice-list.ts';
import type { Dialog, Draft, ScreenView, TitleHint, Trouble } from '../screen-view.ts';

export function ompTitle(title: string): TitleHint {
  if (title.startsWith('π !')) return 'blocked';
  if (/^π [⠀-⣿]/u.test(title)) return 'working';
  return title.startsWith('π >') ? 'idle' : null;
}

const names: readonly NamePattern[] = [
  { name: 'permission', pattern: /^Allow tool/m },
  { name: 'login', pattern: /log ?in|sign in/i },
  { name: 'menu', pattern: /^Pasted \d+ lines/m },
];

/** The wizard of the first start, or a box in the place of the composer, its choices without numbers. */
export function ompDialog(screen: ScreenView): Dialog | null {
  if (ompComposer(screen).state !== 'none') return null;
  return wizard(screen.rows) ?? listDialog(screen.rows, names);
}

/** Says which step it is at the top, and at the bottom what the keys do. It fills the screen. */
function wizard(rows: readonly string[]): Dialog | null {
  const top = rows.findIndex((row) => /^\s+Setup step \d+ of \d+\s*$/.test(row));
  const bottom = rows.findLastIndex((row) => row.trim() !== '');
  if (top === -1 || !/^\s+\S.* · ctrl\+c exit setup\s*$/.test(rows[bottom] ?? '')) return null;
  const list = choiceRows(rows)[0]?.row ?? bottom;
  const { text } = attendedDialog(rows.slice(top, list), names);
  return makeDialog('setup', text, listDialog(rows, names)?.choices ?? []);
}

/** Its status bar names the model. Whatever else goes wrong is reported. */
export function ompTrouble(screen: ScreenView): Trouble | null {
  const isThere = screen.rows.some((row) => /^[ ╭]π .*> ⬢ no-model > .*▶.*─/u.test(row));
  return isThere && ompComposer(screen).state !== 'none'
    ? { name: 'login', text: 'no model: it knows no provider that it is logged in to', goesOn: false }
    : null;
}

/** The composer is the status bar and, below it, rows that end with the one that starts with `╰─`. */
export function ompComposer(screen: ScreenView): Draft {
  const { rows } = screen;
  // What it tells depends on the width: first the state, last the gauge.
  const bar = rows.findLastIndex((row) => /^[ ╭](π|[⠀-⣿]) .*> .*▶.*─/u.test(row));
  const last = rows.findIndex((row, index) => index > bar && /^╰─( |$)/u.test(row));
  if (bar === -1 || last === -1 || last - bar > 30) return { state: 'none' };
  const lines = rows.slice(bar + 1, last + 1).map((row) => row.replace(/^[│╰]─? ?/u, '').replace(/[│\s]+$/u, ''));
  const text = lines.join('\n').trim();
  return text === '' ? { state: 'empty' } : { state: 'draft', text };
}
