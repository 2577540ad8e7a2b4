// OpenCode keeps conversations in one SQLite file for all sessions; it is opened read-only.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { TranscriptContext, TranscriptReader } from '../adapter.ts';
import { type Json, listAt, numberAt, objectAt, textAt } from '../json-lines.ts';
import { summarize } from '../payload.ts';
import type { TimelineEntry } from '../timeline.ts';
import { opencodeData } from './launch.ts';

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

/** Loaded when needed: nothing else in the host wants a database. */
async function openReadOnly(path: string): Promise<DatabaseSync> {
  const sqlite = await import('node:sqlite');
  return new sqlite.DatabaseSync(path, { readOnly: true });
}

async function holds(path: string, session: string): Promise<boolean> {
  const database = await openReadOnly(path);
  try {
    return database.prepare('select 1 from session where id = ?').get(session) !== undefined;
  } catch {
    // Tables of another version: the program itself will tell.
    return true;
  } finally {
    database.close();
  }
}

async function readMessages(path: string, { runtimeSession }: TranscriptContext): Promise<OpencodeMessage[]> {
  const database = await openReadOnly(path);
  try {
    const parts = database
      .prepare('select message_id, data from part where session_id = ? order by id')
      .all(runtimeSession);
    return database
      .prepare('select id, data from message where session_id = ? order by time_created, id')
      .all(runtimeSession)
      .map((row) => ({
        info: parse(row.data),
        parts: parts.filter((part) => part.message_id === row.id).map((part) => parse(part.data)),
      }));
  } finally {
    database.close();
  }
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
