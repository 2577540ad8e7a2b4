// Answers what comes over the run socket: requests of `lattice` go to the engine, hook payloads to the adapter.
import { z } from 'zod';
import { type ErrorBody, toErrorBody } from '../core/error.ts';
import type { AskMethod } from '../engine/api.ts';
import { type LatticeMethod, type LatticeResult, latticeSchemas } from '../protocol/lattice.ts';
import { type SessionRights, judgeToolCall } from '../runtimes/tool-call.ts';
import { findGitFolders, listProduct } from '../sandbox/git-view.ts';
import type { RunContext } from './run-context.ts';
import { writeRight } from '../core/stage.ts';

const messageSchema = z.object({ method: z.string().max(60), params: z.unknown() });

/** Refused tool calls within one stage after which the run waits for a person. */
const attemptLimit = 3;
/** Far more than can be under way at once. */
const rememberedAnswers = 100;

type Reply = { readonly result: LatticeResult } | { readonly error: ErrorBody };

export class LatticeDesk {
  private readonly run: RunContext;
  private readonly answers = new Map<string, Promise<Reply>>();
  private tracked: readonly string[] | null = null;
  private attempts = { entry: -1, count: 0 };

  constructor(run: RunContext) {
    this.run = run;
  }

  /** A holder that found its host gone in between asks again under the same key: it is one request, with one answer. */
  async answer(key: string, body: unknown): Promise<void> {
    const answer = this.answers.get(key) ?? this.reply(body);
    this.answers.set(key, answer);
    const [oldest] = this.answers.keys();
    if (this.answers.size > rememberedAnswers && oldest !== undefined) this.answers.delete(oldest);
    this.run.session.reply(key, await answer);
  }

  private async reply(body: unknown): Promise<Reply> {
    try {
      return await this.handle(body);
    } catch (error) {
      return { error: toErrorBody(error) };
    }
  }

  private async handle(body: unknown): Promise<Reply> {
    const message = messageSchema.safeParse(body);
    if (!message.success || !Object.hasOwn(latticeSchemas, message.data.method)) {
      return usage(message.success ? `there is no verb ${message.data.method}` : 'a malformed request');
    }
    const method = message.data.method as LatticeMethod;
    const params = latticeSchemas[method].safeParse(message.data.params);
    if (!params.success) return usage(`${method}: ${params.error.issues[0]?.message ?? 'invalid'}`);
    if (method === 'hook') return { result: await this.hook((params.data as { event: unknown }).event) };
    const answer = await this.run.engine.ask(method satisfies AskMethod, params.data);
    if (answer.ok) return { result: answer.result };
    const { code, message: text, hint, problems } = answer.rejection;
    return { error: { code, message: text, hint, details: { problems } } };
  }

  /** What the runtime tells about itself; a tool call may be refused on the way. */
  private async hook(payload: unknown): Promise<LatticeResult> {
    const { adapter, reports } = this.run;
    let answer: unknown = null;
    for (const event of adapter.readEvent(payload, Date.now())) {
      reports.take(event);
      if (event.type !== 'tool-called' || event.call === null) continue;
      const decision = judgeToolCall(event.call, await this.rights());
      answer = adapter.hookAnswer(decision, payload);
      if (decision.verdict === 'refused') this.count(decision.reason);
    }
    return answer === null || answer === undefined ? { text: '' } : { text: '', json: answer };
  }

  private async rights(): Promise<SessionRights> {
    const { state, paths, record } = this.run;
    const stage = state?.stage ?? 'initialize';
    // A look at git for each tool call would be felt; what is tracked does not change while product code may not.
    this.tracked ??= (await listProduct(await findGitFolders(record.repo, paths.worktree), 'tracked')).topLevel;
    const tracked = this.tracked;
    return {
      writes: writeRight(stage),
      worktree: paths.worktree,
      writable: [paths.artifacts, paths.evidence, paths.runtime, '/tmp'],
      isProduct: (path) => tracked.some((name) => path === name || path.startsWith(`${name}/`)),
      stage,
    };
  }

  /** Told once, an honest agent stops. One that goes on trying is stopped, whether or not the sandbox held. */
  private count(reason: string): void {
    const entry = this.run.state?.entry ?? 0;
    this.attempts = this.attempts.entry === entry ? { entry, count: this.attempts.count + 1 } : { entry, count: 1 };
    if (this.attempts.count < attemptLimit) return;
    void this.run.engine.halt(
      'boundary-violated',
      `the agent tried ${attemptLimit} times to do what its stage forbids; the last time: ${reason}`,
      'look at the recording; let it go on (gatehouse resume RUN) or stop the run',
    );
  }
}

function usage(why: string): { error: ErrorBody } {
  return { error: { code: 'usage.invalid', message: why, hint: 'run: lattice --help' } };
}
