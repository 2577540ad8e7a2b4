// What the engine needs from outside. The host supplies it; tests supply fakes or the real parts.
import type { Effect } from '../core/event.ts';
import type { Policy } from '../core/policy.ts';
import type {
  Baseline,
  Clone,
  DeliverRequest,
  DeliverResult,
  DiffText,
  FileChange,
  LineCounts,
  PublishRequest,
  PublishResult,
  SyncRequest,
  SyncResult,
  WorkspacePlace,
} from '../core/repository.ts';
import type { RunState } from '../core/state.ts';
import type { Priority } from '../core/task.ts';

export interface EnginePorts {
  clock(): Date;
  /** `gitPort` of src/git. */
  readonly git: GitPort;
  /** The folder that holds `lattice-diagnose/SKILL.md` and the others. */
  readonly skills: string;
  /** Runs a program the way the session would: in its sandbox, with its environment. */
  runCommand(request: CommandRequest): Promise<CommandResult>;
  /**
   * Called after the state is durable, in order, from `RunEngine.start` on. Each effect is idempotent; after a crash
   * between the two it is given once more, except `session.enter`: a host that comes back looks itself where the
   * session has to be. The engine carries out `delivery.start` and does not pass it on.
   */
  effects(effects: readonly Effect[], state: RunState): void;
  /**
   * Who works in the session now: the runtime's own session id, or, where it has none, any text that differs for each
   * conversation (`launch-3`). Null when no session is alive. A clean-room review needs one that differs from the author's.
   */
  currentSession(): string | null;
  /**
   * Does what replaces files of the worktree or recorded artifacts while they may not change for the session. A sandbox
   * covers single files by mounts, which go away under a session that lives; so none does meanwhile.
   */
  withoutSession<T>(work: () => Promise<T>): Promise<T>;
  /** Something that `state`, `stateError` or `refusals` show has changed. */
  changed?(): void;
}

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Additions to the session's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Standard output and standard error as they come, in one stream. */
  onOutput(chunk: Buffer): void;
}

export interface CommandResult {
  /** Null when a signal ended it or it could not be started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** Why it could not be started. */
  readonly failure: string | null;
}

export interface GitPort {
  /** Throws `repo.unusable`: no repository, no commit, dirty. */
  openClone(path: string): Promise<Clone>;
  /** Throws `repo.unusable` or `policy.invalid`. Fetches first when there is a remote. */
  findBaseline(clone: Clone, priority: Priority, configured: Policy | undefined): Promise<Baseline>;
  /** A handle; nothing is read or written before a method is called. */
  workspace(place: WorkspacePlace): Workspace;
}

export interface Workspace {
  /** Makes the worktree on its branch; does nothing when it is there. */
  create(commit: string): Promise<void>;
  /** Takes `create` back, for a run that did not come to be: what was made there holds no work yet. */
  discard(commit: string): Promise<void>;
  exists(): Promise<boolean>;
  /** Hash of the tree of everything in the worktree that is not ignored. */
  tree(): Promise<string>;
  head(): Promise<string>;
  treeOfCommit(commit: string): Promise<string>;
  changes(from: string, to: string): Promise<FileChange[]>;
  diff(from: string, to: string, maxBytes: number): Promise<DiffText>;
  lineCounts(from: string, to: string): Promise<LineCounts[]>;
  /** Folders at the top of a tree. */
  folders(treeish: string): Promise<string[]>;
  /** What git ignores in the worktree; whole folders end with a slash. */
  ignored(): Promise<string[]>;
  /** Number of lines of a file in a commit or tree; null when it is not a file there. */
  lineCount(treeish: string, path: string): Promise<number | null>;
  lines(treeish: string, path: string, from: number, to: number): Promise<string | null>;
  /** Files of this tree that hold conflict markers, of those given. */
  unresolved(tree: string, paths: readonly string[]): Promise<string[]>;
  /** Puts the worktree back to a tree. New files are moved to `aside`, never deleted. */
  restore(tree: string, aside: string): Promise<void>;
  sync(request: SyncRequest): Promise<SyncResult>;
  publishReview(request: PublishRequest): Promise<PublishResult>;
  deliver(request: DeliverRequest): Promise<DeliverResult>;
}
