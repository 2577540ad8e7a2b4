// What the parts of the engine share: one run's state, its files, the ports, and the one way to change the state.
import type { Config } from '../core/config.ts';
import { GatehouseError } from '../core/error.ts';
import type { RunEvent } from '../core/event.ts';
import { type Problem, type Rejection, reject } from '../core/rejection.ts';
import type { RepositoryFacts, RunState } from '../core/state.ts';
import type { Verdict } from '../core/transition.ts';
import type { Log } from '../platform/log.ts';
import type { RunPaths } from '../platform/paths.ts';
import type { EnginePorts, Workspace } from './ports.ts';

export interface RunContext {
  readonly paths: RunPaths;
  readonly config: Config;
  readonly ports: EnginePorts;
  readonly log: Log;
  /** Throws a state error. */
  state(): RunState;
  workspace(): Workspace;
  /** ISO time. */
  now(): string;
  /** The rule decides; what it accepts is durable before this returns. */
  apply(event: RunEvent): Promise<Verdict>;
  /** Runs as one atomic step; for work that left the queue in between. */
  atomically<T>(work: () => Promise<T>): Promise<T>;
}

/** A rejection on its way to whoever asked. Thrown inside the engine, a value outside. */
export class Refused extends Error {
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super(rejection.message);
    this.name = 'Refused';
    this.rejection = rejection;
  }
}

export function refuse(
  code: Rejection['code'],
  message: string,
  hint: string,
  problems: readonly Problem[] = [],
): Refused {
  return new Refused(reject(code, message, hint, problems));
}

/** The state after an event that must be accepted; a refusal goes to whoever asked. */
export async function applied(run: RunContext, event: RunEvent): Promise<RunState> {
  const verdict = await run.apply(event);
  if (!verdict.ok) throw new Refused(verdict.rejection);
  return verdict.state;
}

export function repositoryOf(state: RunState): RepositoryFacts {
  if (state.repository !== null) return state.repository;
  throw new GatehouseError('run.busy', 'the worktree of this run is not made yet', 'wait a moment and ask again');
}

/** The baseline that the product stands on: the one synced last. */
export function standsOn(state: RunState): string {
  return state.sync?.commit ?? repositoryOf(state).baselineCommit;
}
