// All keys, on one page.
import type { InputEvent } from './input/keys.ts';
import { ScrollText } from './run/scroll-text.ts';
import type { Desk, Hint, Screen, Size } from './screen.ts';
import { fit, wrap } from './text/cells.ts';
import type { Theme } from './text/theme.ts';

type Entry = readonly [key: string, does: string];

const sections: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    'Move',
    [
      ['j k ↓ ↑', 'one row'],
      ['C-d C-u', 'half a page'],
      ['g G', 'first, last'],
      ['!', 'next run that needs me'],
      ['1 .. 5', 'views: all, needs me, gates, stuck, done'],
      ['/ n N', 'filter or search; next, previous match'],
      ['o', 'sort: attention, task, stage, age, priority'],
    ],
  ],
  [
    'Look at the selected run',
    [
      ['Enter', 'open it: proposal or testing package'],
      ['e', 'why this status'],
      ['d', 'diff'],
      ['A', 'artifacts'],
      ['s', 'screenshots before and after; again: full screen'],
      ['l', 'timeline: what the agent did, from its own transcript'],
      ['Enter 6', 'history: transitions, approvals, reviews, sessions'],
      ['r', 'replay the recording'],
      ['w', 'watch: the live terminal, read-only'],
      ['y Y', 'copy the run id, the path of its worktree'],
    ],
  ],
  [
    'Act',
    [
      ['t', 'token prompt: opens the gate'],
      ['T', 'send back with a reason'],
      ['a', 'attach: type into the session'],
      ['X', 'stop the run (asks for its id)'],
      [':', 'command: approve feedback send stop resume grant restore attach watch replay, each with the run'],
    ],
  ],
  [
    'Attached',
    [
      ['Ctrl-] d', 'detach'],
      ['Ctrl-] t', 'token prompt'],
      ['Ctrl-] n p', 'next, previous run that needs me'],
      ['Ctrl-] [', 'scroll back'],
      ['Ctrl-] Ctrl-]', 'send Ctrl-] itself'],
    ],
  ],
  [
    'Replay',
    [
      ['space', 'play, pause'],
      ['h l H L', '5 s, 60 s back and forward'],
      [', .', 'one event'],
      ['[ ]', 'stage and gate markers'],
      ['< >', 'slower, faster'],
      ['i', 'skip idle time'],
      ['0-9', 'to that tenth'],
      ['/', 'search in the output'],
    ],
  ],
  [
    'Signs',
    [
      ['!', 'needs me'],
      ['×', 'stuck: halted, blocked, exited, lost, unknown'],
      ['✓', 'ready for testing'],
      ['⇑ ↑', 'urgent, high priority'],
    ],
  ],
];

export class HelpScreen implements Screen {
  private readonly desk: Desk;
  private readonly scroll: ScrollText;

  constructor(desk: Desk) {
    this.desk = desk;
    this.scroll = new ScrollText(desk.theme, (cols) => helpRows(cols, desk.theme));
  }

  title(): string {
    return 'help';
  }

  rows(size: Size): string[] {
    return this.scroll.rows(size);
  }

  input(event: InputEvent): boolean {
    if (this.scroll.input(event)) return true;
    if (event.kind === 'key' && ['?', 'q', 'escape', 'enter'].includes(event.key)) this.desk.back();
    return true;
  }

  hints(): readonly Hint[] {
    return [{ key: 'q', does: 'back' }];
  }
}

function helpRows(cols: number, theme: Theme): string[] {
  const blocks = sections.map(([title, entries]) =>
    sectionRows(title, entries, cols >= 120 ? Math.floor(cols / 2) - 2 : cols, theme),
  );
  if (cols < 120) return blocks.flat();
  const half = Math.floor(cols / 2);
  const left = blocks.slice(0, 2).flat();
  const right = blocks.slice(2).flat();
  return Array.from(
    { length: Math.max(left.length, right.length) },
    (_, y) => fit(left[y] ?? '', half) + (right[y] ?? ''),
  );
}

function sectionRows(title: string, entries: readonly Entry[], cols: number, theme: Theme): string[] {
  const rows = [` ${theme.bold(theme.accent(title))}`];
  for (const [key, does] of entries) {
    wrap(does, Math.max(10, cols - 17)).forEach((line, index) => {
      rows.push(`   ${theme.attention(fit(index === 0 ? key : '', 13))} ${line}`);
    });
  }
  return [...rows, ''];
}
