// Loaded by opencode as a plugin: reports its life to Gatehouse, and asks before a tool call where nothing else guards
// the product.
import { openReporter } from '../reporter/run-socket.mjs';

const askTimeoutMs = 60_000;
const longestText = 4_000;
const told =
  /^(session\.(created|status|idle|error|compacted)|permission\.(asked|updated|replied)|question\.(asked|replied|rejected)|message\.updated)$/;

export const Gatehouse = async () => {
  const reporter = openReporter('opencode');
  const guarded = process.env.GATEHOUSE_GUARD === 'ask';
  return {
    event: async ({ event }) => {
      if (told.test(event?.type ?? '')) reporter.report({ type: event.type, properties: slim(event.properties) });
    },
    'chat.message': async (input, output) => {
      const text = (output?.parts ?? []).map((part) => part?.text ?? '').join('');
      reporter.report({ type: 'chat.message', sessionID: input?.sessionID ?? null, text: cut(text) });
    },
    'tool.execute.before': async (input, output) => {
      const call = { type: 'tool.before', sessionID: input.sessionID, tool: input.tool, args: slim(output?.args) };
      if (!guarded) return reporter.report(call);
      const answer = await reporter.ask({ ...call, guarded: true }, askTimeoutMs);
      if (answer === null) throw new Error('Gatehouse did not answer; try again in a moment.');
      // opencode refuses a call by what its hook throws, and shows the message to the model.
      if (answer.block === true) throw new Error(String(answer.reason));
      return undefined;
    },
    'tool.execute.after': async (input) => {
      reporter.report({ type: 'tool.after', sessionID: input.sessionID, tool: input.tool });
    },
  };
};

/** Two levels are enough to tell what happened; whole messages stay where they are. */
function slim(value, depth = 0) {
  if (typeof value !== 'object' || value === null) return cut(value);
  if (depth > 3) return null;
  if (Array.isArray(value)) return value.slice(0, 20).map((each) => slim(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, slim(each, depth + 1)]));
}

function cut(value) {
  return typeof value === 'string' ? value.slice(0, longestText) : value;
}
