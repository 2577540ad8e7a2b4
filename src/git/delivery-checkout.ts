// The checkout in which the repository's commit hooks and the tests of a merged tree run. Both are partly the agent's work
// by then, so it is a repository of its own, made anew for each use: programs are run in it where the agent's programs
// run, git of ours never opens it again, and of what they leave only a message and the hash of a tree are read.
import { appendFile, cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DeliverRequest } from '../core/repository.ts';
import { identityEnv, identityOf } from './commit.ts';
import { must, type Place } from './place.ts';
import { ignoredEntries } from './tree.ts';
import { runGit } from './run-git.ts';

export type HooksVerdict =
  | { readonly ok: true; readonly tree: string; readonly message: string }
  | { readonly ok: false; readonly said: string };

type Run = DeliverRequest['run'];

/** Hooks of the session refuse every move of a branch. */
const withoutHooks = ['-c', 'core.hooksPath=/dev/null'];

/** What runs around `git commit`; the other hooks belong to acts that are the host's alone. */
const commitHooks = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'];

interface CheckoutRequest {
  readonly tree: string;
  readonly head: string;
  /** Link the ignored folders of the worktree, installed packages above all, so that nothing is installed again. */
  readonly lend: boolean;
}

export async function checkOut(place: Place, run: Run, at: CheckoutRequest): Promise<void> {
  const folder = place.delivery;
  await removeCheckout(place);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const format = await must(place.clone(['rev-parse', '--show-object-format']), 'read the format of the clone');
  const init = ['init', '--quiet', '--template=', `--object-format=${format}`];
  await must(runGit({ cwd: folder }, init), 'make a checkout for the delivery');
  const common = await place.commonDir();
  const lent = at.lend ? await ignoredFolders(place) : [];
  await mkdir(join(folder, '.git/info'));
  await writeFile(join(folder, '.git/objects/info/alternates'), `${join(common, 'objects')}\n`);
  await appendFile(join(folder, '.git/config'), settings(join(common, 'config')));
  await writeFile(join(folder, '.git/info/exclude'), lent.map((name) => `/${name}\n`).join(''));
  await copyHooks(place);
  const inside = async (...argv: string[]) => {
    const { ok, output } = await run({ argv, cwd: folder, env: {} });
    return { ok, stdout: '', stderr: output };
  };
  const git = (...args: string[]) => inside('git', ...withoutHooks, ...args);
  await must(git('update-ref', '--no-deref', 'HEAD', at.head), 'set the head of the delivery checkout');
  await must(git('read-tree', '--reset', '-u', at.tree), 'put the tree into the delivery checkout');
  await must(inside('sh', '-c', lend, 'lend', place.worktree, ...lent), 'lend the installed packages');
}

/** Has the repository any hook that a commit would run? */
export async function hasCommitHooks(place: Place): Promise<boolean> {
  if ((await ownHooksPath(place)) !== null) return true;
  const present = await readdir(await hooksFolder(place)).catch((): string[] => []);
  return commitHooks.some((name) => present.includes(name));
}

/** Commits in the checkout, for the hooks' sake. */
export async function askHooks(place: Place, run: Run, message: string, isoDate: string): Promise<HooksVerdict> {
  const cwd = place.delivery;
  const path = (await ownHooksPath(place)) ?? join(cwd, '.git/hooks');
  const git = ['git', '-c', `core.hooksPath=${path}`, '-c', 'commit.gpgSign=false'];
  const commit = [...git, 'commit', '--quiet', '--allow-empty', '--file', '-'];
  const script = 'message=$1; shift; printf %s "$message" | "$@"';
  const env = identityEnv(await identityOf(place), isoDate);
  const made = await run({ argv: ['sh', '-c', script, 'commit', message, ...commit], cwd, env });
  if (!made.ok) return { ok: false, said: made.output };
  const shown = await run({ argv: ['git', 'log', '-1', '--no-show-signature', '--format=%T%n%B'], cwd, env: {} });
  const [tree = '', ...lines] = shown.output.split('\n');
  return { ok: true, tree, message: `${lines.join('\n').trim()}\n` };
}

export async function removeCheckout(place: Place): Promise<void> {
  await rm(place.delivery, { recursive: true, force: true });
}

async function ownHooksPath(place: Place): Promise<string | null> {
  const set = await place.clone(['config', '--type=path', '--get', 'core.hooksPath'], { ownHooksPath: true });
  return set.ok && set.stdout.trim() !== '' ? set.stdout.trim() : null;
}

async function hooksFolder(place: Place): Promise<string> {
  return join(await place.commonDir(), 'hooks');
}

/** Filters and the like are as in the clone, which may itself be a submodule with a working tree elsewhere. */
function settings(ofClone: string): string {
  return `[include]\n\tpath = ${JSON.stringify(ofClone)}\n[core]\n\tbare = false\n\tworktree = ..\n`;
}

/** The operator's, as they are in the clone. A link among them is followed there, where no agent can write. */
async function copyHooks(place: Place): Promise<void> {
  const from = await hooksFolder(place);
  const isThere = async (path: string) => (await stat(path).catch(() => null)) !== null;
  if (!(await isThere(from))) return;
  await cp(from, join(place.delivery, '.git/hooks'), {
    recursive: true,
    dereference: true,
    filter: async (path) => !path.endsWith('.sample') && (await isThere(path)),
  });
}

async function ignoredFolders(place: Place): Promise<string[]> {
  const entries = await ignoredEntries(place);
  return entries.filter((entry) => /^[^/]+\/$/.test(entry)).map((entry) => entry.slice(0, -1));
}

const lend = 'from=$1; shift; for name; do [ -e "$name" ] || ln -s "$from/$name" "$name"; done';
