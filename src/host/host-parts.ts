// What every run of a host shares.
import type { Config } from '../core/config.ts';
import type { GitPort } from '../engine/ports.ts';
import type { Log } from '../platform/log.ts';
import type { HomePaths } from '../platform/paths.ts';
import type { Semaphore } from './semaphore.ts';
import type { SandboxProbe } from '../sandbox/probe.ts';

export interface HostParts {
  readonly paths: HomePaths;
  readonly config: Config;
  /** Seals the journals of this home. */
  readonly key: Buffer;
  readonly git: GitPort;
  readonly sandbox: SandboxProbe;
  readonly startSlots: Semaphore;
  readonly log: Log;
  clock(): Date;
  /** A row may have changed. */
  touch(): void;
  /** Something that a person should hear of now. */
  notify(run: string, why: 'gate' | 'halted' | 'done' | 'blocked', text: string): void;
  /** A stage was entered; automations of the configuration may follow. */
  stageEntered(run: string, from: string | null, to: string): void;
}
