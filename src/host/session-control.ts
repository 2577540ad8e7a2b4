// The sessions of one run: starts them in the run's holder, ends them, starts them again when they end too early.
// Decides nothing about the workflow; what a session may write is told to it.
import { setTimeout as delay } from 'node:timers/promises';
import { GatehouseError } from '../core/error.ts';
import type { SessionRecord } from '../core/run.ts';
import type { Stage, WriteRight } from '../core/stage.ts';
import type { Log } from '../platform/log.ts';
import type { RunPaths } from '../platform/paths.ts';
import type {
  HolderEvent,
  HolderSpec,
  HolderStatus,
  OutputFrame,
  RelayBody,
  SessionExit,
  SessionStatus,
  SpawnParams,
} from '../protocol/holder.ts';
import { HolderLink } from './holder-link.ts';
import type { Semaphore } from './semaphore.ts';

/** What a session is given to end by itself before it is killed. */
const killGraceMs = 3_000;
/** A holder that does not answer is asked again after this, then less and less often. */
const firstRetryMs = 200;
const longestRetryMs = 5_000;
/** A session counts as starting, and holds up others that wait to start, for this long at the most. */
const startSlotMs = 20_000;

export interface SessionRequest {
  readonly kind: SessionRecord['kind'];
  /** The conversation to go on with; null for one without memory. */
  readonly runtimeSession: string | null;
  readonly conversation: SessionRecord['conversation'];
  /** Why it is one without memory, when another one should have gone on. */
  readonly note: string | null;
  readonly stage: Stage;
  readonly entry: number;
  readonly writes: WriteRight;
  readonly prompt: string | null;
}

export interface PreparedSession {
  readonly spawn: SpawnParams;
  readonly runtimeSession: string | null;
  /** Not passed at the start; to be typed once the program is ready. */
  readonly promptToType: string | null;
}

export interface SessionHooks {
  readonly spec: () => HolderSpec;
  readonly prepare: (request: SessionRequest) => Promise<PreparedSession>;
  readonly onOutput: (frame: OutputFrame) => void;
  readonly onEvent: (event: HolderEvent) => void;
  /** A program runs, now or since before this host; called before anything that it reports. */
  readonly onSpawned: (marker: string) => void;
  /** The connection to the holder is there, for the first time or again; `status` is what it says. */
  readonly onLinked: (link: HolderLink, status: HolderStatus) => Promise<void>;
  readonly onStarted: (request: SessionRequest, prepared: PreparedSession) => Promise<void>;
  readonly onEnded: (exit: SessionExit, expected: boolean) => void;
  readonly onLost: () => void;
  /** A holder that did not answer when the host came back does now. */
  readonly onRegained: () => void;
}

export type HolderCondition = 'none' | 'alive' | 'dead' | 'unreachable';

export class SessionControl {
  holder: HolderCondition = 'none';
  pid: number | null = null;
  startedAt = 0;
  /** This host has started it, so whatever it reported was heard here. */
  seenFromStart = false;
  exit: SessionExit | null = null;
  /** Why the last session ended, where that is known and was no decision of a person. */
  endNote: string | null = null;
  /** Set by whoever sees that the program takes input. */
  ready = false;
  private link: HolderLink | null = null;
  private ending = false;
  private closing = false;
  /** From the start of a program until it is on record: an end that comes meanwhile is told after that. */
  private recording: Promise<void> | null = null;
  private readonly paths: RunPaths;
  private readonly hooks: SessionHooks;
  private readonly startSlots: Semaphore;
  private readonly log: Log;

  constructor(paths: RunPaths, hooks: SessionHooks, startSlots: Semaphore, log: Log) {
    this.paths = paths;
    this.hooks = hooks;
    this.startSlots = startSlots;
    this.log = log;
  }

  get alive(): boolean {
    return this.pid !== null && this.exit === null && this.holder === 'alive';
  }

  /** @throws GatehouseError `run.not-live` when nothing is there to be looked at or typed to. */
  mustLive(run: string): void {
    if (!this.alive)
      throw new GatehouseError('run.not-live', `no session of ${run} is alive`, `gatehouse resume ${run}`);
  }

  get holderPid(): number | null {
    return this.link?.pid ?? null;
  }

  /** Finds the holder that an earlier host left. */
  async adopt(): Promise<void> {
    const found = await HolderLink.adopt(this.paths);
    if (found === 'dead' || found === 'none') this.holder = found;
    else if (found === 'unreachable') void this.reconnect().then((back) => back && this.hooks.onRegained());
    else await this.linked(found);
  }

  /** Ends what lives, then starts a program. At most a few programs of all runs are starting at once. */
  start(request: SessionRequest): Promise<void> {
    return this.startSlots.run(async () => {
      const link = await this.ensureHolder();
      // Also what a session left that has ended: it must not work beside the next one.
      const left = await this.end();
      if (left.length > 0) this.log.warn('processes of an earlier session could not be ended', { left });
      const prepared = await this.hooks.prepare(request);
      this.ready = false;
      this.recording = this.spawn(link, request, prepared).finally(() => {
        this.recording = null;
      });
      await this.recording;
      await this.untilReady();
    });
  }

