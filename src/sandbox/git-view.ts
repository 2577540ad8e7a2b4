// The read-only git folder that a session gets in place of the clone's own (see GitView).
import { readFile, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
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

export async function planGitView(worktree: string, view: string): Promise<PlannedGitView> {
  const { commonDir, gitDir } = await gitFolders(worktree);
  const own = relative(commonDir, gitDir);
  const entries = (await present(commonDir, boundFolders)).concat(own === '' || own.startsWith('..') ? [] : [own]);
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
export async function listProduct(worktree: string, scope: 'tracked' | 'product'): Promise<ProductEntries> {
  const others = scope === 'product' ? ['--others', '--exclude-standard'] : [];
  const product = await list(worktree, ['--cached', ...others]);
  const topLevel = new Set(product.map((path) => path.split('/')[0] ?? path));
  const ignored = await list(worktree, ['--others', '--ignored', '--exclude-standard', '--directory']);
  return {
    topLevel: [...topLevel],
    ignoredFolders: ignored
      .filter((path) => path.endsWith('/'))
      .map((path) => path.slice(0, -1))
      .filter((path) => path.includes('/') && topLevel.has(path.split('/')[0] ?? '')),
  };
}

async function list(worktree: string, options: readonly string[]): Promise<string[]> {
  return (await git(worktree, ['ls-files', '-z', ...options])).split('\0').filter((path) => path !== '');
}

async function gitFolders(worktree: string): Promise<{ commonDir: string; gitDir: string }> {
  const [common = '', own = ''] = (await git(worktree, ['rev-parse', '--git-common-dir', '--git-dir'])).split('\n');
  return { commonDir: resolve(worktree, common), gitDir: resolve(worktree, own) };
}

async function git(worktree: string, args: readonly string[]): Promise<string> {
  // Nothing that a repository can name is run: no monitor, no hooks.
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  const result = await exec('git', ['-C', worktree, ...safe, ...args]);
  if (result.exitCode !== 0) throw new Error(`git ${args[0]} failed in ${worktree}: ${result.stderr.trim()}`);
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
