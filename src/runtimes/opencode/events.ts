// What our plugin inside of OpenCode reports, as events.
import { z } from 'zod';
import type { RuntimeEvent, RuntimeEventBody } from '../event.ts';
import { type Json, numberAt, objectAt, textAt } from '../json-lines.ts';
import { errorOf, questionsOf } from '../omp/events.ts';
import { readEnvelope, record, summarize, text, told } from '../payload.ts';

const payloadSchema = z.object({
  type: z.string(),
  sessionID: text.optional(),
  text: text.optional(),
  tool: text.optional(),
  args: record.optional(),
  properties: record.optional(),
});
type Payload = z.infer<typeof payloadSchema>;

export function readOpencode(payload: unknown, receivedAt: number): RuntimeEvent[] {
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) return [];
  const properties = parsed.data.properties ?? {};
  const session = parsed.data.sessionID ?? textAt(properties, 'sessionID') ?? textAt(properties, 'info', 'id');
  const body = bodyOf(parsed.data, properties);
  return body === null ? [] : [told(body, readEnvelope(payload, receivedAt), session)];
}

function bodyOf(payload: Payload, properties: Json): RuntimeEventBody | null {
  const name = payload.tool ?? '';
  switch (payload.type) {
    case 'session.created':
      return { type: 'session-started', source: 'startup', transcript: null };
    case 'chat.message':
      return { type: 'turn-started', prompt: payload.text ?? null };
    case 'session.status':
      return statusBody(properties);
    case 'session.idle':
      return { type: 'turn-ended', lastMessage: null, interrupted: false };
    case 'permission.asked':
    case 'permission.updated':
      return { type: 'asked', text: askedText(properties) };
    case 'question.asked':
      return { type: 'asked', text: questionsOf(properties) };
    case 'permission.replied':
    case 'question.replied':
    case 'question.rejected':
      return { type: 'answered' };
    case 'tool.before':
      return {
        type: 'tool-called',
        name,
        summary: summarize(payload.args ?? {}),
        call: opencodeToolCall(name, payload.args ?? {}),
      };
    case 'tool.after':
      return { type: 'tool-finished', name, failed: false };
    case 'session.error':
      return errorBody(objectAt(properties, 'error'));
    case 'message.updated':
      return usageBody(objectAt(properties, 'info'));
    default:
      return null;
  }
}

function statusBody(properties: Json): RuntimeEventBody | null {
  switch (textAt(properties, 'status', 'type')) {
    case 'busy':
      return { type: 'turn-started', prompt: null };
    case 'retry':
      return { type: 'error', ...errorOf(textAt(properties, 'status', 'message') ?? 'the model request failed') };
    default:
      return null;
  }
}

function errorBody(error: Json): RuntimeEventBody {
  const name = textAt(error, 'name');
  // A person who breaks off is no trouble.
  if (name === 'MessageAbortedError') return { type: 'turn-ended', lastMessage: null, interrupted: true };
  const { text, status } = errorOf(textAt(error, 'data', 'message') ?? name ?? 'the session failed');
  return { type: 'error', text, status: numberAt(error, 'data', 'statusCode') || status };
}

function usageBody(info: Json): RuntimeEventBody | null {
  const tokens = objectAt(info, 'tokens');
  // Sent at every change; only the finished message has its numbers.
  if (info.role !== 'assistant' || objectAt(info, 'time').completed === undefined) return null;
  return {
    type: 'usage',
    usage: {
      inputTokens: numberAt(tokens, 'input'),
      outputTokens: numberAt(tokens, 'output'),
      cachedTokens: numberAt(tokens, 'cache', 'read'),
      contextShare: null,
    },
  };
}

function askedText(properties: Json): string {
  const patterns = Array.isArray(properties.patterns) ? properties.patterns.join(' ') : '';
  const kind = textAt(properties, 'permission') ?? textAt(properties, 'type') ?? 'permission';
  return `${kind}: ${textAt(properties, 'title') ?? patterns}`.trim();
}

function opencodeToolCall(name: string, args: Json) {
  const paths = ['filePath', 'path'].map((key) => args[key]).filter((each) => typeof each === 'string');
  const patch = typeof args.patchText === 'string' ? args.patchText : '';
  for (const match of patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)) paths.push(match[1] ?? '');
  const command = typeof args.command === 'string' ? args.command : null;
  return { name, paths, command, edits: /^(write|edit|multiedit|patch|apply_patch)$/.test(name) };
}
