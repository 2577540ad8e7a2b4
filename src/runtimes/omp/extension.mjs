// Loaded by omp (`-e`): reports its life to Gatehouse, and asks before a tool call where nothing else guards the product.
import { openReporter } from '../reporter/run-socket.mjs';

const askTimeoutMs = 60_000;
/** Arguments go along so that a person can see what is done; whole files do not. */
const longestText = 4_000;

// omp looks for a default export.
// oxlint-disable-next-line import/no-default-export
export default function gatehouse(pi) {
  const reporter = openReporter('omp');
  const guarded = process.env.GATEHOUSE_GUARD === 'ask';

  /** The request for an approval does not say what is to be approved. */
  const calls = new Map();

  const say = (type, more, context) =>
    reporter.report({ type, session: sessionOf(context), ...more, ...usageOf(context) });
  const on = (name, build = () => ({})) =>
    pi.on(name, (event, context) => {
      try {
        say(name, build(event ?? {}, context), context);
      } catch {
        // A report that cannot be made must not disturb the agent.
      }
    });

  on('session_start', (_event, context) => ({ file: fileOf(context) }));
  on('before_agent_start', (event) => ({ prompt: cut(event.prompt) }));
  on('agent_start');
  on('message_end', (event) => messageOf(event.message));
  on('tool_execution_end', (event) => ({ toolName: event.toolName, isError: event.isError === true }));
  on('tool_approval_requested', (event) => ({ toolName: event.toolName, input: calls.get(event.toolCallId) }));
  on('tool_approval_resolved', (event) => ({ toolName: event.toolName, approved: event.approved ?? null }));
  on('session_stop', (event) => ({ last: cut(event.last_assistant_message), file: event.session_file ?? null }));
  on('agent_end');
  on('session_shutdown');

  pi.on('tool_call', async (event, context) => {
    const input = slim(event.input);
    const told = { type: 'tool_call', session: sessionOf(context), toolName: event.toolName, input };
    calls.clear();
    calls.set(event.toolCallId, input);
    if (!guarded) {
      reporter.report(told);
      return undefined;
    }
    const answer = await reporter.ask({ ...told, guarded: true }, askTimeoutMs);
    if (answer === null) return { block: true, reason: 'Gatehouse did not answer; try again in a moment.' };
    return answer.block === true ? { block: true, reason: String(answer.reason) } : undefined;
  });
}

function sessionOf(context) {
  return context?.sessionManager?.getSessionId?.() ?? null;
}

function fileOf(context) {
  return context?.sessionManager?.getSessionFile?.() ?? null;
}

function usageOf(context) {
  const usage = context?.getContextUsage?.();
  return usage === undefined || usage === null ? {} : { context: { tokens: usage.tokens, percent: usage.percent } };
}

function messageOf(message) {
  const { role, usage, stopReason, errorMessage, steering } = message ?? {};
  const text = role === 'user' ? cut(textOf(message.content)) : null;
  return { role, usage, stopReason, errorMessage: cut(errorMessage), steering: steering === true, text };
}

function textOf(content) {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.map((each) => (typeof each?.text === 'string' ? each.text : '')).join('');
}

function slim(input) {
  return Object.fromEntries(Object.entries(input ?? {}).map(([key, value]) => [key, cut(value)]));
}

function cut(value) {
  return typeof value === 'string' ? value.slice(0, longestText) : (value ?? null);
}
