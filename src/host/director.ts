// Puts the session of a run where its stage wants it: which conversation, with which rights, told what. Starts it again
// when it ended too early, a few times. What it did is in run.json, so that a host that comes back goes on from there.
import { setTimeout as delay } from 'node:timers/promises';
import { GatehouseError } from '../core/error.ts';
import type { Effect, PromptKind } from '../core/event.ts';
import { type Stage, stageRules, writeRight } from '../core/stage.ts';
import type { RunState } from '../core/state.ts';
import type { SessionExit } from '../protocol/holder.ts';
import { chooseContinuation, type Continuation } from './continuation.ts';
import { promptFor, promptToGoOn } from './prompts.ts';
import { SerialQueue } from '../platform/serial-queue.ts';
import type { RunContext } from './run-context.ts';
import type { PreparedSession, SessionRequest } from './session-control.ts';
import { sessionBegun, sessionEnded, sessionNamed } from './session-list.ts';

type Enter = Extract<Effect, { type: 'session.enter' }>;

export interface SessionEnd {
  readonly number: number;
  readonly exit: SessionExit;
  /** It failed before it had reported anything. */
  readonly unheard: boolean;
  /** We have ended it. */
  readonly expected: boolean;
}

/** An agent that asked to advance is given this long to end its turn before its session is replaced. */
const turnEndGraceMs = 10_000;
/** A session that ends early is started again after these pauses, then a person is needed. */
const restartPausesMs = [5_000, 30_000];
/** How long typing a prompt may be put off because the session is not ready. */
const readyLimitMs = 60_000;
/** Agents at work draw something all the time; one that has drawn nothing for so long waits. */
const quietMs = 5_000;

export class Director {
  private readonly work = new SerialQueue();
  /** To be said when the session is idle and has not gone on by itself. */
  private waitingPrompt: { text: string; entry: number } | null = null;
  private restartTimer: NodeJS.Timeout | null = null;
  private typing = false;
  /** Told once, tried each second. */
  private postponed: string | null = null;
  /** Ends that are not yet judged, and starts that wait their turn or are under way. */
  private unsettled = 0;
  private readonly run: RunContext;

  constructor(run: RunContext) {
    this.run = run;
  }

  /** A session that is gone comes back by itself; nobody has to do anything. */
  get restartPending(): boolean {
    return this.restartTimer !== null || this.unsettled > 0;
  }

  /** Which conversation works now; a review must not be judged by the one that implemented. */
  currentConversation(): string | null {
    if (!this.run.session.alive) return null;
    const last = this.run.record.sessions.at(-1);
    return last === undefined ? null : (last.runtimeSession ?? `session-${last.number}`);
  }

  enter(effect: Enter, state: RunState): void {
    this.cancelRestart();
    this.waitingPrompt = null;
    void this.work.run(() => this.carryOut(effect, state)).catch((error: unknown) => this.failed(error));
  }

  /** After a host came back: does what the last one had not got to. */
  reconcile(): void {
    const { state, record, session } = this.run;
    this.recordMissedExit();
    if (state === null || this.run.engine.stateError !== null || record.stopped) return;
    if (!isAgents(state.stage)) return;
    if (record.enteredEntry < state.entry || (session.alive && this.rightsDiffer(state))) {
      const fresh = state.stage === 'review';
      this.enter(
        { type: 'session.enter', stage: state.stage, session: fresh ? 'fresh' : 'continue', prompt: lastPrompt(state) },
        state,
      );
    } else if (!session.alive && typeof record.sessions.at(-1)?.endedAt === 'string') {
      // The last host may have gone in the pause before it would have started it again.
      this.planRestart(state);
    }
  }

  /** The session ended while no host was there to see it. */
  private recordMissedExit(): void {
    const { record, session } = this.run;
    const last = record.sessions.at(-1);
    if (session.exit === null || last === undefined || last.endedAt !== null) return;
    const { exit } = session;
    void this.sessionEnded({ number: last.number, exit, unheard: false, expected: false });
  }

  /** A person wants the session back; it may then fail as often again before they are asked once more. */
  async resume(): Promise<void> {
    await this.run.save({ restarts: { entry: 0, count: 0 } });
    await this.restart();
  }

  private restart(): Promise<void> {
    this.cancelRestart();
    return this.work.run(async () => {
      const state = this.run.state;
      if (state === null) throw new Error('a run without state is not resumed');
      // A person and the pause before a restart may both have asked for it; one session is enough.
      if (!this.run.session.alive) await this.startAgain(state);
      await this.entered(state.entry);
    });
  }

