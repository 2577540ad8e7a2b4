import { localTime } from '../../core/local-time.ts';
import type { Paint } from '../paint.ts';
import { inert, rows } from '../show/section.ts';
import type { Timeline, TimelineItem } from '../../timeline/item.ts';

const longestText = 300;

export function renderTimeline(timeline: Timeline, paint: Paint): string {
  const lines = rows(timeline.items.map((item) => cells(item, paint)));
  let day = '';
  const body = timeline.items.flatMap((item, index) => {
    const line = lines[index] ?? '';
    const its = dayOf(item.at) || day;
    if (its === day) return [line];
    day = its;
    return [paint.bold(day), line];
  });
  return [...timeline.notes.map((note) => paint.dim(`(${inert(note)})`)), ...body].join('\n');
}

function cells(item: TimelineItem, paint: Paint): string[] {
  const text = inert(item.text, longestText);
  const tool = item.tool === undefined ? '' : `${inert(item.tool, 60)}${text === '' ? '' : ': '}`;
  const tokens = item.tokens === undefined ? '' : ` (${item.tokens.input} in, ${item.tokens.output} out)`;
  const failed = item.failed === true ? 'FAILED ' : '';
  const said = `${failed}${tool}${text}${tokens}`;
  return [clockOf(item.at), kindOf(item, paint), item.failed === true ? paint.red(said) : said];
}

function kindOf({ kind }: TimelineItem, paint: Paint): string {
  switch (kind) {
    case 'stage':
    case 'marker':
      return paint.yellow(kind);
    case 'user':
      return paint.green('told');
    case 'assistant':
      return 'says';
    case 'tool-result':
      return paint.dim('result');
    case 'error':
      return paint.red(kind);
    default:
      return kind;
  }
}

function clockOf(at: string | null): string {
  return timeOf(at).slice(11).padEnd(8);
}

function dayOf(at: string | null): string {
  return timeOf(at).slice(0, 10);
}

function timeOf(at: string | null): string {
  return at === null ? '' : localTime(at);
}
