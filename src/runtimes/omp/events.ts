// What our extension inside of omp reports, as events.
import { z } from 'zod';
import type { RuntimeEvent, RuntimeEventBody } from '../event.ts';
import { type Json, listAt, textAt } from '../json-lines.ts';
import { readEnvelope, record, summarize, text, told } from '../payload.ts';

const count = z.number().nonnegative().catch(0);
const payloadSchema = z.object({
  type: z.string(),
  session: text.optional(),
  file: text.optional(),
  prompt: text.optional(),
  toolName: text.optional(),
  input: record.optional(),
  isError: z.boolean().optional().catch(undefined),
  last: text.optional(),
  role: text.optional(),
  text: text.optional(),
  steering: z.boolean().optional().catch(undefined),
  stopReason: text.optional(),
  errorMessage: text.optional(),
  usage: z.object({ input: count, output: count, cacheRead: count }).nullish().catch(null),
  context: z
    .object({ percent: z.number().nullable().catch(null) })
    .nullish()
    .catch(null),
});
type Payload = z.infer<typeof payloadSchema>;

export function readOmp(payload: unknown, receivedAt: number): RuntimeEvent[] {
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) return [];
  const envelope = readEnvelope(payload, receivedAt);
  return bodiesOf(parsed.data).map((body) => told(body, envelope, parsed.data.session ?? null));
}

function bodiesOf(payload: Payload): RuntimeEventBody[] {
  const name = payload.toolName ?? '';
  const input = payload.input ?? {};
  switch (payload.type) {
    case 'session_start':
      return [{ type: 'session-started', source: 'startup', transcript: payload.file ?? null }];
    case 'before_agent_start':
      return [{ type: 'turn-started', prompt: payload.prompt ?? null }];
    case 'agent_start':
      return [{ type: 'turn-started', prompt: null }];
    case 'tool_call':
      return [
        { type: 'tool-called', name, summary: summarize(input), call: ompToolCall(name, input) },
        ...(name === 'ask' ? [{ type: 'asked', text: questionsOf(input) } as const] : []),
      ];
    case 'tool_execution_end':
      return [{ type: 'tool-finished', name, failed: payload.isError === true }];
    case 'tool_approval_requested':
      return [{ type: 'asked', text: `${name}: ${summarize(input)}` }];
    case 'tool_approval_resolved':
      return [{ type: 'answered' }];
    case 'message_end':
      return messageBodies(payload);
    case 'session_stop':
      return [{ type: 'turn-ended', lastMessage: payload.last ?? null, interrupted: false }];
    // Comes at every end, after session_stop; alone when a person has interrupted.
    case 'agent_end':
      return [{ type: 'turn-ended', lastMessage: null, interrupted: false }];
    case 'session_shutdown':
      return [{ type: 'session-ended', reason: 'shutdown' }];
    default:
      return [];
  }
}

function messageBodies(payload: Payload): RuntimeEventBody[] {
  // A message typed during a turn comes here only.
  if (payload.role === 'user') return [{ type: 'turn-started', prompt: payload.text ?? null }];
  if (payload.role !== 'assistant') return [];
  const { usage } = payload;
  const bodies: RuntimeEventBody[] = [];
  if (usage !== null && usage !== undefined)
    bodies.push({
      type: 'usage',
      usage: {
        inputTokens: usage.input,
        outputTokens: usage.output,
        cachedTokens: usage.cacheRead,
        contextShare: typeof payload.context?.percent === 'number' ? payload.context.percent / 100 : null,
      },
    });
  // A person who breaks off is no trouble.
  if (payload.stopReason !== 'aborted' && (payload.stopReason === 'error' || payload.errorMessage))
    bodies.push({ type: 'error', ...errorOf(payload.errorMessage ?? 'the model request failed') });
  return bodies;
}

export function errorOf(message: string): { text: string; status: number | null } {
  const status = /\b([45]\d\d)\b/.exec(message)?.[1];
  return { text: message, status: status === undefined ? null : Number(status) };
}

/** Shared with OpenCode, whose questions have the same form. */
export function questionsOf(input: Json): string {
  const texts = listAt(input, 'questions').map((each) => textAt(each, 'question') ?? '');
  return texts.filter((each) => each !== '').join(' ') || 'a question';
}

function ompToolCall(name: string, input: Readonly<Record<string, unknown>>) {
  const paths = ['path', 'file_path', 'file'].map((key) => input[key]).filter((each) => typeof each === 'string');
  const command = typeof input.command === 'string' ? input.command : null;
  return { name, paths, command, edits: /^(write|edit|ast_edit|notebook)$/.test(name) };
}
