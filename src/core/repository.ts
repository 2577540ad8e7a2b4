// What git and the engine tell each other about a run's repository: requests, facts and expected failures.
import type { Policy } from './policy.ts';
import type { Delivery } from './state.ts';

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
  /** Program to use for git when a working tree takes part, once the file is there. */
  readonly confinedGit?: string;
  /** Folder for the checkout in which commit hooks and the tests of a merged tree run; made and taken away by us. */
  readonly delivery: string;
  readonly branch: string;
}

export interface FileChange {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted';
  /** A repository of its own: only its commit would be delivered, not its files. */
  readonly isRepository?: boolean;
}

/** Lines added and removed; null for a binary file. */
export interface LineCounts {
  readonly path: string;
  readonly added: number | null;
  readonly removed: number | null;
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
  readonly baseBranch: string;
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
  readonly targetBranch: string;
  readonly message: string;
  readonly mergeMessage: string;
  readonly date: string;
  /** Facts of an earlier attempt. */
  readonly known: Pick<Delivery, 'finalCommit' | 'mergeCommit'>;
  /** Runs a program where the agent's programs run, never with the rights of the host: the agent may have written it. */
  readonly run: (command: DeliveryCommand) => Promise<DeliveryCommandResult>;
  /** True: the tests run in a clean checkout, also when the target has not moved. False: beside what the worktree has ignored. */
  readonly clean: boolean;
  /** The declared tests, in the folder that holds the merged tree. */
  runTests(folder: string): Promise<{ readonly ok: boolean; readonly message: string }>;
  progressed(facts: { readonly finalCommit: string; readonly mergeCommit: string | null }): Promise<void>;
}

export interface DeliveryCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface DeliveryCommandResult {
  readonly ok: boolean;
  readonly output: string;
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
