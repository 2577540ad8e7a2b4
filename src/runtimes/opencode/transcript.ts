// OpenCode keeps conversations in one SQLite file for all sessions, which the agent can write.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exec } from '../../platform/exec.ts';
import type { TranscriptContext, TranscriptReader } from '../adapter.ts';
import { type Json, listAt, numberAt, objectAt, parseJsonList, textAt } from '../json-lines.ts';
import { summarize } from '../payload.ts';
import type { TimelineEntry } from '../timeline.ts';
import { opencodeData } from './launch.ts';

/** The host waits for it before a session goes on. */
const answerMs = 10_000;
const maxAnswerBytes = 256 * 1024 * 1024;

export const opencodeTranscript: TranscriptReader = {
  locate: async ({ env, runtimeSession }) => {
    const path = env.OPENCODE_DB ?? join(opencodeData(env), 'opencode.db');
    return existsSync(path) && (await holds(path, runtimeSession)) ? path : null;
  },
  read: async (path, context) => messageEntries(await readMessages(path, context)),
};

export interface OpencodeMessage {
  readonly info: Json;
  readonly parts: readonly Json[];
}

/** Null when it cannot be answered: another version's tables, a file that is no database, no answer in time. */
async function ask(path: string, query: string, session: string): Promise<Json[] | null> {
  const program = fileURLToPath(new URL('./ask-database.mjs', import.meta.url));
  const args = ['--no-warnings', program, path, query, session];
  const answer = await exec(process.execPath, args, { timeoutMs: answerMs, maxBytes: maxAnswerBytes });
  return answer.exitCode === 0 ? parseJsonList(answer.stdout) : null;
}

async function holds(path: string, session: string): Promise<boolean> {
  const found = await ask(path, 'select 1 as found from session where id = ?', session);
  // Without an answer the program itself will tell.
  return found === null || found.length > 0;
}

async function readMessages(path: string, { runtimeSession }: TranscriptContext): Promise<OpencodeMessage[]> {
  const [parts, messages] = await Promise.all([
    ask(path, 'select message_id, data from part where session_id = ? order by id', runtimeSession),
    ask(path, 'select id, data from message where session_id = ? order by time_created, id', runtimeSession),
  ]);
  return (messages ?? []).map((row) => ({
    info: parse(row.data),
    parts: (parts ?? []).filter((part) => part.message_id === row.id).map((part) => parse(part.data)),
  }));
}

function parse(data: unknown): Json {
  try {
    return objectAt({ value: JSON.parse(String(data)) as unknown }, 'value');
  } catch {
    return {};
  }
}

export function messageEntries(messages: readonly OpencodeMessage[]): TimelineEntry[] {
  let model: string | null = null;
  return messages.flatMap(({ info, parts }) => {
    const at = isoTime(numberAt(info, 'time', 'created'));
    const entries = parts.flatMap((part) => partEntries(part, info.role === 'user' ? 'user' : 'assistant', at));
    if (info.role !== 'assistant') return entries;
    const failure = textAt(info, 'error', 'data', 'message') ?? textAt(info, 'error', 'name');
    if (failure !== null) entries.push({ at, kind: 'error', text: failure });
    const [first, ...rest] = entries;
    const usage = objectAt(info, 'tokens');
    const tokens = {
      input: numberAt(usage, 'input') + numberAt(usage, 'cache', 'write'),
      output: numberAt(usage, 'output'),
      cached: numberAt(usage, 'cache', 'read'),
    };
    const withTokens = first === undefined ? [] : [{ ...first, tokens }, ...rest];
    const now = textAt(info, 'modelID');
    if (now === null || now === model) return withTokens;
    model = now;
    return [{ at, kind: 'model', text: now } as const, ...withTokens];
  });
}

function partEntries(part: Json, speaker: 'user' | 'assistant', messageAt: string | null): TimelineEntry[] {
  if (part.type === 'text' && part.synthetic !== true)
    return [{ at: messageAt, kind: speaker, text: textAt(part, 'text') ?? '' }];
  if (part.type === 'compaction') return [{ at: messageAt, kind: 'compaction', text: 'compacted' }];
  if (part.type !== 'tool') return [];
  const state = objectAt(part, 'state');
  const tool = textAt(part, 'tool') ?? '';
  const at = isoTime(numberAt(state, 'time', 'start')) ?? messageAt;
  const entries: TimelineEntry[] = [{ at, kind: 'tool', tool, text: summarize(objectAt(state, 'input')) }];
  if (state.status !== 'completed' && state.status !== 'error') return entries;
  const text = textAt(state, 'output') ?? textAt(state, 'error') ?? listAt(state, 'output').map(String).join('\n');
  const ended = isoTime(numberAt(state, 'time', 'end')) ?? at;
  return [...entries, { at: ended, kind: 'tool-result', tool, text, failed: state.status === 'error' }];
}

function isoTime(ms: number): string | null {
  return ms > 0 ? new Date(ms).toISOString() : null;
}
