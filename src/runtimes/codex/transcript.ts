// Codex's rollout file: `sessions/YYYY/MM/DD/rollout-<time>-<id>.jsonl` below CODEX_HOME.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptContext, TranscriptReader } from '../adapter.ts';
import { type Json, listAt, numberAt, objectAt, readJsonLines, textAt } from '../json-lines.ts';
import { summarize } from '../payload.ts';
import type { TimelineEntry } from '../timeline.ts';

export const codexTranscript: TranscriptReader = {
  locate: (context) => Promise.resolve(locate(context)),
  read: async (path) => entriesOf(await readJsonLines(path)),
};

function locate({ runtimeSession, env }: TranscriptContext): string | null {
  const sessions = join(env.CODEX_HOME ?? join(env.HOME ?? '/root', '.codex'), 'sessions');
  try {
    const found = readdirSync(sessions, { recursive: true })
      .map(String)
      .filter((path) => path.endsWith(`${runtimeSession}.jsonl`))
      .toSorted()
      .at(-1);
    return found === undefined ? null : join(sessions, found);
  } catch {
    return null;
  }
}

function entriesOf(lines: readonly Json[]): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  let model: string | null = null;
  for (const line of lines) {
    const at = textAt(line, 'timestamp');
    const payload = objectAt(line, 'payload');
    if (line.type === 'response_item') entries.push(...itemEntries(payload, at));
    else if (line.type === 'compacted')
      entries.push({ at, kind: 'compaction', text: textAt(payload, 'message') ?? '' });
    else if (line.type === 'turn_context') {
      const next = textAt(payload, 'model');
      if (next !== null && next !== model) entries.push({ at, kind: 'model', text: next });
      model = next ?? model;
    } else if (line.type === 'event_msg') entries.push(...eventEntries(payload, at, entries));
  }
  return entries;
}

function itemEntries(item: Json, at: string | null): TimelineEntry[] {
  switch (item.type) {
    case 'message': {
      const text = listAt(item, 'content')
        .map((part) => textAt(part, 'text') ?? '')
        .join('');
      if (item.role === 'assistant') return [{ at, kind: 'assistant', text }];
      // Codex tells the model about its surroundings in the person's name.
      return item.role === 'user' && !/^\s*<[a-z_ ]+>/i.test(text) ? [{ at, kind: 'user', text }] : [];
    }
    case 'function_call': {
      const input = objectOf(textAt(item, 'arguments'));
      return [{ at, kind: 'tool', tool: textAt(item, 'name') ?? '', text: summarize(input) }];
    }
    case 'custom_tool_call':
      return [
        { at, kind: 'tool', tool: textAt(item, 'name') ?? '', text: (textAt(item, 'input') ?? '').slice(0, 200) },
      ];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ at, kind: 'tool-result', text: outputText(item) }];
    default:
      return [];
  }
}

/** A turn's numbers belong to the last thing the model said. */
function eventEntries(payload: Json, at: string | null, before: TimelineEntry[]): TimelineEntry[] {
  if (payload.type === 'token_count') {
    const usage = objectAt(payload, 'info', 'last_token_usage');
    const index = before.findLastIndex((entry) => entry.kind === 'assistant' || entry.kind === 'tool');
    const entry = before[index];
    if (entry === undefined || entry.tokens !== undefined || Object.keys(usage).length === 0) return [];
    const cached = numberAt(usage, 'cached_input_tokens');
    const tokens = {
      input: numberAt(usage, 'input_tokens') - cached,
      output: numberAt(usage, 'output_tokens'),
      cached,
    };
    before[index] = { ...entry, tokens };
    return [];
  }
  if (payload.type === 'error' || payload.type === 'stream_error')
    return [{ at, kind: 'error', text: textAt(payload, 'message') ?? 'the turn failed' }];
  return [];
}

function outputText(item: Json): string {
  const text = textAt(item, 'output');
  if (text !== null) return text;
  const parts = listAt(item, 'output').map((part) => textAt(part, 'text') ?? '');
  return parts.length > 0 ? parts.join('\n') : (textAt(item, 'output', 'content') ?? '');
}

function objectOf(text: string | null): Json {
  try {
    return objectAt({ value: JSON.parse(text ?? '{}') as unknown }, 'value');
  } catch {
    return {};
  }
}