  /** For what a sandboxed session must not live through; it is started again with its own conversation. */
  async withoutSession<T>(work: () => Promise<T>): Promise<T> {
    const { session } = this.run;
    if (!this.run.sandboxed || !session.alive) return work();
    await session.end();
    try {
      return await work();
    } finally {
      void this.work.run(() => this.startIfWanted()).catch((error: unknown) => this.failed(error));
    }
  }

  private async startIfWanted(): Promise<void> {
    const { state, record, session } = this.run;
    if (state === null || session.alive || record.stopped || !isAgents(state.stage)) return;
    await this.startAgain(state);
  }

  private startAgain(state: RunState): Promise<void> {
    return this.start(state, (continuation) => promptToGoOn(state, continuation.kind === 'resumed'));
  }

  async sessionStarted(request: SessionRequest, prepared: PreparedSession): Promise<void> {
    await this.run.save(sessionBegun(this.run.record, request, prepared.runtimeSession, new Date().toISOString()));
    // What was to be said to the session before is void: this one is told where it stands when it starts.
    this.waitingPrompt =
      prepared.promptToType === null ? null : { text: prepared.promptToType, entry: this.run.state?.entry ?? 0 };
  }

  /** The runtime told the id of its conversation. */
  async sessionNamed(id: string): Promise<void> {
    const change = sessionNamed(this.run.record, id);
    if (change !== null) await this.run.save(change);
  }

  /** @returns why it ended, where that is known. */
  async sessionEnded(end: SessionEnd): Promise<string | null> {
    // Known at once, so that no row asks for a person in between.
    const isEarly = this.isEarly(end);
    if (isEarly) this.unsettled++;
    try {
      const note = await this.run.explainEnd(end.exit, end.expected);
      const ending = {
        ...end.exit,
        ...(note === null ? {} : { note }),
        ...(end.unheard ? { unheard: true as const } : {}),
      };
      await this.run.save(sessionEnded(this.run.record, end.number, ending, new Date().toISOString()));
      const { state } = this.run;
      if (state !== null && this.isEarly(end)) this.planRestart(state);
      return note;
    } finally {
      if (isEarly) this.unsettled--;
    }
  }

  /** Nobody wanted it, its stage is not done, and nobody has started the next one meanwhile. */
  private isEarly({ expected, number }: SessionEnd): boolean {
    const { state, record } = this.run;
    return !expected && !record.stopped && number === record.sessions.length && state !== null && isAgents(state.stage);
  }

  /** The run has ended: a last moment for the agent's last words, then everything of it goes. */
  finish(): void {
    this.cancelRestart();
    void this.work.run(async () => {
      await this.untilIdle();
      await this.run.session.end();
      await this.run.session.close();
      this.run.feed.over('the run has ended');
      this.run.look();
    });
  }

  cancelRestart(): void {
    if (this.restartTimer !== null) clearTimeout(this.restartTimer);
    this.restartTimer = null;
  }

  /** The agent does something in this stage on its own: it needs no prompt. */
  heard(): void {
    if (this.run.reports.idle) this.sayWhatWaits();
  }

  look(): void {
    if (this.waitingPrompt !== null) this.sayWhatWaits();
  }

  private async carryOut(effect: Enter, state: RunState): Promise<void> {
    const { session, record } = this.run;
    if (effect.prompt === 'wait' || effect.prompt === 'stale') {
      // Waiting, a session keeps no right to change the product.
      if (session.alive && this.run.sandboxed && this.rightsNow() !== writeRight(state.stage)) {
        await this.untilIdle();
        await session.end();
      }
      if (state.halt?.code === 'boundary-violated') await session.end();
      await this.run.save({ enteredEntry: state.entry });
      return;
    }
    if (record.stopped) return;
    const fresh = effect.session === 'fresh' && this.freshReview;
    const prompt = promptFor(effect.prompt, state);
    if (!session.alive || fresh || this.rightsDiffer(state) || !this.isMainConversation()) {
      await this.untilIdle();
      // Files of the top level are mounted one by one: what a sync replaces would stay old in a session that runs.
      if (state.stage === 'review' && this.run.sandboxed) await this.run.engine.ask('sync', {});
      await this.start(state, () => prompt);
    } else {
      this.waitingPrompt = { text: prompt, entry: state.entry };
      this.sayWhatWaits();
    }
    await this.entered(state.entry);
  }

  /** What waits to be said is not said yet: the next host has to know. */
  private async entered(entry: number): Promise<void> {
    if (this.waitingPrompt === null && !this.typing) await this.run.save({ enteredEntry: entry });
  }

