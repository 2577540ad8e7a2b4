// What OpenCode's screen says; its title says nothing about its state.
import { attendedDialog, makeDialog, type NamePattern } from '../choice-list.ts';
import type { Dialog, Draft, ScreenView, Trouble } from '../screen-view.ts';

const labels = ['Allow once', 'Allow always', 'Reject'] as const;
const right = '\u001b[C';

const names: readonly NamePattern[] = [
  { name: 'login', pattern: /^(Connect a provider|Select auth method|API key|.*\bauthorization\b)/i },
  { name: 'update', pattern: /^Update available/i },
  { name: 'rate limit', pattern: /usage limit|rate limit|free usage/i },
  { name: 'menu', pattern: /./ },
];

/** Of what lies over everything, to be shown. */
const windowRows = 12;

export function opencodeDialog(screen: ScreenView): Dialog | null {
  return window(screen) ?? permission(screen) ?? question(screen);
}

/** Lies over everything, in the middle of the width: its title at its left edge, at the right one how to close it. */
function window({ rows, cols }: ScreenView): Dialog | null {
  const top = rows.findIndex((row) => {
    const edges = /^(?<left>\s+)\S.*\S?\s{3,}esc\s*$/u.exec(row);
    const right = cols - row.trimEnd().length;
    return edges !== null && right > 5 && Math.abs((edges.groups?.left?.length ?? 0) - right) <= 1;
  });
  if (top === -1) return null;
  const left = (rows[top] ?? '').search(/\S/u);
  const inside = rows.slice(top, top + windowRows).map((row) => row.slice(left, cols - left).trim());
  // What it does not reach is still to be seen below it.
  const end = inside.findIndex((row, index) => /▀{8}/u.test(row) || inside.slice(index, index + 3).join('') === '');
  const [title = '', ...text] = inside.slice(0, end === -1 ? undefined : end);
  return attendedDialog([title.replace(/\s+esc\s*$/u, ''), ...text], names);
}

/** A block at the end of the screen, its last row tells the keys. Which choice is marked is told by colour alone. */
function question(screen: ScreenView): Dialog | null {
  const { rows } = screen;
  const last = rows.findLastIndex((row) => /^\s*┃\s+↑↓ select\b.*\besc dismiss\b/u.test(row));
  if (last === -1 || rows.slice(last + 1).some((row) => /[^\s┃]/u.test(row))) return null;
  const top = rows.findLastIndex((row, index) => index < last && !/^\s*┃/u.test(row));
  return attendedDialog(rows.slice(top + 1, last), []);
}

/** A block at the end of the screen, with its choices side by side in one row. */
function permission(screen: ScreenView): Dialog | null {
  const { rows } = screen;
  const head = rows.findLastIndex((row) => /^\s*┃\s+△ Permission required\s*$/u.test(row));
  const last = rows.findLastIndex((row) => /^\s*┃\s+Allow once\s{2,}Allow always\s{2,}Reject\s/u.test(row));
  if (head === -1 || last < head || opencodeComposer(screen).state !== 'none') return null;
  const text = rows
    .slice(head, last)
    .map((row) => row.replace(/^[\s┃]*/u, '').trimEnd())
    .filter((row) => row !== '')
    .join('\n');
  return makeDialog(
    'permission',
    text,
    labels.map((label, index) => ({
      key: String(index + 1),
      label,
      writes: [...Array.from({ length: index }, () => right), '\r'],
    })),
  );
}

/** The last row of the composer names the model and its provider. Whatever else goes wrong is reported. */
export function opencodeTrouble(screen: ScreenView): Trouble | null {
  const bottom = screen.rows.findLastIndex((row) => /^\s*╹▀{10,}/u.test(row));
  return bottom > 0 && /^\s*┃.* · No provider selected\b/u.test(screen.rows[bottom - 1] ?? '')
    ? { name: 'login', text: 'no provider selected', goesOn: false }
    : null;
}

/** The composer, when nothing lies over it, is the block above the last `╹▀▀▀`; its last row names agent and model. */
export function opencodeComposer(screen: ScreenView): Draft {
  const { rows } = screen;
  const bottom = rows.findLastIndex((row) => /^\s*╹▀{10,}/u.test(row));
  if (bottom === -1 || window(screen) !== null) return { state: 'none' };
  let top = bottom;
  while (top > 0 && /^\s*┃/u.test(rows[top - 1] ?? '')) top -= 1;
  // The block's last two rows: a blank one, and what agent and model it is.
  // Beside it, in a wide window, are facts about the session.
  const width = /▀+/u.exec(rows[bottom] ?? '');
  const right = (width?.index ?? 0) + (width?.[0].length ?? 0);
  const lines = rows.slice(top, Math.max(top, bottom - 1)).map((row) =>
    row
      .slice(0, right)
      .replace(/^\s*┃ {0,2}/u, '')
      .trimEnd(),
  );
  const text = lines.join('\n').trim();
  return text === '' || text.startsWith('Ask anything') ? { state: 'empty' } : { state: 'draft', text };
}
