// A checkout of our own in which the final commit is made and merged trees are tested. Nobody works in it; it is made
// when it is needed and taken away after the delivery.
import { lstat, mkdir, readlink, rm, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { identityEnv, identityOf } from './commit.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { must, type Place } from './place.ts';
import { type GitResult, runGit } from './run-git.ts';

/** Hooks may run a linter or the tests; one that is silent for this long hangs. */
const hookSilentMs = 10 * 60_000;

export interface DeliveryCheckout {
  /** Puts a tree there, with HEAD at a commit. */
  show(tree: string, head: string): Promise<void>;
  /** The repository's own commit hooks run. */
  commit(message: string, isoDate: string): Promise<GitResult>;
  head(): Promise<string>;
  remove(): Promise<void>;
}

export async function deliveryCheckout(place: Place, at: string): Promise<DeliveryCheckout> {
  const folder = place.delivery;
  if ((await place.gitDirOf(folder)) === null) await create(place, at);
  const gitDir = await place.gitDirOf(folder);
  if (gitDir === null) throw new Error(`${folder} could not be made a worktree`);
  const git = (args: readonly string[], call: { env?: Record<string, string>; input?: string; hooks?: boolean } = {}) =>
    runGit({ cwd: folder, gitDir, workTree: folder, silentMs: hookSilentMs, ...call }, args);
  return {
    show: async (tree, head) => {
      await rm(join(gitDir, 'index.lock'), { force: true });
      await must(git(['update-ref', '--no-deref', 'HEAD', head]), 'set the head of the delivery checkout');
      await must(git(['read-tree', '--reset', '-u', tree]), 'put the tree into the delivery checkout');
      await linkIgnoredFolders(place);
    },
    commit: async (message, isoDate) => {
      const env = identityEnv(await identityOf(place), isoDate);
      return git(['commit', '--quiet', '--allow-empty', '--file', '-'], { env, input: message, hooks: true });
    },
    head: () => must(git(['rev-parse', 'HEAD']), 'read the final commit'),
    remove: async () => {
      await oneAtATime(await place.commonDir(), async () => {
        await place.clone(['worktree', 'remove', '--force', folder]);
      });
    },
  };
}

async function create(place: Place, at: string): Promise<void> {
  await oneAtATime(await place.commonDir(), async () => {
    // Left over from a host that was killed while git made or removed it; nothing of anybody's is in it.
    await rm(place.delivery, { recursive: true, force: true });
    await place.clone(['worktree', 'prune']);
    await mkdir(join(place.delivery, '..'), { recursive: true, mode: 0o700 });
    await must(
      place.clone(['worktree', 'add', '--quiet', '--detach', '--no-checkout', place.delivery, at]),
      'make a checkout for the delivery',
    );
  });
}

/**
 * What is ignored is not in the tree, but tests and hooks need it: installed packages above all. The folders of the
 * run's own worktree are linked, so that nothing is installed again.
 */
async function linkIgnoredFolders(place: Place): Promise<void> {
  const listed = await place.git(['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z']);
  for (const entry of listed.stdout.split('\0')) {
    const name = entry.replace(/\/$/, '');
    if (!entry.endsWith('/') || name === '' || name.includes('/')) continue;
    const link = join(place.delivery, name);
    const target = join(place.worktree, name);
    const there = await lstat(link).catch(() => null);
    if (there?.isSymbolicLink() === true && (await readlink(link)) !== target) await unlink(link);
    if (there === null) await symlink(target, link);
  }
}
