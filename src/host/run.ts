// One run as the host has it: engine, sessions, screen and reports put together. The engine decides about stages;
// this puts the session where the stage wants it and tells what is going on.
import { rm } from 'node:fs/promises';
import { type ActivityVerdict, judgeActivity } from '../core/activity.ts';
import type { AgentConfig, RuntimeConfig } from '../core/config.ts';
import { GatehouseError } from '../core/error.ts';
import type { Effect } from '../core/event.ts';
import type { RunDetail, RunSummary } from '../core/run.ts';
import type { Operator, RunState } from '../core/state.ts';
import type { ApproveAnswer, ApproveRequest } from '../engine/api.ts';
import type { EnginePorts } from '../engine/ports.ts';
import { type RunEngine, createRun, openRun } from '../engine/run-engine.ts';
import { makePrivateDir } from '../platform/atomic-file.ts';
import type { RunPaths } from '../platform/paths.ts';
import { skillsFolder } from '../platform/program-files.ts';
import type { HolderEvent, SessionExit } from '../protocol/holder.ts';
import type { RuntimeAdapter } from '../runtimes/adapter.ts';
import { adapterFor } from '../runtimes/registry.ts';
import { describeLimits } from '../sandbox/limits.ts';
import { activityFacts, explainActivity } from './activity-facts.ts';
import { runtimeByName } from './choose-runtime.ts';
import { Director } from './director.ts';
import { FooterWatch } from './footer-watch.ts';
import { type LaunchRecord, readLaunchRecord, writeLaunchRecord } from './launch-record.ts';
import { LatticeDesk } from './lattice-desk.ts';
import { Launcher } from './launcher.ts';
import type { RunContext } from './run-context.ts';
import { SerialQueue } from '../platform/serial-queue.ts';
import { ProcessWatch } from './process-watch.ts';
import { markerOf } from './markers.ts';
import { Reports } from './reports.ts';
import { ScreenFeed } from './screen-feed.ts';
import type { ClientConnection } from './client-connection.ts';
import type { HostParts } from './host-parts.ts';
import { SessionControl } from './session-control.ts';
import { describeStart, hasFailed } from './session-list.ts';
import { refuseUnsigned } from './signed-approval.ts';
import { describe, summarise } from './summary.ts';
import { TreeWatch } from './tree-watch.ts';
import { Typist } from './typist.ts';

const defaultAgent: AgentConfig = { runtime: '', skills: [], review: 'fresh' };

export class Run implements RunContext {
  record: LaunchRecord;
  readonly paths: RunPaths;
  readonly feed: ScreenFeed;
  readonly reports = new Reports();
  readonly session: SessionControl;
  readonly typist: Typist;
  readonly processes: ProcessWatch;
  readonly adapter: RuntimeAdapter;
  readonly runtimeConfig: RuntimeConfig;
  readonly agentConfig: AgentConfig;
  readonly parts: HostParts;
  private engineOrNull: RunEngine | null = null;
  private readonly director: Director;
  private readonly desk: LatticeDesk;
  private readonly launcher: Launcher;
  private readonly footer = new FooterWatch();
  private readonly watch: TreeWatch;
  private readonly saves = new SerialQueue();
  private activity: ActivityVerdict = { activity: 'unknown', reason: 'not looked at yet', source: 'none' };
  private activitySince = Date.now();

