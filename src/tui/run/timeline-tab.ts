// What the agent did, as its runtime's own transcript tells it, with the transitions in between. Oldest first, and the
// end is shown first.
import { inertLine, inertText } from '../../core/inert.ts';
import { localTime } from '../../core/local-time.ts';
import type { Timeline, TimelineItem } from '../ports.ts';
import { fit, truncate, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import type { RunData } from './run-data.ts';
import { TextTab } from './text-tab.ts';

/** Whole outputs of tools are in the recording; here they would hide what happened. */
const mostLines = 6;
/** The time and the kind stand before the text. */
const lead = 19;

export function timelineTab(data: RunData, theme: Theme): TextTab {
  let made: { of: Timeline; cols: number; rows: readonly string[] } | null = null;
  const tab = new TextTab(
    'timeline',
    () => 'Timeline',
    theme,
    ({ cols }) => {
      const fetched = data.timeline();
      if (fetched === undefined) return ['', theme.quiet(' reading the transcripts...')];
      if ('failure' in fetched) return ['', theme.bad(` ${fetched.failure}`)];
      if (made?.of !== fetched.value || made.cols !== cols) {
        if (made === null) tab.showEnd();
        made = { of: fetched.value, cols, rows: timelineRows(fetched.value, cols, theme) };
      }
      return made.rows;
    },
  );
  return tab;
}

function timelineRows({ notes, items }: Timeline, cols: number, theme: Theme): string[] {
  const rows = notes.flatMap((note) => wrap(`(${inertLine(note)})`, cols - 2)).map((row) => theme.quiet(` ${row}`));
  let day = '';
  for (const item of items) {
    const its = timeOf(item).slice(0, 10) || day;
    if (its !== day) rows.push(` ${theme.bold(its)}`);
    day = its;
    rows.push(...itemRows(item, cols, theme));
  }
  return items.length === 0 ? [...rows, theme.quiet(' nothing has happened yet')] : rows;
}

function itemRows(item: TimelineItem, cols: number, theme: Theme): string[] {
  const style = item.failed === true ? theme.bad : (line: string) => line;
  const head = ` ${theme.quiet(fit(timeOf(item).slice(11), 8))}  ${kindWord(item.kind, theme)}`;
  return textLines(item, Math.max(8, cols - lead), theme).map(
    (line, index) => (index === 0 ? head : ' '.repeat(lead)) + style(line),
  );
}

/** What was said is wrapped; lines of a tool keep their shape (diffs, lists), so the long ones are cut. */
function textLines(item: TimelineItem, cols: number, theme: Theme): string[] {
  const before = [
    item.failed === true ? 'FAILED' : '',
    item.tool === undefined ? '' : `${inertLine(item.tool)}:`,
  ].filter((part) => part !== '');
  const after = item.tokens === undefined ? '' : ` (${item.tokens.input} in, ${item.tokens.output} out)`;
  const text = inertText([...before, item.text.trim()].join(' ') + after);
  const lines = item.kind.startsWith('tool') ? text.split('\n').map((line) => truncate(line, cols)) : wrap(text, cols);
  if (lines.length <= mostLines) return lines;
  return [...lines.slice(0, mostLines - 1), theme.quiet(`… ${lines.length - mostLines + 1} more lines`)];
}

function timeOf({ at }: TimelineItem): string {
  return at === null ? '' : localTime(at);
}

function kindWord(kind: string, theme: Theme): string {
  const word = (text: string) => fit(text, 8);
  switch (kind) {
    case 'stage':
    case 'marker':
      return theme.attention(word(kind));
    case 'user':
      return theme.good(word('told'));
    case 'assistant':
      return word('says');
    case 'tool-result':
      return theme.quiet(word('result'));
    case 'error':
      return theme.bad(word(kind));
    default:
      return word(inertLine(kind));
  }
}