  private async spawn(link: HolderLink, request: SessionRequest, prepared: PreparedSession): Promise<void> {
    const result = await link.request('spawn', prepared.spawn);
    if (!result.ok) throw GatehouseError.from(result.error);
    this.spawned(result.session);
    this.seenFromStart = true;
    this.startedAt = Date.now();
    this.endNote = null;
    await this.hooks.onStarted(request, prepared);
  }

  /** Ends the session with everything that any session of this run has started. @returns pids that could not be ended. */
  async end(): Promise<number[]> {
    if (this.link === null) return [];
    this.ending = this.alive;
    try {
      const { left } = await this.link.request('kill', { graceMs: killGraceMs });
      // `exited` comes after the last byte of output; the kill's answer may overtake it.
      for (let waited = 0; this.alive && waited < killGraceMs; waited += 20) await delay(20);
      return left.map((process) => process.pid);
    } finally {
      this.ending = false;
    }
  }

  /** Ends the session at once for what it did: to the run that is an early end. */
  async kill(note: string): Promise<void> {
    if (this.link === null || !this.alive || this.ending || this.endNote !== null) return;
    this.endNote = note;
    await this.link.request('kill', { graceMs: 0 }).catch((error: unknown) => {
      this.endNote = null;
      this.log.warn('a session over its limits was not ended', { error: String(error) });
    });
  }

  /** The run is over: nothing needs its holder any more. */
  async close(): Promise<void> {
    const link = this.link;
    if (link === null) return;
    this.closing = true;
    await link
      .request('close', { graceMs: killGraceMs })
      .catch((error: unknown) => this.log.warn('closing a holder failed', { error: String(error) }));
    this.holder = 'none';
    this.link = null;
  }

  /** The host goes; the holder stays and does not bring a host back on its own. */
  async release(): Promise<void> {
    this.closing = true;
    await this.link?.request('release', {}).catch(() => {});
    this.link?.close();
  }

  input(bytes: Uint8Array): void {
    this.link?.input(bytes);
  }

  async resize(cols: number, rows: number): Promise<void> {
    await this.link?.request('resize', { cols, rows });
  }

  async mark(label: string): Promise<void> {
    await this.link?.request('marker', { label }).catch(() => {});
  }

  reply(key: string, body: RelayBody): void {
    this.link?.request('reply', { key, body }).catch(() => {});
  }

  private async ensureHolder(): Promise<HolderLink> {
    if (this.link !== null && this.holder === 'alive') return this.link;
    const found = await HolderLink.adopt(this.paths);
    if (found === 'unreachable') {
      throw new GatehouseError(
        'run.not-live',
        'the holder of this run lives but does not answer',
        `continue or end it by its pid (${this.paths.dir}/holder.json), then resume`,
      );
    }
    const link = found === 'dead' || found === 'none' ? await HolderLink.start(this.paths, this.hooks.spec()) : found;
    await this.linked(link);
    return link;
  }

  private async linked(link: HolderLink): Promise<void> {
    this.link = link;
    this.holder = 'alive';
    const status = await link.request('status', {});
    this.seenFromStart = false;
    if (status.session !== null) this.spawned(status.session);
    if (this.startedAt === 0) this.startedAt = Date.now();
    link.handle({
      onOutput: this.hooks.onOutput,
      onEvent: (event) => this.event(event),
      onClose: () => void this.unlinked(link),
    });
    await this.hooks.onLinked(link, status);
  }

  private spawned(session: SessionStatus): void {
    this.pid = session.pid;
    this.exit = session.exit;
    this.hooks.onSpawned(session.marker);
  }

  private event(event: HolderEvent): void {
    // Comes before the answer to `spawn`, and before the first report of the program in any case.
    if (event.event === 'spawned') this.spawned(event.session);
    if (event.event === 'exited') {
      this.exit = event.exit;
      this.hooks.onEvent(event);
      const expected = this.ending || this.closing;
      if (this.recording === null) this.hooks.onEnded(event.exit, expected);
      else void this.recording.then(() => this.hooks.onEnded(event.exit, expected)).catch(() => {});
      return;
    }
    this.hooks.onEvent(event);
  }

  /** The connection broke. Only a dead process makes the run lost; anything else is tried again. */
  private async unlinked(link: HolderLink): Promise<void> {
    if (this.link !== link || this.closing) return;
    this.link = null;
    await this.reconnect();
  }

  /** Until it answers or is known to be dead. @returns whether it answers. */
  private async reconnect(): Promise<boolean> {
    this.holder = 'unreachable';
    for (let pauseMs = firstRetryMs; !this.closing; pauseMs = Math.min(pauseMs * 1.5, longestRetryMs)) {
      await delay(pauseMs, undefined, { ref: false });
      const found = await HolderLink.adopt(this.paths);
      if (found === 'dead' || found === 'none') {
        this.holder = 'dead';
        this.hooks.onLost();
        return false;
      }
      if (found === 'unreachable') continue;
      if (this.closing || this.link !== null) {
        found.close();
        return false;
      }
      await this.linked(found);
      return true;
    }
    return false;
  }

  private async untilReady(): Promise<void> {
    const deadline = Date.now() + startSlotMs;
    while (this.alive && !this.ready && Date.now() < deadline) await delay(50);
  }
}
