// Commits that the host makes, without touching any working tree. The same facts give the same commit.
import { must, type Place } from './place.ts';

export type Identity = Readonly<Record<'name' | 'email', string>>;

export interface CommitRequest {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  /** ISO time. */
  readonly date: string;
}

export async function commitTree(place: Place, request: CommitRequest): Promise<string> {
  const parents = request.parents.flatMap((parent) => ['-p', parent]);
  const env = identityEnv(await identityOf(place), request.date);
  return must(
    place.clone(['commit-tree', request.tree, ...parents, '-F', '-'], { env, input: request.message }),
    'make a commit',
  );
}

/** The operator's own, as the clone has it; without one, the product's. */
export async function identityOf(place: Place): Promise<Identity> {
  const [name, email] = await Promise.all([
    place.clone(['config', '--get', 'user.name']),
    place.clone(['config', '--get', 'user.email']),
  ]);
  return { name: name.stdout.trim() || 'Gatehouse', email: email.stdout.trim() || 'gatehouse@localhost' };
}

export function identityEnv(identity: Identity, isoDate: string): Record<string, string> {
  const date = `@${Math.floor(Date.parse(isoDate) / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
    GIT_COMMITTER_DATE: date,
  };
}

export async function commitOf(place: Place, name: string): Promise<string | null> {
  const found = await place.clone(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`]);
  return found.ok ? found.stdout.trim() : null;
}

export async function treeOfCommit(place: Place, commit: string): Promise<string> {
  return must(place.clone(['rev-parse', '--verify', `${commit}^{tree}`]), `read the tree of ${commit}`);
}

export async function contains(place: Place, tip: string, commit: string): Promise<boolean> {
  return (await place.clone(['merge-base', '--is-ancestor', commit, tip])).ok;
}

export interface Merged {
  /** With conflict markers in the files named by `conflicts`. */
  readonly tree: string;
  readonly conflicts: readonly string[];
}

/** Merges two commits without a working tree. Throws when git cannot do it at all (no common history). */
export async function mergeTrees(place: Place, ours: string, theirs: string): Promise<Merged> {
  const result = await place.clone(['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs]);
  if (result.exitCode !== 0 && result.exitCode !== 1) {
    await must(Promise.resolve(result), `merge ${theirs.slice(0, 12)} into ${ours.slice(0, 12)}`);
  }
  const [tree = '', ...names] = result.stdout.split('\0');
  return { tree, conflicts: [...new Set(names.filter((name) => name !== ''))] };
}
