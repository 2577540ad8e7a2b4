// Owns one run's state: the only writer of its state.json and journal. Every public method is atomic (one queue per run).
import type { Config } from '../core/config.ts';
import { type ErrorBody, GatehouseError, toErrorBody } from '../core/error.ts';
import type { Effect, RunEvent } from '../core/event.ts';
import { type Rejection, reject } from '../core/rejection.ts';
import { type Operator, type RepositoryFacts, type RunState, openGateOf } from '../core/state.ts';
import { type Verdict, transition } from '../core/transition.ts';
import type { Log } from '../platform/log.ts';
import type { RunPaths } from '../platform/paths.ts';
import type {
  ApproveAnswer,
  ApproveRequest,
  ArtifactContent,
  AskAnswer,
  AskMethod,
  AskParams,
  DiffAnswer,
  FeedbackRequest,
  Pending,
  Refusal,
  StageAnswer,
} from './api.ts';
import { Refused, type RunContext } from './context.ts';
import { deliverRun } from './delivery.ts';
import { EffectLog } from './effect-log.ts';
import { footerOf } from './footer.ts';
import { inspectRun, presentSubject } from './inspect.ts';
import type { EnginePorts, Workspace } from './ports.ts';
import { SerialQueue } from '../platform/serial-queue.ts';
import { putBack, putInOrder } from './put-in-order.ts';
import { type Request, requests } from './requests.ts';
import type { StateStore } from './store.ts';
import { artifactContent, productDiff } from './views.ts';

export interface EngineParts {
  readonly run: string;
  readonly paths: RunPaths;
  readonly config: Config;
  readonly ports: EnginePorts;
  readonly log: Log;
  readonly store: StateStore;
  readonly effects: EffectLog;
  readonly warnings: readonly string[];
  readonly workspaceOf: (state: RunState) => Workspace;
  /** Finds the baseline and makes the worktree, for a run that has not begun. */
  readonly prepare: () => Promise<RepositoryFacts>;
}

const keptRefusals = 20;

export class RunEngine {
  readonly run: string;
  /** Notes of the start: an unreachable remote, a checked-out target branch. */
  readonly warnings: readonly string[];
  readonly #parts: EngineParts;
  readonly #queue = new SerialQueue();
  readonly #context: RunContext;
  #state: RunState | null;
  #stateError: ErrorBody | null;
  #refusals: Refusal[] = [];
  #delivery: Promise<void> | null = null;
  #started = false;
  #waiting: { effects: readonly Effect[]; state: RunState }[] = [];

  /** Use `createRun` or `openRun`. */
  constructor(parts: EngineParts, state: RunState | null, stateError: ErrorBody | null) {
    this.run = parts.run;
    this.warnings = parts.warnings;
    this.#parts = parts;
    this.#state = state;
    this.#stateError = stateError;
    this.#context = this.#makeContext();
  }

  /** The last state the engine vouches for; null when there is none. Not to be acted on while `stateError` is set. */
  get state(): RunState | null {
    return this.#state;
  }

  /** The check that failed; while it is set the run stands still until a person restores. */
  get stateError(): ErrorBody | null {
    return this.#stateError;
  }

  /** The last 20, newest first. */
  get refusals(): readonly Refusal[] {
    return this.#refusals;
  }

  /** From now on effects are given out; first those that were decided before, perhaps by a host that was killed. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    for (const { effects, state } of this.#waiting.splice(0)) this.#carryOut(effects, state);
    if (this.#state?.stage === 'submit') this.#startDelivery();
  }

  /** Effects that an earlier host decided and perhaps did not carry out; kept until `start`. */
  remember(effects: readonly Effect[], state: RunState): void {
    this.#waiting.push({ effects, state });
  }

  /** `params` are those of the method, as src/protocol/lattice.ts has checked them. */
  async ask<M extends AskMethod>(method: M, params: unknown): Promise<AskAnswer> {
    const request: Request<M> = requests[method];
    const work = () => request.answer(this.#context, params as AskParams[M]);
    const answer = await this.#attempt(method, () => (request.atomic ? this.#queue.run(work) : work()));
    return answer.ok ? { ok: true, result: { text: answer.value } } : answer;
  }

  async approve(request: ApproveRequest): Promise<ApproveAnswer> {
    const answer = await this.#attempt('approve', () => this.#queue.run(() => this.#approve(request)));
    return answer.ok ? { ok: true, ...answer.value } : answer;
  }

  async sendBack({ text, operator, round }: FeedbackRequest): Promise<StageAnswer> {
    return this.#act('feedback', async (state, at) => {
      await inspectRun(this.#context);
      const gate = openGateOf(this.#context.state()) ?? state.gate;
      const name = gate?.name ?? 'development';
      return { type: 'gate.sent-back', gate: name, round: round ?? gate?.round ?? 1, text, operator, at };
    });
  }

  async grant(operator: Operator): Promise<StageAnswer> {
    return this.#act('grant', async (state, at) => {
      if (state.halt?.code === 'review-limit') await putInOrder(this.#context, state);
      return { type: 'round.granted', operator, at };
    });
  }