  private constructor(record: LaunchRecord, parts: HostParts) {
    this.record = record;
    this.parts = parts;
    this.paths = parts.paths.run(record.run);
    const { config } = runtimeByName(parts.config, record.runtimeEntry ?? record.runtime);
    this.runtimeConfig = config;
    this.agentConfig = parts.config.agents[record.agent ?? ''] ?? defaultAgent;
    this.adapter = adapterFor(config);
    this.processes = new ProcessWatch(parts.config.limits, parts.limitForce);
    this.launcher = new Launcher(this);
    this.feed = new ScreenFeed(record.run, this.paths, {
      input: (bytes) => this.session.input(bytes),
      resize: (cols, rows) => this.session.resize(cols, rows),
      changed: () => parts.touch(),
      record: record.record,
      log: parts.log,
    });
    this.session = new SessionControl(
      this.paths,
      {
        spec: () => this.launcher.holderSpec(),
        prepare: (request) => this.launcher.prepare(request),
        onOutput: (frame) => this.feed.output(frame),
        onEvent: (event) => this.holderEvent(event),
        onLinked: (link, status) => this.feed.follow(link, status),
        onSpawned: (marker) => this.reports.begin(marker),
        onStarted: (request, prepared) => this.director.sessionStarted(request, prepared),
        onEnded: (exit, expected) => this.sessionEnded(exit, expected),
        onLost: () => {
          this.look();
          this.feed.over('the holder of this run died; the state of the agent is unknown');
        },
        onRegained: () => this.director.reconcile(),
      },
      parts.startSlots,
      parts.log,
    );
    this.typist = new Typist({
      adapter: this.adapter,
      reports: this.reports,
      tokens: Object.values(parts.config.tokens),
      view: () => this.feed.view(),
      input: (bytes) => this.session.input(bytes),
      gone: () => !this.session.alive,
    });
    this.director = new Director(this);
    this.desk = new LatticeDesk(this);
    this.watch = new TreeWatch(this);
  }

  static async create(record: LaunchRecord, parts: HostParts): Promise<Run> {
    const run = new Run(record, parts);
    await run.launcher.probe();
    run.record = { ...run.record, runtimeWarning: run.launcher.warning };
    const { dir, artifacts, evidence, runtime, runSocketDir } = run.paths;
    try {
      for (const each of [dir, artifacts, evidence, runtime, runSocketDir]) await makePrivateDir(each);
      // First, so that a host that comes after one that was killed here knows what was asked.
      await run.saveRecord();
      run.engineOrNull = await createRun(run.engineOptions());
    } catch (error) {
      // The registry has given it a folder that was not there before.
      for (const each of [dir, runSocketDir]) await rm(each, { recursive: true, force: true });
      throw error;
    }
    run.begin();
    run.engine.start();
    return run;
  }

  /** From its files, with its holder and its screen; nothing is started. */
  static async open(id: string, parts: HostParts): Promise<Run> {
    const record = await readLaunchRecord(parts.paths.run(id).launch);
    const run = new Run(record, parts);
    await makePrivateDir(run.paths.runSocketDir);
    run.engineOrNull = await openRun(run.engineOptions());
    // What the runtime has said meanwhile waits at the holder and comes with the connection.
    run.processes.adopt(run.launcher.unitName(record.sessions.length));
    run.session.endNote = record.sessions.at(-1)?.exit?.note ?? null;
    run.begin();
    await run.session.adopt();
    run.look();
    return run;
  }

  /** After `open`: sees what has changed while no host was there, and goes on. Starts git, so not before all are open. */
  async takeUp(): Promise<void> {
    await this.engine.inspect();
    this.look();
    this.director.reconcile();
    this.engine.start();
  }

  get engine(): RunEngine {
    if (this.engineOrNull === null)
      throw new GatehouseError('run.busy', `${this.record.run} is still being prepared`, 'try again in a moment');
    return this.engineOrNull;
  }

  get state(): RunState | null {
    return this.engineOrNull?.state ?? null;
  }

  get sandboxed(): boolean {
    return this.parts.sandbox.kind === 'bwrap';
  }

  summary(): RunSummary {
    return summarise(this.summaryFacts());
  }

  async detail(): Promise<RunDetail> {
    await this.engine.inspect();
    const names = this.state?.artifacts.map((a) => a.name) ?? [];
    const artifacts = await Promise.all(names.map((name) => this.engine.artifact(name)));
    return describe({
      ...this.summaryFacts(),
      why: explainActivity(activityFacts(this), this.activity),
      artifacts: artifacts
        .filter((a) => a !== null)
        .map(({ name, sha256, sizeBytes, recorded }) => ({ name, sha256, sizeBytes, recorded })),
      refusals: this.engine.refusals,
      limits: describeLimits(this.parts.config.limits, this.parts.limitForce),
      dialog: this.session.alive ? this.adapter.dialog(this.feed.view()) : null,
      holderPid: this.session.holderPid,
      sessionPid: this.session.alive ? this.session.pid : null,
    });
  }

