// One run's view of its repository. A handle without state of its own: everything is read from git each time.
import type { WorkspacePlace } from '../core/repository.ts';
import { GatehouseError } from '../core/error.ts';
import { commitOf, contains, treeOfCommit } from './commit.ts';
import { deliver } from './deliver.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { must, placeOf } from './place.ts';
import { publishReview } from './publish.ts';
import { syncBaseline } from './sync.ts';
import {
  changesBetween,
  countLines,
  diffText,
  fileText,
  ignoredEntries,
  lineCountsBetween,
  restoreTree,
  topFolders,
  treeOf,
  unresolvedIn,
} from './tree.ts';

/** A run asks about a handful of trees at a time. */
const keptAnswers = 64;

export function workspace(spec: WorkspacePlace) {
  const place = placeOf(spec);
  const changes = memo((from: string, to: string) => changesBetween(place, from, to));
  const folders = memo((treeish: string) => topFolders(place, treeish));
  const treeOfObject = memo((commit: string) => treeOfCommit(place, commit));
  return {
    create: (commit: string) => createWorktree(spec, commit),
    discard: (commit: string) => discardWorktree(spec, commit),
    exists: async () => (await place.gitDirOf(place.worktree)) !== null,
    tree: () => treeOf(place),
    head: () => must(place.clone(['rev-parse', '--verify', `refs/heads/${place.branch}`]), 'read the working branch'),
    treeOfCommit: treeOfObject,
    changes,
    diff: (from: string, to: string, maxBytes: number) => diffText(place, from, to, maxBytes),
    lineCounts: (from: string, to: string) => lineCountsBetween(place, from, to),
    folders,
    ignored: () => ignoredEntries(place),
    lineCount: async (treeish: string, path: string) => {
      const text = await fileText(place, treeish, path);
      return text === null ? null : countLines(text);
    },
    lines: async (treeish: string, path: string, from: number, to: number) => {
      const text = await fileText(place, treeish, path);
      if (text === null || from < 1 || to < from || to > countLines(text)) return null;
      return text
        .split('\n')
        .slice(from - 1, to)
        .join('\n');
    },
    unresolved: (tree: string, paths: readonly string[]) => unresolvedIn(place, tree, paths),
    restore: (tree: string, aside: string) => restoreTree(place, tree, aside),
    sync: (request: Parameters<typeof syncBaseline>[1]) => syncBaseline(place, request),
    publishReview: (request: Parameters<typeof publishReview>[1]) => publishReview(place, request),
    deliver: (request: Parameters<typeof deliver>[1]) => deliver(place, request),
  };
}

/** Objects never change, so what was read of them once holds. Asked for by hash only. */
function memo<A extends string[], T>(read: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  const known = new Map<string, T>();
  return async (...args) => {
    const key = args.join(' ');
    const hit = known.get(key);
    if (hit !== undefined) return hit;
    const value = await read(...args);
    if (known.size >= keptAnswers) known.clear();
    known.set(key, value);
    return value;
  };
}

/**
 * Makes the worktree on a branch of its own. Repeated after a kill it finds what is there and goes on; what was made from an
 * older baseline, and holds nothing of its own, is made anew.
 */
async function createWorktree(spec: WorkspacePlace, commit: string): Promise<void> {
  const place = placeOf(spec);
  const branch = `refs/heads/${spec.branch}`;
  const there = await commitOf(place, branch);
  const isOlder = there !== null && there !== commit && (await contains(place, commit, there));
  if (isOlder) await discardWorktree(spec, there);
  else if ((await place.gitDirOf(spec.worktree)) !== null) return;
  else if (there !== null && there !== commit)
    throw new GatehouseError(
      'repo.unusable',
      `branch ${spec.branch} is there already and holds other work`,
      `delete or rename it, then start the task again`,
    );
  const words = there === null || isOlder ? ['-b', spec.branch, spec.worktree, commit] : [spec.worktree, spec.branch];
  await oneAtATime(await place.commonDir(), async () => {
    await must(place.clone(['worktree', 'add', '--quiet', ...words]), `make the worktree ${spec.worktree}`);
  });
}

/** The branch goes only where it still is at the commit it was made for. */
async function discardWorktree(spec: WorkspacePlace, commit: string): Promise<void> {
  const place = placeOf(spec);
  await oneAtATime(await place.commonDir(), async () => {
    if ((await place.gitDirOf(spec.worktree)) !== null)
      await must(place.clone(['worktree', 'remove', '--force', spec.worktree]), `take ${spec.worktree} back`);
    const branch = `refs/heads/${spec.branch}`;
    if ((await commitOf(place, branch)) === commit)
      await must(place.clone(['update-ref', '-d', branch, commit]), `take ${spec.branch} back`);
  });
}