  async continueRun(operator: Operator, to: 'same' | 'patch' = 'same'): Promise<StageAnswer> {
    const answer = await this.#act('resume', async (state, at) => {
      if (state.stage === 'halted') await putInOrder(this.#context, state);
      return { type: 'run.continued', operator, to, at };
    });
    return answer.ok && answer.stage === 'initialize' ? this.#begin() : answer;
  }

  /** What a host that was killed did not get to; it halts again when it cannot be done. */
  async #begin(): Promise<StageAnswer> {
    const begun = await this.#act('resume', async (_state, at) => ({
      type: 'task.initialized',
      repository: await this.#parts.prepare(),
      at,
    }));
    if (!begun.ok)
      await this.halt('start-failed', begun.rejection.message, `${begun.rejection.hint}; then: gatehouse resume RUN`);
    return begun;
  }

  async halt(
    code: 'start-failed' | 'boundary-violated' | 'operator',
    reason: string,
    hint: string,
  ): Promise<StageAnswer> {
    return this.#act('halt', async (_state, at) => ({
      type: 'run.halted',
      at,
      halt: { code, reason, hint, evidence: null },
    }));
  }

  /** The session was ended by a person; the stage stays as it is. */
  async recordStop(operator: Operator, reason = 'stopped by the operator'): Promise<StageAnswer> {
    return this.#act('stop', async (_state, at) => ({ type: 'session.stopped', operator, reason, at }));
  }

  /** Back to the last state that the engine vouches for: its artifacts, its files, its journal. On record. */
  async restore(operator: Operator): Promise<StageAnswer> {
    const answer = await this.#attempt('restore', () => this.#queue.run(() => this.#restore(operator)));
    return answer.ok ? { ok: true, stage: answer.value } : answer;
  }

  /** What waits for a person now. */
  async subject(): Promise<Pending | null> {
    return this.#queue.run(async () => {
      await this.#inspect();
      const gate = this.#stateError === null && this.#state !== null ? openGateOf(this.#state) : null;
      return gate === null ? null : { gate: gate.name, round: gate.round, subject: gate.subject };
    });
  }

  /** Looks for crossed boundaries, changed files and foreign edits. Every request does it by itself. */
  async inspect(): Promise<void> {
    await this.#queue.run(() => this.#inspect());
  }

  async artifact(name: string): Promise<ArtifactContent | null> {
    return artifactContent(this.#parts.paths, this.#state, name);
  }

  async diff(): Promise<DiffAnswer> {
    return this.#queue.run(() => productDiff(this.#context));
  }

  footer(): string {
    return this.#state === null ? '' : footerOf(this.#state);
  }

  /** Resolves when nothing of this run is in progress any more, delivery included. */
  async settled(): Promise<void> {
    await this.#queue.idle();
    while (this.#delivery !== null) await this.#delivery;
    await this.#queue.idle();
  }

  #makeContext(): RunContext {
    const { paths, config, ports, log, workspaceOf } = this.#parts;
    return {
      paths,
      config,
      ports,
      log,
      state: () => this.#vouched(),
      workspace: () => workspaceOf(this.#vouched()),
      now: () => ports.clock().toISOString(),
      apply: (event) => this.#apply(event),
      atomically: (work) => this.#queue.run(work),
    };
  }

  #vouched(): RunState {
    if (this.#stateError !== null) throw GatehouseError.from(this.#stateError);
    if (this.#state === null) throw new GatehouseError('state.missing', 'this run has no state', 'see: gatehouse show');
    return this.#state;
  }

  async #apply(event: RunEvent): Promise<Verdict> {
    const state = this.#vouched();
    await this.#refuseForeign(state);
    const verdict = transition(state, event);
    if (!verdict.ok) return verdict;
    await this.#parts.store.append(event, verdict.state);
    this.#state = verdict.state;
    this.#give(verdict.effects, verdict.state);
    this.#parts.ports.changed?.();
    return verdict;
  }

  async #approve({ line, operator, shown }: ApproveRequest) {
    const before = this.#state === null ? null : openGateOf(this.#state);
    await this.#inspectOrThrow();
    const gate = openGateOf(this.#vouched());
    if (gate !== null && this.#parts.config.approvals.signature === 'require' && operator.signature === null) {
      throw new Refused(
        reject(
          'gate.signature-required',
          'this approval is not signed',
          'sign it with your SSH key (approvals.key in config.json)',
        ),
      );
    }
    const presented = shown ?? (before === null ? null : { round: before.round, subject: before.subject });
    const name = gate?.name ?? before?.name ?? 'development';
    const verdict = await this.#apply({
      type: 'gate.approved',
      gate: name,
      round: presented?.round ?? gate?.round ?? 1,
      line,
      operator,
      shown: presented?.subject ?? { files: [], tree: null },
      present: await presentSubject(this.#context),
      at: this.#context.now(),
    });
    if (!verdict.ok) throw new Refused(verdict.rejection);
    const approval = verdict.state.approvals.at(-1);
    if (approval === undefined) throw new Error('an approval was accepted but is not there');
    return { approval, stage: verdict.state.stage };
  }

  async #act(verb: string, make: (state: RunState, at: string) => Promise<RunEvent>): Promise<StageAnswer> {
    const answer = await this.#attempt(verb, () =>
      this.#queue.run(async () => {
        const event = await make(this.#vouched(), this.#context.now());
        const verdict = await this.#apply(event);
        if (!verdict.ok) throw new Refused(verdict.rejection);
        return verdict.state.stage;
      }),
    );
    return answer.ok ? { ok: true, stage: answer.value } : answer;
  }

  async #restore(operator: Operator): Promise<RunState['stage']> {
    const { store } = this.#parts;
    const state = this.#state;
    if (this.#stateError === null) {
      throw new Refused(
        reject('usage.invalid', 'the state is in order; there is nothing to restore', 'see: gatehouse show RUN'),
      );
    }
    if (state === null) {
      throw new Refused(
        reject('state.missing', 'nothing is left that the engine vouches for', 'start the task again as a new run'),
      );
    }
    await store.restore(state, operator, this.#context.now());
    await putBack(this.#context, state);
    this.#stateError = null;
    this.#give([{ type: 'session.enter', stage: state.stage, session: 'continue', prompt: 'proceed' }], state);
    if (state.stage === 'submit') this.#startDelivery();
    this.#parts.ports.changed?.();
    return state.stage;
  }

  async #inspect(): Promise<void> {
    try {
      await this.#inspectOrThrow();
    } catch (error) {
      if (!(error instanceof Refused)) this.#noteStateError(toErrorBody(error));
    }
  }

  async #inspectOrThrow(): Promise<void> {
    if (this.#stateError !== null || this.#state === null) return;
    await this.#refuseForeign(this.#state);
    await inspectRun(this.#context);
  }

  async #refuseForeign(state: RunState): Promise<void> {
    const foreign = await this.#parts.store.foreignEdit(state);
    if (foreign !== null) throw GatehouseError.from(foreign);
  }

  #noteStateError(error: ErrorBody): void {
    if (!error.code.startsWith('state.')) {
      this.#parts.log.warn('a look at the run failed', { run: this.run, error });
      return;
    }
    if (this.#stateError !== null) return;
    this.#stateError = error;
    this.#parts.log.error('state error', { run: this.run, error });
    if (this.#started && this.#state !== null) {
      this.#parts.ports.effects([{ type: 'operator.notify', why: 'halted', text: error.message }], this.#state);
    }
    this.#parts.ports.changed?.();
  }

  /** Catches here and nowhere deeper: an expected refusal is a value for whoever asked, and is kept to be shown. */
  async #attempt<T>(
    verb: string,
    work: () => Promise<T>,
  ): Promise<{ readonly ok: true; readonly value: T } | { readonly ok: false; readonly rejection: Rejection }> {
    try {
      return { ok: true, value: await work() };
    } catch (error) {
      const rejection = error instanceof Refused ? error.rejection : { ...toErrorBody(error), problems: [] };
      if (!(error instanceof Refused)) this.#noteStateError(rejection);
      this.#refusals = [{ at: this.#context.now(), verb, error: rejection }, ...this.#refusals].slice(0, keptRefusals);
      this.#parts.ports.changed?.();
      return { ok: false, rejection };
    }
  }

  #give(effects: readonly Effect[], state: RunState): void {
    if (this.#started) this.#carryOut(effects, state);
    else this.#waiting.push({ effects, state });
  }

  #carryOut(effects: readonly Effect[], state: RunState): void {
    const outside = effects.filter((effect) => effect.type !== 'delivery.start');
    if (outside.length > 0) this.#parts.ports.effects(outside, state);
    this.#parts.effects.done(this.#parts.store.head?.seq ?? 0);
    if (effects.some((effect) => effect.type === 'delivery.start')) this.#startDelivery();
  }

  #startDelivery(): void {
    if (!this.#started || this.#delivery !== null) return;
    const work = deliverRun(this.#context)
      .catch((error: unknown) => this.#deliveryBroke(error))
      .finally(() => {
        if (this.#delivery === work) this.#delivery = null;
      });
    this.#delivery = work;
  }

  async #deliveryBroke(error: unknown): Promise<void> {
    const body = toErrorBody(error);
    this.#noteStateError(body);
    if (this.#stateError !== null) return;
    const hint = 'see host.log, then: gatehouse resume RUN';
    const reason = `delivery stopped: ${body.message}`;
    await this.#queue
      .run(() =>
        this.#apply({
          type: 'run.halted',
          at: this.#context.now(),
          halt: { code: 'delivery-failed', reason, hint, evidence: null },
        }),
      )
      .catch((second: unknown) =>
        this.#parts.log.error('delivery broke', { run: this.run, error: toErrorBody(second) }),
      );
  }
}
