// What Claude Code's screen and title say.
import { attendedDialog, enterDialog, listDialog, type NamePattern } from '../choice-list.ts';
import type { Dialog, Draft, ScreenView, TitleHint, Trouble } from '../screen-view.ts';
import { troubleName } from '../trouble.ts';

export function claudeTitle(title: string): TitleHint {
  if (/^[◐◑◒◓⠀-⣿] /u.test(title)) return 'working';
  // Idle and waiting for a permission look the same.
  return title.startsWith('✳ ') ? 'idle' : null;
}

const names: readonly NamePattern[] = [
  { name: 'trust', pattern: /trust this|one you trust|safety check|MCP servers? found|external CLAUDE\.md/i },
  { name: 'warning', pattern: /running in bypass permissions mode|security notes/i },
  { name: 'login', pattern: /select login method|use this API key|sign in|paste code here/i },
  { name: 'theme', pattern: /text style/i },
  { name: 'rate limit', pattern: /usage limit|rate limit|limit to reset|hit your .*limit/i },
  { name: 'permission', pattern: /do you want to/i },
];

/**
 * A dialog stands where the composer was, below a rule of its own unless it has the whole screen: a list, a page that
 * wants Enter, or a panel to type into. A question may have one more rule within.
 */
export function claudeDialog(screen: ScreenView): Dialog | null {
  if (claudeComposer(screen).state !== 'none') return null;
  const { rows } = screen;
  const rules = [...rows.keys()].filter((row) => /^\s*[─▔]{20,}/u.test(rows[row] ?? '')).slice(-2);
  // Above them is the conversation, whose messages begin with the same mark as a choice.
  if (rules.length === 0) return listDialog(rows, names) ?? enterDialog(rows, names);
  for (const top of rules.toReversed()) {
    const below = rows.slice(top + 1);
    const isPanel = /^\s*▔/u.test(rows[top] ?? '');
    const dialog = listDialog(below, names) ?? (isPanel ? attendedDialog(below, names) : null);
    if (dialog !== null) return dialog;
  }
  return null;
}

/** Told in places that text of the conversation never has: the row of the spinner, and the hint in the composer. */
export function claudeTrouble(screen: ScreenView): Trouble | null {
  const { rows } = screen;
  const composer = rows.findLastIndex((row, index) => /^[\s│]*❯/u.test(row) && isRule(rows[index - 1]));
  const above = rows.slice(0, Math.max(0, composer - 1));
  return retried(above) ?? (asksToResend(screen, composer) ? failed(above) : null);
}

function retried(above: readonly string[]): Trouble | null {
  const spinner = above.findLast((row) => /^[✻✽✶✳✢·*∗] \S/u.test(row))?.trimEnd() ?? '';
  const text = /^\S (?<text>.* · retrying in .* · attempt \d+\/\d+)$/u.exec(spinner)?.groups?.text;
  return text === undefined ? null : { name: troubleName(text, null), text, goesOn: true };
}

function asksToResend({ rows, isFaint }: ScreenView, composer: number): boolean {
  const hint = /^[\s│]*❯[ \u00a0](?<hint>.*\bresend your message\b.*)/iu.exec(rows[composer] ?? '');
  return hint !== null && (isFaint?.(composer, (rows[composer] ?? '').indexOf('❯') + 3) ?? false);
}

/** What it said last. */
function failed(above: readonly string[]): Trouble | null {
  const first = above.findLastIndex((row) => /^(●|\s+⎿) /u.test(row));
  const end = above.findIndex((row, index) => index > first && row.trim() === '');
  const said = above.slice(first, end === -1 ? undefined : end).map((row) => row.replace(/^[\s●⎿]+/u, '').trimEnd());
  const text = said.join(' ');
  return first === -1 ? null : { name: troubleName(text, null), text, goesOn: false };
}

/** The composer is the row that starts with `❯` between two rules over the whole width. */
export function claudeComposer(screen: ScreenView): Draft {
  const { rows } = screen;
  for (let row = rows.length - 1; row > 0; row--) {
    if (!/^[\s│]*❯/u.test(rows[row] ?? '') || !isRule(rows[row - 1])) continue;
    const end = rows.findIndex((line, index) => index > row && isRule(line));
    if (end !== -1) return draftOf(screen, row, end);
  }
  return { state: 'none' };
}

function draftOf(screen: ScreenView, row: number, end: number): Draft {
  const lines = screen.rows.slice(row, end).map((line) => line.replace(/^[\s│]*❯?[ \u00a0]?/u, '').trimEnd());
  const text = lines.join('\n').trim();
  const column = (screen.rows[row] ?? '').indexOf('❯') + 2;
  // The hint in an empty composer is faint; its first letter may be drawn as the cursor.
  const hint = screen.isFaint?.(row, column + 1) ?? false;
  return text === '' || hint ? { state: 'empty' } : { state: 'draft', text };
}

function isRule(line: string | undefined): boolean {
  return /^[\s╭╰]*[─━]{10,}/u.test(line ?? '');
}
