// Composition of one holder: session, recording, two sockets. Everything that happens is recorded first and told second.
import { rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { GatehouseError } from '../core/error.ts';
import type { ProcessIdentity } from '../core/process-identity.ts';
import { identify } from '../platform/process-identity.ts';
import type {
  HolderMethod,
  HolderParams,
  HolderResult,
  HolderSpec,
  HolderStatus,
  LeftProcess,
  SessionExit,
  SessionStatus,
  SpawnParams,
} from '../protocol/holder.ts';
import { CastWriter } from '../recording/writer.ts';
import { HostLink } from './host-link.ts';
import { HostStarter } from './host-starter.ts';
import { checkLaunch, failed } from './launch-check.ts';
import { MemoryKeeper, privateBytes } from './memory.ts';
import { findOwned, markerVariable } from './process-tree.ts';
import { Relay } from './relay.ts';
import { PtySession } from './session.ts';
import { terminate } from './terminate.ts';

/** One event of the recording gathers what arrives in one turn of the loop, up to this. */
const outputBatchBytes = 64 * 1024;
const recordingRetryMs = 500;
/** How long the end of an output may wait for the rest of what could be a secret. Only the recording waits. */
const settleAfterMs = 1_000;
const closeGraceMs = 2_000;
/** Longer than a session takes to drain, so that its exit is recorded before we go. */
const lastExitMs = 6_000;

/** A new session gets a new PTY, but whoever watches keeps the screen: undo what the session before may have left on. */
const undoModes =
  '\x1b\\\x1b[!p\x1b[?1049l\x1b[?9;1000;1001;1002;1003;1004;1005;1006;1015;1016;2004;2026l\x1b[?7;25h\x1b[<9u\x1b[>4;0m\x1b[r\x1b[m\x1b(B\x0f';
/** Title and text would be taken for the new program's: that it works, that it is ready. They scroll away. */
const freshScreen = (rows: number) => `${undoModes}\x1b]2;\x07\x1b[999;1H${'\r\n'.repeat(rows)}\x1b[H`;

type Handlers = {
  readonly [M in HolderMethod]: (params: HolderParams<M>) => HolderResult<M> | Promise<HolderResult<M>>;
};

export class Holder {
  private readonly spec: HolderSpec;
  private readonly identity: ProcessIdentity = identify(process.pid);
  private readonly writer: CastWriter;
  private readonly link: HostLink;
  private readonly relay: Relay;
  private readonly starter: HostStarter;
  private readonly memory = new MemoryKeeper();
  private readonly handlers: Handlers;
  private readonly onClosed: () => void;
  private size: { cols: number; rows: number };
  private pty: PtySession | null = null;
  private session: SessionStatus | null = null;
  private sessions = 0;
  private gathered: Buffer[] = [];
  private gatheredBytes = 0;
  private retry: NodeJS.Timeout | null = null;
  private settling: NodeJS.Timeout | null = null;
  private onExited: (() => void) | null = null;
  private closing: Promise<readonly LeftProcess[]> | null = null;

  constructor(spec: HolderSpec, onClosed: () => void) {
    this.spec = spec;
    this.onClosed = onClosed;
    this.size = { cols: spec.cols, rows: spec.rows };
    this.writer = new CastWriter({
      path: spec.recording,
      ...this.size,
      title: spec.runId,
      policy: spec.record ?? 'full',
      onFailed: (code, message) => this.onRecordingFailed(code, message),
      onResumed: (lostBytes) => this.onRecordingResumed(lostBytes),
    });
    this.starter = new HostStarter({
      argv: spec.hostArgv,
      env: spec.env,
      absenceMs: spec.hostAbsenceMs ?? 2_000,
      stamp: spec.hostStamp ?? null,
      runDir: spec.runDir,
      onRunGone: () => void this.close(),
    });
    this.relay = new Relay({
      path: spec.runSocket,
      keyPrefix: `${this.identity.pid}.${this.identity.startTime}`,
      limitMs: spec.relayLimitMs ?? 600_000,
      send: (event) => {
        if (this.link.present) this.link.event(event);
        return this.link.present;
      },
      onWaiting: () => this.starter.wanted(),
    });
    this.link = new HostLink(spec.holderSocket, {
      onRequest: (method, params) => this.request(method, params),
      onInput: (bytes) => this.input(bytes),
      onPressure: (high) => (high ? this.pty?.pause() : this.pty?.unpause()),
      onPresence: (present) => this.presence(present),
    });
    this.handlers = this.makeHandlers();
  }

  async start(): Promise<void> {
    await this.link.listen();
    await this.relay.listen();
    writeFileSync(this.identityFile, `${JSON.stringify({ ...this.identity, spec: this.spec })}\n`, { mode: 0o600 });
    this.starter.hostLeft();
  }

  /** Ends everything of this run, records the exit, closes the sockets; once, however often it is asked to. */
  close(graceMs = closeGraceMs): Promise<readonly LeftProcess[]> {
    this.closing ??= this.endEverything(graceMs);
    return this.closing;
  }

  private async endEverything(graceMs: number): Promise<readonly LeftProcess[]> {
    const left = await this.kill(graceMs);
    this.starter.stop();
    this.memory.close();
    await this.relay.close();
    if (this.retry !== null) clearInterval(this.retry);
    if (this.settling !== null) clearTimeout(this.settling);
    this.writer.close();
    rmSync(this.identityFile, { force: true });
    // The answer to `close` must be on its way before its socket ends.
    setImmediate(() => void this.link.close().then(this.onClosed));
    return left;
  }

  private get identityFile(): string {
    return join(this.spec.runDir, 'holder.json');
  }

  private get markerPrefix(): string {
    return `${this.spec.runDir}#`;
  }

  private makeHandlers(): Handlers {
    return {
      status: () => this.status(),
      spawn: (params) => this.spawn(params),
      resize: ({ cols, rows }) => this.resize(cols, rows),
      signal: ({ signal }) => ({ delivered: this.pty?.signal(signal) ?? false }),
      kill: async ({ graceMs }) => ({ left: await this.kill(graceMs) }),
      marker: ({ label }) => this.marker(label),
      subscribe: () => this.subscribe(),
      reply: ({ key, body }) => ({ delivered: this.relay.reply(key, body) }),
      release: () => {
        this.starter.release();
        return {};
      },
      close: async ({ graceMs }) => ({ left: await this.close(graceMs) }),
    };
  }

  private request(method: string, params: unknown): unknown {
    this.memory.touched();
    if (!Object.hasOwn(this.handlers, method)) {
      throw new GatehouseError(
        'usage.invalid',
        `a holder knows no ${method}`,
        'host and holder differ in version: stop the run, then resume it',
      );
    }
    const handler = this.handlers[method as HolderMethod] as (params: unknown) => unknown;
    return handler(params ?? {});
  }

  private presence(present: boolean): void {
    if (present) {
      this.starter.hostArrived();
      this.relay.hostArrived();
    } else {
      this.relay.hostLeft();
      this.starter.hostLeft();
      if (this.relay.hasWaiting) this.starter.wanted();
    }
  }

  private status(): HolderStatus {
    this.flush();
    return {
      runId: this.spec.runId,
      holder: this.identity,
      ...this.size,
      ...this.writer.position,
      recording: this.writer.failed ? 'failed' : 'recording',
      session: this.session,
      inputQueued: this.pty?.inputQueued ?? 0,
      privateBytes: privateBytes(),
    };
  }

  private subscribe(): HolderResult<'subscribe'> {
    this.flush();
    // Whoever begins to follow finds everything before that in the recording.
    this.settle();
    const status = this.status();
    this.link.goLive(status.offset);
    return { ...this.writer.position, ...this.size, status };
  }

  private spawn(params: SpawnParams): HolderResult<'spawn'> {
    if (this.pty !== null) {
      const hint = 'end the session first';
      return { ok: false, error: { code: 'run.busy', message: 'a session of this run is alive', hint } };
    }
    const checked = checkLaunch(params);
    if ('error' in checked) return { ok: false, ...checked };
    const number = this.sessions + 1;
    const marker = `${this.markerPrefix}${this.identity.pid}.${number}`;
    const env = { ...params.env, [markerVariable]: marker };
    let pty: PtySession;
    try {
      pty = new PtySession(
        checked.path,
        { ...params, env },
        {
          onOutput: (bytes) => this.gather(bytes),
          onEnd: (exit) => this.ended(exit),
        },
      );
    } catch (error) {
      return { ok: false, ...failed(`no process could be started: ${(error as Error).message}`) };
    }
    this.pty = pty;
    this.sessions = number;
    preferForKilling(pty.pid);
    this.resize(params.cols, params.rows);
    if (number > 1 || this.writer.continues) this.record(Buffer.from(freshScreen(params.rows)));
    const { label, cwd } = params;
    const argv = [...params.argv];
    this.session = {
      ...identify(pty.pid),
      session: number,
      marker,
      label,
      title: params.title ?? null,
      argv,
      cwd,
      exit: null,
    };
    this.marker(label);
    this.link.streamEvent({ event: 'spawned', session: this.session, ...this.writer.position });
    return { ok: true, session: this.session, offset: this.writer.position.offset };
  }

  private resize(cols: number, rows: number): { offset: number } {
    if (cols !== this.size.cols || rows !== this.size.rows) {
      this.flush();
      this.pty?.resize(cols, rows);
      this.size = { cols, rows };
      this.writer.resize(cols, rows);
      this.link.streamEvent({ event: 'resized', cols, rows, ...this.writer.position });
    }
    return { offset: this.writer.position.offset };
  }

  private marker(label: string): { offset: number } {
    this.flush();
    this.writer.marker(label);
    this.link.streamEvent({ event: 'marked', label, ...this.writer.position });
    return { offset: this.writer.position.offset };
  }

  private input(bytes: Buffer): void {
    if (this.pty === null) return;
    if (!this.pty.write(bytes)) {
      const queuedBytes = this.pty.inputQueued;
      this.link.event({ event: 'input-overflow', refusedBytes: bytes.length, queuedBytes });
    } else if (this.spec.recordInput === true) {
      this.flush();
      this.writer.input(bytes.toString('utf8'));
    }
  }

  private gather(bytes: Buffer): void {
    if (this.gatheredBytes === 0) setImmediate(() => this.flush());
    this.gathered.push(bytes);
    this.gatheredBytes += bytes.length;
    if (this.gatheredBytes >= outputBatchBytes) this.flush();
  }

  private flush(): void {
    if (this.gatheredBytes === 0) return;
    const [first] = this.gathered;
    const bytes = this.gathered.length === 1 && first !== undefined ? first : Buffer.concat(this.gathered);
    this.gathered = [];
    this.gatheredBytes = 0;
    this.record(bytes);
  }

  private record(bytes: Buffer): void {
    this.memory.touched();
    const whole = this.writer.output(bytes);
    if (whole.length > 0) this.link.output({ ...this.writer.position, bytes: whole });
    if (this.settling !== null) clearTimeout(this.settling);
    this.settling = this.writer.holdsBack ? setTimeout(() => this.settle(), settleAfterMs) : null;
  }

  /** What was held back is written; whoever follows has its bytes and now learns the new offset. */
  private settle(): void {
    if (!this.writer.holdsBack) return;
    this.writer.settle();
    this.link.output({ ...this.writer.position, bytes: Buffer.alloc(0) });
  }

  private ended(exit: SessionExit): void {
    this.flush();
    const rest = this.writer.endOutput();
    if (rest.length > 0) this.link.output({ ...this.writer.position, bytes: rest });
    this.writer.exit(exitStatus(exit));
    this.pty = null;
    if (this.session !== null) {
      this.session = { ...this.session, exit };
      this.link.streamEvent({ event: 'exited', session: this.session.session, exit, ...this.writer.position });
    }
    this.onExited?.();
  }

  private async kill(graceMs: number): Promise<LeftProcess[]> {
    const exited = this.pty === null ? Promise.resolve() : new Promise<void>((done) => (this.onExited = done));
    const find = (): LeftProcess[] =>
      findOwned({ leaders: this.pty === null ? [] : [this.pty.pid], markerPrefix: this.markerPrefix });
    const left = await terminate(find, graceMs);
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([exited, new Promise((done) => (timer = setTimeout(done, lastExitMs)))]);
    clearTimeout(timer);
    return left;
  }

  private onRecordingFailed(code: string, message: string): void {
    console.error(message);
    this.retry ??= setInterval(() => this.writer.retry(), recordingRetryMs);
    this.link.event({ event: 'recording-failed', code, message, offset: this.writer.position.offset });
  }

  private onRecordingResumed(lostBytes: number): void {
    if (this.retry !== null) clearInterval(this.retry);
    this.retry = null;
    this.link.event({ event: 'recording-resumed', lostBytes, offset: this.writer.position.offset });
  }
}

/** As shells count: a signal is 128 and its number. */
function exitStatus({ code, signal }: SessionExit): number {
  return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

/** When memory runs out the kernel should take the agent's processes, not those that supervise them. */
function preferForKilling(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  } catch {
    // The process has gone already.
  }
}
