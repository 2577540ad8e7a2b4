// Claude Code's hook payloads as events. Codex sends the same shape and shares this reader.
import { z } from 'zod';
import type { ToolDecision } from '../adapter.ts';
import type { RuntimeEvent, RuntimeEventBody, ToolCall } from '../event.ts';
import { readEnvelope, record, summarize, text, told } from '../payload.ts';

const payloadSchema = z.object({
  hook_event_name: z.string(),
  session_id: text.optional(),
  transcript_path: text.optional(),
  source: text.optional(),
  prompt: text.optional(),
  tool_name: text.optional(),
  tool_input: record.optional(),
  message: text.optional(),
  notification_type: text.optional(),
  last_assistant_message: text.optional(),
  error: text.optional(),
  error_details: text.optional(),
  is_interrupt: z.boolean().optional().catch(undefined),
  reason: text.optional(),
});
type Payload = z.infer<typeof payloadSchema>;

export function readHook(payload: unknown, receivedAt: number): RuntimeEvent[] {
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success) return [];
  const envelope = readEnvelope(payload, receivedAt);
  return bodiesOf(parsed.data).map((body) => told(body, envelope, parsed.data.session_id ?? null));
}

/** The HTTP status that a kind of failure stands for. */
const statusOf: Readonly<Record<string, number>> = { rate_limit: 429, authentication_failed: 401 };

function bodiesOf(payload: Payload): RuntimeEventBody[] {
  if (payload.hook_event_name === 'StopFailure') {
    const text = payload.last_assistant_message ?? payload.error_details ?? payload.error ?? 'the turn failed';
    return [
      { type: 'error', text, status: statusOf[payload.error ?? ''] ?? null },
      { type: 'turn-ended', lastMessage: null, interrupted: false },
    ];
  }
  const body = bodyOf(payload);
  return body === null ? [] : [body];
}

function bodyOf(payload: Payload): RuntimeEventBody | null {
  const name = payload.tool_name ?? '';
  const input = payload.tool_input ?? {};
  switch (payload.hook_event_name) {
    case 'SessionStart':
      return {
        type: 'session-started',
        source: payload.source ?? 'startup',
        transcript: payload.transcript_path ?? null,
      };
    case 'UserPromptSubmit':
      return { type: 'turn-started', prompt: payload.prompt ?? null };
    case 'PreToolUse':
      return { type: 'tool-called', name, summary: summarize(input), call: toolCall(name, input) };
    case 'PostToolUse':
      return { type: 'tool-finished', name, failed: false };
    case 'PostToolUseFailure':
      return payload.is_interrupt === true
        ? { type: 'turn-ended', lastMessage: null, interrupted: true }
        : { type: 'tool-finished', name, failed: true };
    case 'PermissionRequest':
      return { type: 'asked', text: `${name}: ${summarize(input)}` };
    case 'Notification':
      return payload.notification_type === 'permission_prompt'
        ? { type: 'asked', text: payload.message ?? 'permission' }
        : null;
    case 'Stop':
      return { type: 'turn-ended', lastMessage: payload.last_assistant_message ?? null, interrupted: false };
    case 'SessionEnd':
      return { type: 'session-ended', reason: payload.reason ?? '' };
    default:
      return null;
  }
}

const editors = /^(Edit|MultiEdit|Write|NotebookEdit|apply_patch)$/;

function toolCall(name: string, input: Readonly<Record<string, unknown>>): ToolCall {
  const patch = [input.command, input.input, input.patch].find(
    (each): each is string => typeof each === 'string' && each.includes('*** Begin Patch'),
  );
  if (patch !== undefined) return { name, paths: patchedFiles(patch), command: null, edits: true };
  const paths = ['file_path', 'notebook_path', 'path']
    .map((key) => input[key])
    .filter((each): each is string => typeof each === 'string');
  const command = [input.command, input.cmd].map((each) => (Array.isArray(each) ? each.join(' ') : each));
  const line = command.find((each): each is string => typeof each === 'string') ?? null;
  return { name, paths, command: line, edits: editors.test(name) };
}

function patchedFiles(patch: string): string[] {
  return [...patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm)].map((match) => match[1] ?? '');
}

/** The shape that Claude Code and Codex read from a PreToolUse hook; silence means no objection. */
export function preToolUseAnswer(decision: ToolDecision, payload: unknown): unknown {
  const parsed = payloadSchema.safeParse(payload);
  if (!parsed.success || parsed.data.hook_event_name !== 'PreToolUse' || decision.verdict !== 'refused') return null;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: decision.reason,
    },
  };
}
