// What the parts of one run (launcher, director, lattice desk, activity) know of it. The run itself puts them together.
import type { AgentConfig, RuntimeConfig } from '../core/config.ts';
import type { RunState } from '../core/state.ts';
import type { RunEngine } from '../engine/run-engine.ts';
import type { RunPaths } from '../platform/paths.ts';
import type { SessionExit } from '../protocol/holder.ts';
import type { RuntimeAdapter } from '../runtimes/adapter.ts';
import type { HostParts } from './host-parts.ts';
import type { LaunchRecord } from './launch-record.ts';
import type { ProcessWatch } from './process-watch.ts';
import type { Reports } from './reports.ts';
import type { ScreenFeed } from './screen-feed.ts';
import type { SessionControl } from './session-control.ts';
import type { Typist } from './typist.ts';

export interface RunContext {
  readonly record: LaunchRecord;
  readonly paths: RunPaths;
  readonly parts: HostParts;
  readonly adapter: RuntimeAdapter;
  readonly runtimeConfig: RuntimeConfig;
  readonly agentConfig: AgentConfig;
  /** @throws GatehouseError `run.busy` while the run is being prepared. */
  readonly engine: RunEngine;
  readonly state: RunState | null;
  readonly sandboxed: boolean;
  readonly session: SessionControl;
  readonly feed: ScreenFeed;
  readonly reports: Reports;
  readonly typist: Typist;
  readonly processes: ProcessWatch;
  /** Does the runtime still have this conversation. */
  hasConversation(id: string): Promise<boolean>;
  save(change: Partial<LaunchRecord>): Promise<void>;
  /** Why a session ended, where that is known. */
  explainEnd(exit: SessionExit, expected: boolean): Promise<string | null>;
  /** Something has changed that a row shows. */
  look(): void;
}
