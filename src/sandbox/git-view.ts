// The read-only git folder that a session gets in place of the clone's own (see GitView).
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { exec } from '../platform/exec.ts';
import { sanitizeGitConfig } from './sanitize.ts';
import type { GitView, PlannedFile } from './sandbox-plan.ts';

// Folders are bound, so that new objects and refs appear; single files are copied, since git replaces them by renaming.
// Not there: hooks (nobody commits here), other worktrees, and submodules, whose settings may hold logins.
const boundFolders = ['objects', 'refs', 'reftable', 'info', 'logs', 'lfs'];
const copiedFiles = ['HEAD', 'packed-refs', 'shallow', 'config', 'config.worktree'];

export interface PlannedGitView {
  readonly git: GitView;
  readonly files: readonly PlannedFile[];
  readonly folders: readonly string[];
}

/** A worktree and where its git data is. */
export interface GitFolders {
  readonly worktree: string;
  /** The clone's git folder. */
  readonly commonDir: string;
  /** The worktree's own, below that. */
  readonly gitDir: string;
}

/** Found from the clone: the `.git` file in a worktree is the agent's, who could point it at settings that run programs. */
export async function findGitFolders(clone: string, worktree: string): Promise<GitFolders> {
  const asked = ['rev-parse', '--path-format=absolute', '--git-common-dir'];
  const commonDir = (await git(['-C', clone, ...asked])).trim();
  const worktrees = join(commonDir, 'worktrees');
  // git notes where the worktree is behind all links.
  const real = await realpath(worktree).catch(() => worktree);
  for (const name of await readdir(worktrees).catch((): string[] => [])) {
    const pointer = await readFile(join(worktrees, name, 'gitdir'), 'utf8').catch(() => '');
    if ([worktree, real].includes(dirname(pointer.trim())))
      return { worktree, commonDir, gitDir: join(worktrees, name) };
  }
  throw new Error(`${worktree} is not a worktree of ${clone} any more`);
}

export async function planGitView({ worktree, commonDir, gitDir }: GitFolders, view: string): Promise<PlannedGitView> {
  const entries = (await present(commonDir, boundFolders)).concat(relative(commonDir, gitDir));
  const files: PlannedFile[] = [];
  for (const name of copiedFiles) {
    const text = await readFile(join(commonDir, name), 'utf8').catch(() => null);
    if (text === null) continue;
    files.push({ path: join(view, name), content: name.startsWith('config') ? sanitizeGitConfig(text) : text });
  }
  return {
    git: { commonDir, view, entries, writesObjects: false, pointer: join(worktree, '.git') },
    files,
    folders: [view, ...entries.map((name) => join(view, name))],
  };
}

export interface ProductEntries {
  /** Names of the worktree's top level. */
  readonly topLevel: readonly string[];
  /** Ignored folders below them, relative to the worktree. */
  readonly ignoredFolders: readonly string[];
}

/** `tracked`: what git knows. `product`: also new files that are not ignored, which after gate 1 belong to the change. */
export async function listProduct(folders: GitFolders, scope: 'tracked' | 'product'): Promise<ProductEntries> {
  const others = scope === 'product' ? ['--others', '--exclude-standard'] : [];
  const product = await list(folders, ['--cached', ...others]);
  const topLevel = new Set(product.map((path) => path.split('/')[0] ?? path));
  const ignored = await list(folders, ['--others', '--ignored', '--exclude-standard', '--directory']);
  return {
    topLevel: [...topLevel],
    ignoredFolders: ignored
      .filter((path) => path.endsWith('/'))
      .map((path) => path.slice(0, -1))
      .filter((path) => path.includes('/') && topLevel.has(path.split('/')[0] ?? '')),
  };
}

async function list({ worktree, gitDir }: GitFolders, options: readonly string[]): Promise<string[]> {
  const place = ['-C', worktree, `--git-dir=${gitDir}`, `--work-tree=${worktree}`];
  return (await git([...place, 'ls-files', '-z', ...options])).split('\0').filter((path) => path !== '');
}

/** Git waits at a pipe that stands where it looks for a list of ignored files. */
const timeoutMs = 60_000;

async function git(args: readonly string[]): Promise<string> {
  // Nothing that a repository can name is run: no monitor, no hooks.
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  const result = await exec('git', [...safe, ...args], { timeoutMs });
  if (result.exitCode !== 0) throw new Error(`git ${args.join(' ')} failed: ${result.stderr.trim()}`);
  return result.stdout;
}

async function present(folder: string, names: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of names) {
    const stats = await stat(join(folder, name)).catch(() => null);
    if (stats?.isDirectory()) found.push(name);
  }
  return found;
}
