// What every run of a host shares.
import type { Config } from '../core/config.ts';
import type { RunDetail } from '../core/run.ts';
import type { HeadLedger } from '../engine/head-ledger.ts';
import type { GitPort } from '../engine/ports.ts';
import type { Log } from '../platform/log.ts';
import type { HomePaths } from '../platform/paths.ts';
import type { LaunchRecord } from './launch-record.ts';
import type { Semaphore } from './semaphore.ts';
import type { LimitForce } from '../sandbox/limits.ts';
import type { SandboxProbe } from '../sandbox/probe.ts';

/** What automations see of a run. */
export interface EnteredRun {
  readonly record: LaunchRecord;
  detail(): Promise<RunDetail>;
}

export interface StageMove {
  /** The same for the same transition, however often its effects are given. */
  readonly id: string;
  readonly from: string | null;
  readonly to: string;
}

export interface HostParts {
  readonly paths: HomePaths;
  readonly config: Config;
  /** Seals the journals of this home. */
  readonly key: Buffer;
  readonly heads: HeadLedger;
  readonly git: GitPort;
  readonly sandbox: SandboxProbe;
  readonly limitForce: LimitForce;
  readonly startSlots: Semaphore;
  readonly log: Log;
  clock(): Date;
  /** A row may have changed. */
  touch(): void;
  /** Something that a person should hear of now. */
  notify(run: string, why: 'gate' | 'halted' | 'done' | 'blocked', text: string): void;
  /** A stage was entered; automations of the configuration may follow. */
  stageEntered(run: EnteredRun, move: StageMove): void;
}
