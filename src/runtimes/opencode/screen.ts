// What OpenCode's screen says; its title says nothing about its state.
import { makeDialog } from '../choice-list.ts';
import type { Dialog, Draft, ScreenView } from '../screen-view.ts';

const labels = ['Allow once', 'Allow always', 'Reject'] as const;
const right = '\u001b[C';

/** A block at the end of the screen, with its choices side by side in one row. */
export function opencodeDialog(screen: ScreenView): Dialog | null {
  const { rows } = screen;
  const head = rows.findLastIndex((row) => /^\s*┃\s+△ Permission required\s*$/u.test(row));
  const last = rows.findLastIndex((row) => /^\s*┃\s+Allow once\s{2,}Allow always\s{2,}Reject\s/u.test(row));
  if (head === -1 || last < head || opencodeComposer(screen).state !== 'unknown') return null;
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

/** The composer is the block above the last `╹▀▀▀`; its last row names agent and model. */
export function opencodeComposer(screen: ScreenView): Draft {
  const { rows } = screen;
  const bottom = rows.findLastIndex((row) => /^\s*╹▀{10,}/u.test(row));
  if (bottom === -1) return { state: 'unknown' };
  let top = bottom;
  while (top > 0 && /^\s*┃/u.test(rows[top - 1] ?? '')) top -= 1;
  // The block's last two rows: a blank one, and what agent and model it is.
  const lines = rows.slice(top, Math.max(top, bottom - 1)).map((row) => row.replace(/^\s*┃ {0,2}/u, '').trimEnd());
  const text = lines.join('\n').trim();
  return text === '' || text.startsWith('Ask anything') ? { state: 'empty' } : { state: 'draft', text };
}
