// What Codex's screen and title say.
import { attendedDialog, listDialog, type NamePattern } from '../choice-list.ts';
import type { Dialog, Draft, ScreenView, TitleHint, Trouble } from '../screen-view.ts';
import { troubleName } from '../trouble.ts';

export function codexTitle(title: string): TitleHint {
  if (/^\[ [!.] \] Action Required/.test(title)) return 'blocked';
  if (/^[⠀-⣿] /u.test(title)) return 'working';
  // At rest it is what the session is about and the folder; anything else was set by somebody else.
  return title.includes(' | ') ? 'idle' : null;
}

const names: readonly NamePattern[] = [
  { name: 'trust', pattern: /trust this folder/i },
  { name: 'hooks review', pattern: /hooks? needs? review/i },
  { name: 'login', pattern: /sign in|api key/i },
  { name: 'update', pattern: /update available/i },
  { name: 'rate limit', pattern: /rate limit|usage limit|lower credit usage/i },
  { name: 'permission', pattern: /would you like to (run|make|grant|allow)/i },
];

export function codexDialog(screen: ScreenView): Dialog | null {
  if (codexComposer(screen).state !== 'none') return null;
  return listDialog(screen.rows, names) ?? signIn(screen.rows);
}

/** The pages before the first session: a greeting at the top, and at the bottom what a key does. */
function signIn(rows: readonly string[]): Dialog | null {
  const written = rows.filter((row) => row.trim() !== '');
  const greets = /^\s+Welcome to Codex\b/.test(written[0] ?? '');
  return greets && /^\s+Press (enter|esc)\b/i.test(written.at(-1) ?? '')
    ? attendedDialog(written.slice(1), names)
    : null;
}

/**
 * The last thing above the composer: `■` what ended the turn, `◦` what is tried again. Text of the conversation is never
 * at the left edge, and begins with other marks.
 */
export function codexTrouble(screen: ScreenView): Trouble | null {
  const { rows } = screen;
  const composer = rows.findLastIndex((row) => row.startsWith('› ') || row === '›');
  const first = rows.findLastIndex((row, index) => index < composer && /^\S/u.test(row));
  const [, mark, said = ''] = /^([■◦•]) (.*)$/u.exec(rows[first] ?? '') ?? [];
  const more = rows.slice(first + 1, Math.max(first, composer)).map((row) => row.replace(/^[\s└]+/u, '').trimEnd());
  const text = [said.replace(/ \(\d+s • .*\)/u, ''), ...more].join(' ').trim();
  if (mark === '■')
    return /conversation interrupted/i.test(text) ? null : { name: troubleName(text, null), text, goesOn: false };
  return /\breconnecting\b.* \d+\/\d+/i.test(said) ? { name: troubleName(text, null), text, goesOn: true } : null;
}

/** The last row that starts with `›`, unless that is a marked choice; the hint in an empty composer is faint. */
export function codexComposer(screen: ScreenView): Draft {
  const row = screen.rows.findLastIndex((line) => line.startsWith('› ') || line === '›');
  const line = screen.rows[row] ?? '';
  if (row === -1 || /^›\s+\d+\.\s/u.test(line)) return { state: 'none' };
  const end = screen.rows.findIndex((each, index) => index > row && each.trim() === '');
  const lines = screen.rows.slice(row, end === -1 ? undefined : end).map((each) => each.replace(/^›? ?/u, ''));
  const text = lines
    .map((each) => each.trimEnd())
    .join('\n')
    .trim();
  const hint = screen.isFaint?.(row, 3) ?? text.startsWith('Ask Codex to do anything');
  return text === '' || hint ? { state: 'empty' } : { state: 'draft', text };
}