  async approve(request: ApproveRequest): Promise<ApproveAnswer> {
    const { config, paths } = this.parts;
    const pending = await this.engine.subject();
    const { approvals } = config;
    const checked = await refuseUnsigned({ approvals, home: paths.home, run: this.record.run, request, pending });
    return checked.ok ? this.engine.approve(checked.request) : checked;
  }

  attach(client: ClientConnection, mode: 'write' | 'read', size: { cols: number; rows: number }) {
    this.session.mustLive(this.record.run);
    return this.feed.attach(client, mode, size);
  }

  /** @returns how the message was confirmed. */
  send(text: string): Promise<string> {
    this.session.mustLive(this.record.run);
    return this.typist.type(text);
  }

  answerDialog(id: string, key: string): Promise<void> {
    this.session.mustLive(this.record.run);
    return this.typist.answer(id, key);
  }

  async stop(operator: Operator): Promise<number[]> {
    await this.engine.recordStop(operator);
    await this.save({ stopped: true });
    this.director.cancelRestart();
    const left = await this.session.end();
    await this.session.mark(`stopped by ${operator.name}`);
    this.feed.over(`${operator.name} stopped the session`);
    this.look();
    return left;
  }

  async resume(operator: Operator, to?: 'same' | 'patch'): Promise<{ stage: string; session: string }> {
    const state = this.state;
    if (this.engine.stateError !== null) throw GatehouseError.from(this.engine.stateError);
    if (state?.stage === 'ready-for-testing')
      throw new GatehouseError('run.ended', `${this.record.run} has ended`, 'start a new run for further work');
    await this.save({ stopped: false });
    if (state?.halt) {
      const answer = await this.engine.continueRun(operator, to);
      if (!answer.ok) throw new GatehouseError(answer.rejection.code, answer.rejection.message, answer.rejection.hint);
      return { stage: answer.stage, session: 'the session follows' };
    }
    if (this.session.alive) return { stage: state?.stage ?? '', session: 'the session is alive already' };
    await this.director.resume();
    return { stage: state?.stage ?? '', session: describeStart(this.record) };
  }

  /** Looks at everything that changes without an event. Cheap: called once a second. */
  look(): void {
    const verdict = judgeActivity(activityFacts(this));
    if (verdict.activity !== this.activity.activity) {
      this.activitySince = Date.now();
      if (verdict.activity === 'blocked')
        this.parts.notify(this.record.run, 'blocked', `${this.record.task.id}: ${verdict.reason}`);
    }
    this.activity = verdict;
    const pid = this.session.alive ? this.session.pid : null;
    if (!this.adapter.reports) this.processes.measureCpu(pid);
    const over = pid === null ? null : this.processes.overLimit(pid);
    if (over !== null) void this.session.kill(over);
    if (!this.session.ready && this.session.alive) this.session.ready = this.feed.isReady(this.adapter.ready);
    this.watch.set(this.session.alive ? this.session.pid : null, this.sandboxed);
    this.director.look();
  }

  /** The host goes; everything else stays. */
  async release(): Promise<void> {
    this.watch.close();
    this.director.cancelRestart();
    await this.engineOrNull?.settled();
    this.feed.close();
    await this.session.release();
  }

  /** The host, or the whole machine, did not run for so long: nobody was slow meanwhile. */
  slept(ms: number): void {
    this.session.startedAt += ms;
    this.activitySince += ms;
  }

  hasConversation(id: string): Promise<boolean> {
    return this.launcher.hasConversation(id);
  }

