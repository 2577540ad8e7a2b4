// Answers what comes over the run socket: requests of `lattice` go to the engine, hook payloads to the adapter.
import { z } from 'zod';
import { toErrorBody } from '../core/error.ts';
import type { ErrorBody } from '../core/error.ts';
import type { AskMethod } from '../engine/api.ts';
import { type LatticeMethod, type LatticeResult, latticeSchemas } from '../protocol/lattice.ts';
import { judgeToolCall } from '../runtimes/tool-call.ts';
import type { Run } from './run.ts';
import { writeRight } from '../core/stage.ts';

const messageSchema = z.object({ method: z.string().max(60), params: z.unknown() });

export class LatticeDesk {
  private readonly run: Run;

  constructor(run: Run) {
    this.run = run;
  }

  async answer(key: string, body: unknown): Promise<void> {
    let reply: { result: LatticeResult } | { error: ErrorBody };
    try {
      reply = await this.handle(body);
    } catch (error) {
      reply = { error: toErrorBody(error) };
    }
    this.run.session.reply(key, reply);
  }

  private async handle(body: unknown): Promise<{ result: LatticeResult } | { error: ErrorBody }> {
    const message = messageSchema.safeParse(body);
    if (!message.success || !Object.hasOwn(latticeSchemas, message.data.method)) {
      return usage(message.success ? `there is no verb ${message.data.method}` : 'a malformed request');
    }
    const method = message.data.method as LatticeMethod;
    const params = latticeSchemas[method].safeParse(message.data.params);
    if (!params.success) return usage(`${method}: ${params.error.issues[0]?.message ?? 'invalid'}`);
    if (method === 'hook') return { result: this.hook((params.data as { event: unknown }).event) };
    const answer = await this.run.engine.ask(method satisfies AskMethod, params.data);
    if (answer.ok) return { result: answer.result };
    const { code, message: text, hint, problems } = answer.rejection;
    return { error: { code, message: text, hint, details: { problems } } };
  }

  /** What the runtime tells about itself; a tool call may be refused on the way. */
  private hook(payload: unknown): LatticeResult {
    const { adapter, reports } = this.run;
    let answer: unknown = null;
    for (const event of adapter.readEvent(payload, Date.now())) {
      reports.take(event);
      if (event.type !== 'tool-called' || event.call === null || this.run.sandboxed) continue;
      const state = this.run.state;
      const decision = judgeToolCall(event.call, {
        writes: state === null ? 'scratch' : writeRight(state.stage),
        worktree: this.run.paths.worktree,
        writable: [this.run.paths.artifacts, this.run.paths.evidence, '/tmp'],
        isProduct: () => true,
        stage: state?.stage ?? 'unknown',
      });
      answer = adapter.hookAnswer(decision, payload);
    }
    return answer === null || answer === undefined ? { text: '' } : { text: '', json: answer };
  }
}

function usage(why: string): { error: ErrorBody } {
  return { error: { code: 'usage.invalid', message: why, hint: 'run: lattice --help' } };
}
