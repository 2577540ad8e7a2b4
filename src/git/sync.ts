// Brings the baseline into a run's worktree. The agent never commits: what it did is put into a snapshot commit on the
// working branch first, so that nothing can be lost, and then merged. A conflict leaves its markers in the worktree; the
// merge is finished by the next sync, after the agent has solved them. Until then one ref remembers it, so that a host that
// was killed in between does not merge twice.
import type { SyncRequest, SyncResult } from '../core/repository.ts';
import { commitOf, commitTree, contains, mergeTrees, treeOfCommit } from './commit.ts';
import { must, type Place } from './place.ts';
import { fetchBranch } from './remote.ts';
import { treeOf, unresolvedIn } from './tree.ts';

export async function syncBaseline(place: Place, request: SyncRequest): Promise<SyncResult> {
  const fetched = await fetchBranch(place, request.baselineBranch);
  if (!fetched.ok) {
    const reason = fetched.reason === 'branch-missing' ? 'branch-missing' : 'remote-lost';
    return { ok: false, reason, message: fetched.message };
  }
  const open = await openConflict(place);
  if (open !== null) {
    const still = await unsolved(place, open, request.pending !== null);
    if (still !== null) return still;
  }
  const work = await snapshot(place, request, open, fetched.commit);
  const tree = await treeOf(place);
  if (await contains(place, work, fetched.commit)) return { ok: true, commit: fetched.commit, conflicts: [], tree };
  return merge(place, request, work, tree, fetched.commit);
}

interface OpenConflict {
  /** Commit with the markers; its parents are the work and the baseline. */
  readonly commit: string;
  readonly work: string;
  readonly baseline: string;
}

async function merge(
  place: Place,
  request: SyncRequest,
  work: string,
  tree: string,
  baseline: string,
): Promise<SyncResult> {
  const merged = await mergeTrees(place, work, baseline);
  const message = `Merge ${request.baselineBranch} into the work on ${place.run}\n`;
  if (merged.conflicts.length > 0) {
    const marked = await commitTree(place, { ...request, tree: merged.tree, parents: [work, baseline], message });
    await must(place.clone(['update-ref', conflictRef(place), marked]), 'remember the conflict');
    await checkout(place, tree, merged.tree);
    return { ok: true, commit: baseline, conflicts: merged.conflicts, tree: await treeOf(place) };
  }
  const parents = request.policy === 'rebase' ? [baseline] : [work, baseline];
  const text = request.policy === 'rebase' ? request.message : message;
  const next = await commitTree(place, { ...request, tree: merged.tree, parents, message: text });
  await checkout(place, tree, merged.tree);
  await setBranch(place, next);
  return { ok: true, commit: baseline, conflicts: [], tree: await treeOf(place) };
}

/** The agent's work as a commit on the working branch; none is made when there is nothing to merge with. */
async function snapshot(
  place: Place,
  request: SyncRequest,
  solved: OpenConflict | null,
  baseline: string,
): Promise<string> {
  const branch = await must(place.clone(['rev-parse', '--verify', branchRef(place)]), 'read the working branch');
  const tree = await treeOf(place);
  if (solved === null) {
    if ((await treeOfCommit(place, branch)) === tree || (await contains(place, branch, baseline))) return branch;
    const commit = await commitTree(place, { ...request, tree, parents: [branch] });
    await setBranch(place, commit);
    return commit;
  }
  const parents = request.policy === 'rebase' ? [solved.baseline] : [solved.work, solved.baseline];
  const commit = await commitTree(place, { ...request, tree, parents });
  await setBranch(place, commit);
  await must(place.clone(['update-ref', '-d', conflictRef(place)]), 'close the conflict');
  return commit;
}

async function openConflict(place: Place): Promise<OpenConflict | null> {
  const commit = await commitOf(place, conflictRef(place));
  if (commit === null) return null;
  const [work, baseline] = await Promise.all([commitOf(place, `${commit}^1`), commitOf(place, `${commit}^2`)]);
  return work === null || baseline === null ? null : { commit, work, baseline };
}

/** Null when the conflict is solved. `known`: the engine has told the agent about it. */
async function unsolved(place: Place, open: OpenConflict, known: boolean): Promise<SyncResult | null> {
  const marked = await treeOfCommit(place, open.commit);
  const { conflicts } = await mergeTrees(place, open.work, open.baseline);
  const before = await treeOf(place);
  // Killed before the markers were written: write them now.
  if (!known && before === (await treeOfCommit(place, open.work))) await checkout(place, before, marked);
  const tree = await treeOf(place);
  const left = await unresolvedIn(place, tree, conflicts);
  if (known && left.length === 0) return null;
  return { ok: true, commit: open.baseline, conflicts: known ? left : conflicts, tree };
}

/** Two-way: what the agent changed meanwhile is not overwritten, git refuses instead. */
async function checkout(place: Place, from: string, to: string): Promise<void> {
  if (from === to) return;
  await must(
    place.git(['read-tree', '-m', '-u', from, to], { indexFile: place.index }),
    'bring the merged files into the worktree',
  );
}

async function setBranch(place: Place, commit: string): Promise<void> {
  await must(place.clone(['update-ref', branchRef(place), commit]), 'move the working branch');
  // The agent's own `git diff` compares with its index; it must show the agent's changes, not the baseline's.
  await place.git(['read-tree', commit]);
}

function branchRef(place: Place): string {
  return `refs/heads/${place.branch}`;
}

function conflictRef(place: Place): string {
  return `refs/gatehouse/${place.run}/conflict`;
}
