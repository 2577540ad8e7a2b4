// omp's conversation file, in the session folder that each run has for itself.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptContext, TranscriptReader } from '../adapter.ts';
import { type Json, listAt, numberAt, objectAt, readJsonLines, textAt } from '../json-lines.ts';
import { summarize } from '../payload.ts';
import type { TimelineEntry } from '../timeline.ts';
import { ompSessions } from './launch.ts';

export const ompTranscript: TranscriptReader = {
  locate: (context) => Promise.resolve(locate(context)),
  read: async (path) => entriesOf(await readJsonLines(path)),
};

function locate({ runtimeSession, runtimeDir }: TranscriptContext): string | null {
  const folder = ompSessions(runtimeDir);
  try {
    const found = readdirSync(folder).find((name) => name.endsWith(`_${runtimeSession}.jsonl`));
    return found === undefined ? null : join(folder, found);
  } catch {
    return null;
  }
}

function entriesOf(lines: readonly Json[]): TimelineEntry[] {
  return lines.flatMap((line): TimelineEntry[] => {
    const at = textAt(line, 'timestamp');
    if (line.type === 'message') return messageEntries(objectAt(line, 'message'), at);
    if (line.type === 'compaction')
      return [{ at, kind: 'compaction', text: textAt(line, 'shortSummary') ?? textAt(line, 'summary') ?? '' }];
    if (line.type === 'model_change') return [{ at, kind: 'model', text: textAt(line, 'model') ?? '' }];
    return [];
  });
}

function messageEntries(message: Json, at: string | null): TimelineEntry[] {
  if (message.role === 'user') return [{ at, kind: 'user', text: contentText(message) }];
  if (message.role === 'toolResult')
    return [
      {
        at,
        kind: 'tool-result',
        tool: textAt(message, 'toolName') ?? '',
        text: contentText(message),
        failed: message.isError === true,
      },
    ];
  return message.role === 'assistant' ? assistantEntries(message, at) : [];
}

function assistantEntries(message: Json, at: string | null): TimelineEntry[] {
  const usage = objectAt(message, 'usage');
  const tokens = {
    input: numberAt(usage, 'input') + numberAt(usage, 'cacheWrite'),
    output: numberAt(usage, 'output'),
    cached: numberAt(usage, 'cacheRead'),
  };
  const entries = listAt(message, 'content').flatMap((block): TimelineEntry[] => {
    if (block.type === 'text') return [{ at, kind: 'assistant', text: textAt(block, 'text') ?? '' }];
    if (block.type !== 'toolCall') return [];
    return [{ at, kind: 'tool', tool: textAt(block, 'name') ?? '', text: summarize(objectAt(block, 'arguments')) }];
  });
  if (message.stopReason === 'error')
    entries.push({ at, kind: 'error', text: textAt(message, 'errorMessage') ?? 'the model request failed' });
  const [first, ...rest] = entries;
  return first === undefined ? [] : [{ ...first, tokens }, ...rest];
}

function contentText(message: Json): string {
  const text = textAt(message, 'content');
  if (text !== null) return text;
  return listAt(message, 'content')
    .map((block) => textAt(block, 'text') ?? '')
    .join('\n');
}
