// What the engine needs from outside. The host supplies it; tests supply fakes or the real parts.
import type { Effect } from '../core/event.ts';
import type { Policy } from '../core/policy.ts';
import type { Delivery, RepositoryFacts, RunState } from '../core/state.ts';
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
   * Called after the state is durable, in order. Each effect is idempotent; after a crash between the two it is
   * given once more. The engine carries out `delivery.start` itself and does not pass it on.
   */
  effects(effects: readonly Effect[], state: RunState): void;
  /**
   * Who works in the session now: the runtime's own session id, or, where it has none, any text that differs for each
   * conversation (`launch-3`). Null when no session is alive. A clean-room review needs one that differs from the author's.
   */
  currentSession(): string | null;
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

export interface Clone {
  readonly root: string;
  /** Shared by all worktrees of the clone. */
  readonly gitDir: string;
  readonly remote: string | null;
  readonly remoteUrl: string | null;
  readonly defaultBranch: string;
}

export interface Baseline {
  readonly branch: string;
  readonly commit: string;
  readonly developmentBranch: string;
  readonly policy: Policy;
  readonly policySource: string;
  readonly warnings: readonly string[];
}

export interface WorkspacePlace {
  readonly run: string;
  readonly root: string;
  readonly remote: string | null;
  readonly worktree: string;
  /** Index of our own, so that looking at the worktree never touches the agent's. */
  readonly index: string;
  /** Checkout in which the final commit is made; ours alone. */
  readonly delivery: string;
  readonly branch: string;
}

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted';
}

export interface DiffText {
  readonly stat: string;
  readonly text: string;
  /** Lines left out at the end. */
  readonly truncated: number;
}

export interface Failure<Reason extends string> {
  readonly ok: false;
  readonly reason: Reason;
  readonly message: string;
}

export interface Workspace {
  /** Makes the worktree on its branch; does nothing when it is there. */
  create(commit: string): Promise<void>;
  exists(): Promise<boolean>;
  /** Hash of the tree of everything in the worktree that is not ignored. */
  tree(): Promise<string>;
  head(): Promise<string>;
  treeOfCommit(commit: string): Promise<string>;
  changes(from: string, to: string): Promise<FileChange[]>;
  diff(from: string, to: string, maxBytes: number): Promise<DiffText>;
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

export interface SyncRequest {
  readonly baselineBranch: string;
  readonly policy: 'merge' | 'rebase';
  readonly message: string;
  readonly date: string;
  /** A baseline commit whose merge was left with conflicts before, now solved in the worktree. */
  readonly pending: string | null;
}

export type SyncResult =
  | { readonly ok: true; readonly commit: string; readonly conflicts: readonly string[]; readonly tree: string }
  | Failure<'remote-lost' | 'branch-missing' | 'failed'>;

export interface PublishRequest {
  readonly tree: string;
  /** The baseline that the tree stands on. */
  readonly base: string;
  readonly reviewBranch: string;
  readonly message: string;
  readonly date: string;
}

export type PublishResult =
  | { readonly ok: true; readonly commit: string; readonly compareLink: string; readonly pushed: boolean }
  | Failure<'remote-lost' | 'push-rejected' | 'failed'>;

export interface DeliverRequest {
  readonly tree: string;
  readonly base: string;
  readonly policy: 'merge' | 'rebase';
  readonly targetBranch: string;
  readonly message: string;
  readonly mergeMessage: string;
  readonly date: string;
  /** Facts of an earlier attempt. */
  readonly known: Pick<Delivery, 'finalCommit' | 'mergeCommit'>;
  /** The declared tests, in the folder that holds the merged tree. Asked only when that tree differs from the approved one. */
  runTests(folder: string): Promise<{ readonly ok: boolean; readonly message: string }>;
  progressed(facts: { readonly finalCommit: string; readonly mergeCommit: string | null }): Promise<void>;
}

export type DeliverResult =
  | {
      readonly ok: true;
      readonly finalCommit: string;
      readonly mergeCommit: string;
      /** `origin/develop`, or the local branch when there is no remote. */
      readonly pushedTo: string;
      /** The merged tree is not the approved one: the target had moved. */
      readonly moved: boolean;
    }
  | Failure<
      | 'conflict'
      | 'hook-rejected'
      | 'hook-changed-tree'
      | 'tests-failed'
      | 'push-rejected'
      | 'remote-lost'
      | 'branch-missing'
      | 'checked-out'
      | 'failed'
    >;

export type { RepositoryFacts };
