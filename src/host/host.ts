// The composition root of the background process: registry, operator socket, what all runs share.
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../core/config.ts';
import { loadEngineKey } from '../engine/engine-key.ts';
import { HeadLedger } from '../engine/head-ledger.ts';
import { gitPort } from '../git/git-port.ts';
import type { Log } from '../platform/log.ts';
import type { HomePaths } from '../platform/paths.ts';
import { probeLimits } from '../sandbox/limits.ts';
import { probeSandbox } from '../sandbox/probe.ts';
import { Automations } from './automations.ts';
import { Notifier } from './notifier.ts';
import { Registry } from './registry.ts';
import type { HostLock } from './lock.ts';
import { type HostFace, makeRequests } from './requests.ts';
import { Semaphore } from './semaphore.ts';
import { OperatorServer } from './server.ts';
import type { HostParts } from './host-parts.ts';

export interface HostOptions {
  readonly paths: HomePaths;
  readonly config: Config;
  readonly log: Log;
  readonly pid: number;
  readonly lock: HostLock;
}

/** Ages in rows and graces of rules move on without an event; each run is looked at again this often ... */
const lookAgainMs = 1_000;
/** ... in so many parts: to look at hundreds of runs in one go would hold up every key. */
const lookParts = 10;
/** A longer pause between two looks means that this process did not run: stopped, or the machine asleep. */
const sleptMs = 5_000;
/** Clients wait for a host longer than this; the row of a run that is still being read back says so. */
const loadPatienceMs = 15_000;

export class Host implements HostFace {
  readonly startedAt = new Date().toISOString();
  readonly paths: HomePaths;
  readonly registry: Registry;
  private readonly server: OperatorServer;
  private readonly log: Log;
  private readonly automations: Automations;
  private readonly stopListeners: (() => void)[] = [];
  private readonly clock: NodeJS.Timeout;
  private stopping = false;

  private constructor(options: HostOptions, shared: Pick<HostParts, 'key' | 'heads' | 'sandbox' | 'limitForce'>) {
    const { paths, config, log } = options;
    this.paths = paths;
    this.log = log;
    const notifier = new Notifier(config, log, (event) => this.server.notice(event));
    const parts: HostParts = {
      ...shared,
      paths,
      config,
      log,
      git: gitPort,
      startSlots: new Semaphore(config.startAtOnce),
      clock: () => new Date(),
      touch: () => this.server.touch(),
      notify: (run, why, text) => notifier.notify(run, why, text),
      stageEntered: (run, move) => this.automations.stageEntered(run, move),
    };
    this.registry = new Registry(paths, parts, log);
    this.automations = new Automations(config, this.registry, paths, log);
    this.server = new OperatorServer(this.registry, (client) => makeRequests(this, client), log);
    let lastLook = Date.now();
    let part = 0;
    this.clock = setInterval(() => {
      this.look(part, Date.now() - lastLook, options.lock);
      lastLook = Date.now();
      part = (part + 1) % lookParts;
    }, lookAgainMs / lookParts);
  }

  /** Reads the runs back before it listens, so that clients see them as they are; one that is stuck holds up nobody. */
  static async start(options: HostOptions): Promise<Host> {
    const key = await loadEngineKey(options.paths.engineKey);
    const host = new Host(options, {
      key,
      heads: await HeadLedger.open(options.paths.heads, key),
      sandbox:
        options.config.sandbox === 'off'
          ? { kind: 'none', reason: 'switched off in config.json', hint: 'set "sandbox" to "auto"' }
          : await probeSandbox(),
      limitForce: await probeLimits(options.config.limits),
    });
    const loaded = host.registry.load();
    await Promise.race([loaded, delay(loadPatienceMs)]);
    await host.server.listen(options.paths.operatorSocket);
    void loaded.then(() => host.registry.takeUp()).then(() => host.automations.begin());
    options.log.info('host started', { pid: options.pid, runs: host.registry.size });
    return host;
  }

  get home(): string {
    return this.paths.home;
  }

  get clients(): number {
    return this.server.clients;
  }

  onStopped(listener: () => void): void {
    this.stopListeners.push(listener);
  }

  private look(part: number, gapMs: number, lock: HostLock): void {
    const runs = this.registry.all();
    if (gapMs > sleptMs) for (const run of runs) run.slept(gapMs);
    for (let index = part; index < runs.length; index += lookParts) runs[index]?.look();
    if (part > 0) return;
    if (!lock.isOurs()) void this.abandon();
    this.server.touch();
  }

  /** The home was taken away or put anew: its runs have no place any more, and neither has this host. */
  private async abandon(): Promise<void> {
    clearInterval(this.clock);
    await Promise.all(this.registry.all().map((run) => run.session.close()));
    await this.stop();
  }

  /** Leaves every session running. */
  async stop(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    clearInterval(this.clock);
    await Promise.all(this.registry.all().map((run) => run.release()));
    await this.server.close();
    this.log.info('host stopped');
    for (const listener of this.stopListeners) listener();
  }
}
