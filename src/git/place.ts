// Where the git data of a run's worktree is. Found from the operator's clone, never from the `.git` file in the worktree:
// that one belongs to the agent, who could point it at a repository whose configuration runs programs.
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GatehouseError } from '../core/error.ts';
import type { WorkspacePlace } from '../core/repository.ts';
import { type GitCall, type GitResult, runGit } from './run-git.ts';

export interface Place extends WorkspacePlace {
  /** `.git` of the clone. */
  commonDir(): Promise<string>;
  /** `.git/worktrees/NAME` of a checkout of ours; null when it is not there. */
  gitDirOf(checkout: string): Promise<string | null>;
  /** Runs git on the run's worktree. */
  git(args: readonly string[], call?: Partial<GitCall>): Promise<GitResult>;
  /** Runs git on the clone's objects and refs; no working tree takes part. */
  clone(args: readonly string[], call?: Partial<GitCall>): Promise<GitResult>;
}

export function placeOf(place: WorkspacePlace): Place {
  let common: Promise<string> | undefined;
  const known = new Map<string, string>();

  const commonDir = () => (common ??= findCommonDir(place.root));
  const gitDirOf = async (checkout: string): Promise<string | null> => {
    const hit = known.get(checkout);
    if (hit !== undefined && existsSync(join(hit, 'gitdir'))) return hit;
    const found = await findGitDir(await commonDir(), checkout);
    if (found !== null) known.set(checkout, found);
    return found;
  };
  return {
    ...place,
    commonDir,
    gitDirOf,
    git: async (args, call = {}) => {
      const gitDir = await gitDirOf(place.worktree);
      if (gitDir === null) return missing(place.worktree);
      return runGit(
        { cwd: place.worktree, gitDir, workTree: place.worktree, ...(await confinement(place, call)), ...call },
        args,
      );
    },
    clone: async (args, call = {}) => runGit({ cwd: place.root, gitDir: await commonDir(), ...call }, args),
  };
}

/**
 * Calls with an index of ours read and write files of the worktree, and while they do, an agent may exchange a folder for
 * a link: git would then hash, or overwrite, the operator's files. And they run filters: the attributes that ask for one,
 * and often the program too, are the agent's. A git that can reach nothing else does no such harm. Calls that change refs
 * or the worktree's own index touch no files and go without; so does a merge, which takes attributes and the programs of
 * merge drivers from the operator's checkout.
 */
async function confinement(place: WorkspacePlace, call: Partial<GitCall>): Promise<Partial<GitCall>> {
  if (call.indexFile === undefined) return {};
  await mkdir(dirname(call.indexFile), { recursive: true, mode: 0o700 });
  const { confinedGit } = place;
  return confinedGit !== undefined && existsSync(confinedGit) ? { program: confinedGit } : {};
}

/** The output of a call that can only fail when something is broken. */
export async function must(
  result: Promise<Pick<GitResult, 'ok' | 'stdout' | 'stderr'>>,
  what: string,
): Promise<string> {
  const { ok, stdout, stderr } = await result;
  if (ok) return stdout.trim();
  if (/No space left on device|Disk quota exceeded/.test(stderr))
    throw new GatehouseError('disk.full', 'the disk is full', 'free some space and do it again; nothing was changed', {
      details: stderr,
    });
  throw new GatehouseError(
    'repo.unusable',
    `git could not ${what}: ${stderr.trim().split('\n')[0] ?? ''}`,
    'look at the clone and the worktree of this run; nothing was decided',
    { details: stderr },
  );
}

async function findCommonDir(root: string): Promise<string> {
  return must(runGit({ cwd: root }, ['rev-parse', '--path-format=absolute', '--git-common-dir']), `read ${root}`);
}

async function findGitDir(common: string, checkout: string): Promise<string | null> {
  const folder = join(common, 'worktrees');
  const names = await readdir(folder).catch(() => []);
  // git notes where the checkout is behind all links.
  const real = await realpath(checkout).catch(() => checkout);
  for (const name of names) {
    const target = await readFile(join(folder, name, 'gitdir'), 'utf8').catch(() => '');
    if ([checkout, real].includes(dirname(target.trim()))) return join(folder, name);
  }
  return null;
}

function missing(worktree: string): GitResult {
  return { ok: false, exitCode: -1, stdout: '', stderr: `${worktree} is not a worktree of the clone any more` };
}