  save(change: Partial<LaunchRecord>): Promise<void> {
    this.record = { ...this.record, ...change };
    return this.saveRecord();
  }

  private saveRecord(): Promise<void> {
    return this.saves.run(() => writeLaunchRecord(this.paths.launch, this.record));
  }

  private begin(): void {
    this.reports.onEvent((event) => {
      if (event.type === 'session-started' && event.session !== null) void this.director.sessionNamed(event.session);
      if (event.type === 'turn-ended') {
        this.footer.read(event.lastMessage ?? this.feed.text(), this.engine.footer());
        void this.engine.inspect();
      }
      this.look();
      this.director.heard();
      this.parts.touch();
    });
    this.look();
  }

  private engineOptions() {
    const { run, task, repo } = this.record;
    const { key, heads, config, log } = this.parts;
    const { review } = this.agentConfig;
    const ports: EnginePorts = {
      clock: () => this.parts.clock(),
      git: this.parts.git,
      skills: skillsFolder,
      runCommand: this.launcher.runCommand,
      effects: (effects, state) => this.effects(effects, state),
      currentSession: () => this.director.currentConversation(),
      withoutSession: (work) => this.director.withoutSession(work),
      changed: () => this.parts.touch(),
    };
    return { run, task, repo, review, key, config, log, ports, paths: this.paths, heads: heads.of(run) };
  }

  private effects(effects: readonly Effect[], state: RunState): void {
    for (const effect of effects) {
      switch (effect.type) {
        case 'session.enter':
          this.director.enter(effect, state);
          break;
        case 'session.end':
          this.director.finish();
          break;
        case 'operator.notify':
          this.parts.notify(this.record.run, effect.why, effect.text);
          break;
        case 'automation.fire':
          void this.session.mark(markerOf(state, effect.to));
          this.footer.stageChanged(this.feed.text());
          this.parts.stageEntered(this, {
            id: `${this.record.run}/${state.entry}/${effect.to}`,
            from: effect.from,
            to: effect.to,
          });
          break;
        case 'delivery.start':
          break;
      }
    }
    this.parts.touch();
  }

  private holderEvent(event: HolderEvent): void {
    if (event.event === 'request') void this.desk.answer(event.key, event.body);
    else this.feed.event(event);
  }

  private sessionEnded(exit: SessionExit, expected: boolean): void {
    const { length: number } = this.record.sessions;
    const mustSpeak = this.adapter.reports && this.session.seenFromStart;
    const unheard = mustSpeak && !expected && hasFailed(exit) && !this.reports.heard;
    void this.director.sessionEnded({ number, exit, unheard, expected }).then((note) => {
      // A session that is replaced goes on, for whoever is attached, as one and the same.
      if (!expected)
        this.feed.over(
          `the session ended with ${exit.signal ?? `exit code ${exit.code ?? '?'}`}${note === null ? '' : ` (${note})`}${this.director.restartPending ? '; it is started again in a moment' : ''}`,
        );
    });
    this.look();
    this.parts.touch();
  }

  /** Why a session ended, where that is known. */
  async explainEnd(exit: SessionExit, expected: boolean): Promise<string | null> {
    const note = this.session.endNote ?? (expected ? null : await this.processes.explain(exit));
    // Meanwhile the next session may have been started.
    if (this.session.exit === exit) this.session.endNote = note;
    return note;
  }

  private summaryFacts() {
    return {
      record: this.record,
      paths: this.paths,
      state: this.state,
      stateError: this.engineOrNull?.stateError ?? null,
      activity: this.activity,
      activitySince: this.activitySince,
      restartPending: this.director.restartPending,
      disputed: this.footer.contradiction,
      sandbox: this.sandboxed ? ('bwrap' as const) : this.adapter.reports ? ('hooks' as const) : ('none' as const),
      recording: this.feed.recording(this.session.alive),
      changes: this.watch.watches ? ('watched' as const) : ('rescanned' as const),
      lastLine: this.reports.says ?? this.feed.lastLine(),
      now: Date.now(),
    };
  }
}
