// What the agent did, as its runtime's own transcript tells it, with the transitions in between. Oldest first, and the
// end is shown first.
import { inertLine } from '../../core/inert.ts';
import type { Timeline, TimelineItem } from '../ports.ts';
import { fit, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import { clock } from './history-rows.ts';
import type { RunData } from './run-data.ts';
import { TextTab } from './text-tab.ts';

/** Whole outputs of tools are in the recording; here they would hide what happened. */
const longestText = 600;
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
    const its = timeOf(item)?.slice(0, 10) ?? day;
    if (its !== day) rows.push(` ${theme.bold(its)}`);
    day = its;
    rows.push(...itemRows(item, cols, theme));
  }
  return items.length === 0 ? [...rows, theme.quiet(' nothing has happened yet')] : rows;
}

function itemRows(item: TimelineItem, cols: number, theme: Theme): string[] {
  const text = inertLine(item.text);
  const said = [
    item.failed === true ? 'FAILED' : '',
    item.tool === undefined ? '' : `${inertLine(item.tool)}:`,
    text.length > longestText ? `${text.slice(0, longestText)}...` : text,
    item.tokens === undefined ? '' : `(${item.tokens.input} in, ${item.tokens.output} out)`,
  ].filter((part) => part !== '');
  const style = item.failed === true ? theme.bad : (line: string) => line;
  const head = ` ${theme.quiet(fit(timeOf(item)?.slice(11) ?? '', 8))}  ${kindWord(item.kind, theme)}`;
  return wrap(said.join(' '), Math.max(8, cols - lead)).map(
    (line, index) => (index === 0 ? head : ' '.repeat(lead)) + style(line),
  );
}

/** Transcripts of others: a time may be anything. */
function timeOf({ at }: TimelineItem): string | null {
  return at === null || Number.isNaN(Date.parse(at)) ? null : clock(at);
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
