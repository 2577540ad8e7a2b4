// What one session may see and write, as data. Made by `planSandbox`, turned into a command line by `sandboxArgv`.
import type { WriteRight } from '../core/stage.ts';
import type { RunPaths } from '../platform/paths.ts';
import type { Bubblewrap } from './probe.ts';

export interface SandboxPlan {
  readonly bwrap: Bubblewrap;
  readonly run: RunPaths;
  readonly writes: WriteRight;
  /** Below /proc, read-only. */
  readonly machineSwitches: readonly string[];
  /** Empty and private in the session: /tmp, /var/tmp, /run. Writable, of a limited size. */
  readonly privateFolders: readonly string[];
  /** Folders of which only listed entries are there; parents come before what is in them. */
  readonly curated: readonly CuratedFolder[];
  /** Folders (emptied, read-only) and files (empty) that must not be seen: Gatehouse's home, its sockets, stray secrets. */
  readonly masked: readonly MaskedPath[];
  /** Read-only, although something above may be private or hidden: listed binds, what name resolution needs. */
  readonly visible: readonly string[];
  /** Writable: listed binds, the runtime's own state. */
  readonly writable: readonly string[];
  /** Folders of the runtime in which settings and state stand side by side. */
  readonly stores: readonly PlannedStore[];
  /** Files of which a session writes a copy: the copy's path, and where it is seen. */
  readonly copies: readonly { readonly source: string; readonly target: string }[];
  /** There and read-only, whatever the configuration binds: the clone, `lattice` and its node. */
  readonly guarded: readonly string[];
  /** Read-only again inside of what is writable: overlays of ours. */
  readonly readOnlyInside: readonly string[];
  readonly git: GitView | null;
  /** Top-level entries of the worktree that hold the product; read-only unless `writes` is `product`. */
  readonly product: readonly string[];
  /** Symbolic links among them: nothing can be mounted on a link, so only comparing the worktree notices a change. */
  readonly unprotected: readonly string[];
  /** Ignored folders below those: build output that stays writable. */
  readonly scratchInside: readonly string[];
  /** Checkouts of this run other than its worktree, in which a command of the engine runs; writable. */
  readonly checkouts: readonly string[];
  /** Artifacts that a person has approved. */
  readonly frozen: readonly string[];
  /** File with the system call filter; null on an architecture without one, and then the session gets no terminal of its own. */
  readonly seccomp: string | null;
  /** Written before the start by `prepareSandbox`: 0600, folders 0700. */
  readonly files: readonly PlannedFile[];
  readonly folders: readonly string[];
  /** Limit of each private folder. */
  readonly privateBytes: number;
}

export interface CuratedFolder {
  readonly path: string;
  readonly entries: readonly CuratedEntry[];
}

export type CuratedEntry =
  | { readonly kind: 'shown'; readonly name: string }
  | { readonly kind: 'replaced'; readonly name: string; readonly source: string }
  | { readonly kind: 'link'; readonly name: string; readonly target: string };

export interface PlannedStore {
  /** Below it lies what the session may write; the run's own folder, or the operator's. */
  readonly base: string;
  readonly target: string;
  /** Bound over it, in this order. */
  readonly mounts: readonly StoreMount[];
}

export interface StoreMount {
  /** Null: something empty, where the operator has nothing. */
  readonly source: string | null;
  /** Relative to the store. */
  readonly name: string;
  readonly kind: 'folder' | 'file';
  readonly writable: boolean;
}

export interface MaskedPath {
  readonly path: string;
  readonly kind: 'folder' | 'file';
}

export interface PlannedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly mode?: number;
}

/**
 * The clone's git folder as the session sees it: a folder of ours, bound over the real one, in which the real objects,
 * refs and this worktree's own administration are bound. Not the real folder with a mask over `config`: a mount over a
 * file goes away in every session as soon as somebody replaces that file by renaming, and git always does.
 */
export interface GitView {
  /** The clone's git folder, where the view is bound. */
  readonly commonDir: string;
  readonly view: string;
  /** Below `commonDir`, read-only, one by one. */
  readonly entries: readonly string[];
  /** Can new objects be written; a session cannot. */
  readonly writesObjects: boolean;
  /** The worktree's `.git` file. */
  readonly pointer: string;
}
