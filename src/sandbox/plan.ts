// Looks at the machine, the clone and the worktree, and decides what one session sees. Reads only.
//
// Call it when nothing of the run's sessions is alive any more: what it looks at must not change until bwrap has started.
import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { Config } from '../core/config.ts';
import type { WriteRight } from '../core/stage.ts';
import type { StoreFolder } from '../core/store-folder.ts';
import type { HomePaths, RunPaths } from '../platform/paths.ts';
import { hiddenFromRoot, machineSwitches, neededInRun } from './credentials.ts';
import { confinedGitScript } from './confined-git.ts';
import { type CuratedHome, curateHome } from './curate.ts';
import { findGitFolders, type GitFolders, listProduct, planGitView } from './git-view.ts';
import type { Bubblewrap } from './probe.ts';
import type { PlannedFile, SandboxPlan } from './sandbox-plan.ts';
import { seccompFilter } from './seccomp.ts';
import { planStore } from './stores.ts';

export interface SandboxRequest {
  readonly bwrap: Bubblewrap;
  readonly home: HomePaths;
  readonly run: RunPaths;
  /** The operator's home folder. */
  readonly userHome: string;
  /** The operator's clone, which the worktree came from. */
  readonly clone: string;
  readonly writes: WriteRight;
  /** Has gate 1 been open: then new files that git does not ignore belong to the product, too. */
  readonly developmentApproved: boolean;
  /** Absolute paths of artifacts that were approved. */
  readonly frozen: readonly string[];
  /** Other checkouts of this run that the program works in: the delivery's, for the tests of the merged tree. */
  readonly checkouts?: readonly string[];
  /** Folders that the session needs to call `lattice`: our `dist`, `node_modules`, the folder of node. */
  readonly programs: readonly string[];
  /** What the runtime's launch plan says. Folders to create are the caller's; what is not there is left out. */
  readonly runtime: RuntimeAccess;
  readonly binds: Config['binds'];
}

export interface RuntimeAccess {
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
  readonly stores: readonly StoreFolder[];
  readonly copied: readonly string[];
}

// A build's temporary files fit; a session that fills it meets ENOSPC alone.
const privateBytes = 1024 * 1024 * 1024;

export async function planSandbox(request: SandboxRequest): Promise<SandboxPlan> {
  const { run, home } = request;
  const curated = await curateUserHome(request.userHome, join(run.sandbox, 'home'));
  const folders = await findGitFolders(request.clone, run.worktree);
  const git = await planGitView(folders, join(run.sandbox, 'git'));
  const product = await productEntries(request, folders);
  const copies = await copiesOf(request);
  const filter = seccompFilter();
  const filterFile = join(run.sandbox, 'filter.bpf');
  const plan: SandboxPlan = {
    bwrap: request.bwrap,
    run,
    writes: request.writes,
    machineSwitches: await existing(machineSwitches),
    privateFolders: await realFolders(['/tmp', '/var/tmp', '/run', tmpdir()]),
    curated: curated.folders,
    masked: [
      ...curated.masked,
      ...(userInfo().uid === 0 ? await existing(hiddenFromRoot) : []).map((path) => ({ path, kind: 'file' as const })),
      { path: home.home, kind: 'folder' },
      { path: home.socketDir, kind: 'folder' },
    ],
    visible: await existing([...neededInRun, ...request.binds.readOnly.map(expand(request))]),
    writable: await existing([...request.runtime.writable, ...request.binds.writable.map(expand(request))]),
    stores: await Promise.all(request.runtime.stores.map((store) => planStore(store, run.stores))),
    copies: copies.map(({ path, target }) => ({ source: path, target })),
    guarded: await existing([request.clone, ...request.programs]),
    readOnlyInside: await existing(request.runtime.readOnly),
    git: git.git,
    ...product,
    checkouts: request.checkouts ?? [],
    frozen: await regularFiles(request.frozen),
    seccomp: filter === null ? null : filterFile,
    files: [
      ...curated.files,
      ...git.files,
      ...copies,
      ...(filter === null ? [] : [{ path: filterFile, content: filter }]),
    ],
    folders: [
      run.sandbox,
      join(run.sandbox, 'home'),
      dirname(run.engineIndex),
      ...git.folders,
      run.artifacts,
      run.evidence,
      run.runtime,
    ],
    privateBytes,
  };
  return { ...plan, files: [...plan.files, { path: run.confinedGit, content: confinedGitScript(plan), mode: 0o700 }] };
}

async function copiesOf({ runtime, run }: SandboxRequest): Promise<(PlannedFile & { target: string })[]> {
  const found = await Promise.all(
    runtime.copied.map(async (target) => ({ target, content: await readFile(target).catch(() => null) })),
  );
  return found.flatMap(({ target, content }) =>
    content === null ? [] : [{ path: join(run.sandbox, 'copies', target.replaceAll('/', '%')), target, content }],
  );
}

/** A home at `/` (some containers) cannot be listed anew: there, secrets are covered one by one. */
async function curateUserHome(userHome: string, copies: string): Promise<CuratedHome> {
  const curated = await curateHome(await realpath(userHome).catch(() => userHome), copies);
  if (userHome !== '/') return curated;
  return { folders: [], files: [], masked: curated.masked };
}

async function productEntries(
  request: SandboxRequest,
  folders: GitFolders,
): Promise<Pick<SandboxPlan, 'product' | 'unprotected' | 'scratchInside'>> {
  const { worktree } = request.run;
  const listed = await listProduct(folders, request.developmentApproved ? 'product' : 'tracked');
  const product: string[] = [];
  const unprotected: string[] = [];
  for (const path of listed.topLevel.map((name) => join(worktree, name))) {
    // A link must never be bound: the mount would go to, and show, whatever it points at.
    const stats = await lstat(path).catch(() => null);
    if (stats?.isSymbolicLink()) unprotected.push(path);
    else if (stats?.isFile() || stats?.isDirectory()) product.push(path);
  }
  const scratchInside: string[] = [];
  for (const path of listed.ignoredFolders.map((name) => join(worktree, name))) {
    if ((await lstat(path).catch(() => null))?.isDirectory() && (await realpath(path)) === path)
      scratchInside.push(path);
  }
  return { product, unprotected, scratchInside };
}

function expand({ userHome }: SandboxRequest): (path: string) => string {
  return (path) => (path === '~' || path.startsWith('~/') ? join(userHome, path.slice(1)) : path);
}

async function existing(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(async (path) => ((await stat(path).catch(() => null)) ? path : null)));
  return [...new Set(found.filter((path) => path !== null))];
}

async function regularFiles(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => ((await lstat(path).catch(() => null))?.isFile() ? path : null)),
  );
  return found.filter((path) => path !== null);
}

async function realFolders(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).catch(() => null)));
  return [...new Set(found.filter((path) => path !== null && path !== '/'))] as string[];
}
