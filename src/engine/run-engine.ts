// Owns one run's state: the only writer of its state.json and journal. Every public method is atomic (one queue per run).
import type { Config } from '../core/config.ts';
import { type ErrorBody, GatehouseError } from '../core/error.ts';
import type { Operator, RunState } from '../core/state.ts';
import type { Task } from '../core/task.ts';
import type { Log } from '../platform/log.ts';
import type { RunPaths } from '../platform/paths.ts';
import type {
  ApproveAnswer,
  ApproveRequest,
  ArtifactContent,
  AskAnswer,
  AskMethod,
  DiffAnswer,
  FeedbackRequest,
  Pending,
  Refusal,
  StageAnswer,
} from './api.ts';
import type { EnginePorts } from './ports.ts';

export interface EngineOptions {
  readonly run: string;
  readonly paths: RunPaths;
  /** The home's key; see `loadEngineKey`. */
  readonly key: Buffer;
  readonly config: Config;
  readonly ports: EnginePorts;
  readonly log: Log;
}

export interface CreateOptions extends EngineOptions {
  readonly task: Task;
  /** The operator's clone. */
  readonly repo: string;
  /** From the agent's configuration; `fresh` refuses a review by the author's session. */
  readonly review: 'fresh' | 'same';
}

export interface RunEngine {
  readonly run: string;
  /** The state the engine vouches for; null only when nothing can be vouched for. */
  readonly state: RunState | null;
  readonly stateError: ErrorBody | null;
  /** The last 20, newest first. */
  readonly refusals: readonly Refusal[];
  /** Notes of the start: an unreachable remote, a checked-out target branch. */
  readonly warnings: readonly string[];
  /** Requests of the agent. `params` as src/protocol/lattice.ts gives them. */
  ask(method: AskMethod, params: unknown): Promise<AskAnswer>;
  approve(request: ApproveRequest): Promise<ApproveAnswer>;
  sendBack(request: FeedbackRequest): Promise<StageAnswer>;
  grant(operator: Operator): Promise<StageAnswer>;
  restore(operator: Operator): Promise<StageAnswer>;
  continueRun(operator: Operator, to?: 'same' | 'patch'): Promise<StageAnswer>;
  halt(code: 'start-failed' | 'operator', reason: string, hint: string): Promise<StageAnswer>;
  /** The session was ended by a person; the stage stays as it is. */
  recordStop(operator: Operator): Promise<StageAnswer>;
  artifact(name: string): Promise<ArtifactContent | null>;
  diff(): Promise<DiffAnswer>;
  /** Looks for crossed boundaries and changed files; call it on a watch. Every request does it by itself. */
  inspect(): Promise<void>;
  /** What waits for a person now. */
  subject(): Promise<Pending | null>;
  /** Lines for `lattice footer`. */
  footer(): string;
  /** Resolves when nothing of this run is in progress any more (delivery included). */
  settled(): Promise<void>;
}

export async function createRun(options: CreateOptions): Promise<RunEngine> {
  throw new GatehouseError('internal', `createRun of ${options.run} is not there yet`, 'wait for the engine');
}

export async function openRun(options: EngineOptions): Promise<RunEngine> {
  throw new GatehouseError('internal', `openRun of ${options.run} is not there yet`, 'wait for the engine');
}
