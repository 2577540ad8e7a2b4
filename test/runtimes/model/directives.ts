// A plan that does what the newest user text says, one line of it:
//   RUN: <command>   calls the shell and then says what came back
//   ASK: <command>    the same, and asks codex for more rights than its sandbox gives
//   WRITE: <path>    calls the runtime's own tool for writing files
//   SLOW: <seconds> <tag>  streams a long text over that time: tag0 tag1 ... tag-end
//   FAIL: <status>   answers with that HTTP status, every time it is asked until `times` is over
//   CUT              breaks the connection in the middle of a text, once
import { type ModelPlan, type ModelRequest, shellUse, writeUse } from './exchange.ts';

const longText = (tag: string) => Array.from({ length: 40 }, (_, index) => `${tag}${index}`).join(' ');

export function directives(options: { failures?: number } = {}): ModelPlan {
  let failuresLeft = options.failures ?? 1;
  return (request) => {
    const told = request.lastUserText;
    const [command, path, status] = [/(?:RUN|ASK): *(.+)/, /WRITE: *(\S+)/, /FAIL: *(\d+)/].map(
      (pattern) => pattern.exec(told)?.[1],
    );
    const slow = /SLOW: *([\d.]+) (\w+)/.exec(told);
    if (status !== undefined && failuresLeft > 0) {
      failuresLeft -= 1;
      return { kind: 'fail', status: Number(status) };
    }
    if (/\bCUT\b/.test(told) && failuresLeft > 0) {
      failuresLeft -= 1;
      return { kind: 'say', text: longText('cut'), overMs: 500, cut: true };
    }
    if (slow !== null) {
      const [, seconds, tag = ''] = slow;
      return { kind: 'say', text: `${longText(tag)} ${tag}-end`, overMs: Number(seconds) * 1000 };
    }
    if (command !== undefined) return call(request, shellUse(request, command, { escalated: told.includes('ASK:') }));
    if (path !== undefined) return call(request, writeUse(request, path, 'scripted\n'));
    const result = request.toolResults.at(-1);
    if (result !== undefined)
      return { kind: 'say', text: `TOOL-SAID: ${result.replaceAll(/\s+/g, ' ').slice(0, 300)}` };
    return { kind: 'say', text: `HEARD: ${told.replaceAll(/\s+/g, ' ').slice(-120)}` };
  };
}

function call(request: ModelRequest, use: ReturnType<typeof shellUse>): ReturnType<ModelPlan> {
  return use === null
    ? { kind: 'say', text: `NO-TOOL among ${request.tools.map((tool) => tool.name).join(' ')}` }
    : { kind: 'say', text: 'A tool call. ', use };
}