  private async start(state: RunState, promptOf: (continuation: Continuation) => string): Promise<void> {
    const { run } = this;
    const { stage, entry } = state;
    this.unsettled++;
    try {
      const continuation = await chooseContinuation(
        { record: run.record, state, freshReview: this.freshReview, resumable: run.adapter.resumable },
        (id) => run.hasConversation(id),
      );
      const prompt = promptOf(continuation);
      await run.session.start({ ...continuation, stage, entry, writes: writeRight(stage), prompt });
    } finally {
      this.unsettled--;
    }
    run.look();
  }

  private get freshReview(): boolean {
    return this.run.agentConfig.review === 'fresh';
  }

  private rightsNow(): 'scratch' | 'product' | null {
    return this.run.record.sessions.at(-1)?.writes ?? null;
  }

  private rightsDiffer(state: RunState): boolean {
    return this.run.sandboxed && this.rightsNow() !== writeRight(state.stage);
  }

  private isMainConversation(): boolean {
    return this.run.record.sessions.at(-1)?.conversation === 'main';
  }

  private sayWhatWaits(): void {
    const { session, reports, adapter, state } = this.run;
    const waiting = this.waitingPrompt;
    if (waiting === null || this.typing || !session.alive || !session.ready) return;
    if (state?.entry !== waiting.entry) {
      this.waitingPrompt = null;
      return;
    }
    // A runtime that reports is spoken to when it has ended its turn; another one once it is ready.
    const free = adapter.reports
      ? reports.turnIsOver(Date.now()) || (reports.report === null && this.seemsIdle())
      : true;
    if (!free) return;
    this.typing = true;
    this.waitingPrompt = null;
    this.run.typist
      .type(waiting.text)
      .catch((error: unknown) => this.notTaken(waiting, error))
      .finally(() => {
        this.typing = false;
        void this.entered(waiting.entry);
      });
  }

  /** Where nothing was typed, a dialog or a draft was in the way: it is said once that is gone. */
  private notTaken(waiting: NonNullable<Director['waitingPrompt']>, error: unknown): void {
    if (error instanceof GatehouseError && error.code === 'message.refused') {
      this.waitingPrompt ??= waiting;
      if (this.postponed === waiting.text) return;
      this.postponed = waiting.text;
    }
    this.run.parts.log.warn('a prompt was not taken', { run: this.run.record.run, error: String(error) });
  }

  /** Nothing was reported: it has just been started, or it said to an earlier host that it is idle, and is quiet since. */
  private seemsIdle(): boolean {
    const { session, feed } = this.run;
    const quietSince = Math.max(session.startedAt, feed.lastOutputAt ?? 0);
    return Date.now() - session.startedAt < readyLimitMs || Date.now() - quietSince > quietMs;
  }

  private planRestart(state: RunState): void {
    const { entry, count } = this.run.record.restarts;
    const done = entry === state.entry ? count : 0;
    const pauseMs = restartPausesMs[done];
    if (pauseMs === undefined || this.restartTimer !== null) return;
    this.restartTimer = setTimeout(() => {
      this.restartTimer = null;
      this.run
        .save({ restarts: { entry: state.entry, count: done + 1 } })
        .then(() => this.restart())
        .catch((error: unknown) => this.failed(error));
    }, pauseMs);
  }

  /** Gives the agent the time to end the turn in which it asked to advance. */
  private async untilIdle(): Promise<void> {
    const { session, reports } = this.run;
    const deadline = Date.now() + turnEndGraceMs;
    while (session.alive && !reports.idle && reports.report !== null && Date.now() < deadline) await delay(50);
  }

  private failed(error: unknown): void {
    this.run.parts.log.error('the session could not be put to work', {
      run: this.run.record.run,
      error: String(error),
    });
    void this.run.engine.halt(
      'start-failed',
      `the session did not start: ${error instanceof Error ? error.message : String(error)}`,
      'see gatehouse doctor and host logs, then: gatehouse resume RUN',
    );
  }
}

function isAgents(stage: Stage): boolean {
  return stage !== 'halted' && stage !== 'ready-for-testing' && stageRules[stage].actor === 'agent';
}

function lastPrompt(state: RunState): PromptKind {
  const last = state.history.at(-1);
  if (last?.approval) return 'approved';
  if (state.stage === 'diagnose') return 'start';
  if (last?.actor === 'operator' && last.from === 'await-development') return 'feedback';
  return state.stage === 'patch' ? 'blocked' : 'proceed';
}
