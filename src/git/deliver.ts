// Delivery: the final commit of exactly the approved tree, merged into the development branch, both pushed in one
// transaction. Whatever fails, the remote has either everything or nothing of it; and every step looks first whether an
// earlier attempt, perhaps killed, has already done it.
import { inertText } from '../core/inert.ts';
import type { DeliverRequest, DeliverResult } from '../core/repository.ts';
import { checkedOutAt } from './clone.ts';
import { commitOf, commitTree, contains, mergeTrees, treeOfCommit } from './commit.ts';
import { askHooks, checkOut, hasCommitHooks, removeCheckout } from './delivery-checkout.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { must, type Place } from './place.ts';
import { fetchBranch, type Push, push, remoteTip } from './remote.ts';

/** A busy branch moves between fetch and push; after this many times in a row a person should look. */
const attempts = 5;

type Failed = Extract<DeliverResult, { ok: false }>;

/**
 * Runs that deliver to one branch take turns, the tests of the merged tree included: otherwise each that lands would
 * send all the others back to merge and test anew. What is left to move the branch then are other people.
 */
export async function deliver(place: Place, request: DeliverRequest): Promise<DeliverResult> {
  return oneAtATime(`${await place.commonDir()}#${request.targetBranch}`, () => deliverInTurn(place, request));
}

async function deliverInTurn(place: Place, request: DeliverRequest): Promise<DeliverResult> {
  const final = await finalCommit(place, request);
  if (typeof final !== 'string') return final;
  let tested: string | null = null;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const target = await fetchBranch(place, request.targetBranch);
    if (!target.ok) return failed(target.reason, target.message);
    if (await contains(place, target.commit, final)) return finished(place, request, final, target.commit);
    const merged = await mergeTrees(place, target.commit, final);
    if (merged.conflicts.length > 0)
      return failed('conflict', `${request.targetBranch} has moved and conflicts in ${merged.conflicts.join(', ')}`);
    if ((request.clean || merged.tree !== request.tree) && merged.tree !== tested) {
      await checkOut(place, request.run, { tree: merged.tree, head: target.commit, lend: !request.clean });
      const tests = await request.runTests(place.delivery);
      if (!tests.ok) return failed('tests-failed', tests.message);
      tested = merged.tree;
    }
    const merge = await commitTree(place, {
      tree: merged.tree,
      parents: [target.commit, final],
      message: request.mergeMessage,
      date: request.date,
    });
    await request.progressed({ finalCommit: final, mergeCommit: merge });
    const landed = await land(place, request, { final, merge, target: target.commit });
    if (landed.ok) return finished(place, request, final, merge);
    if (landed.reason !== 'moved') return landed;
  }
  return failed('failed', `${request.targetBranch} moved ${attempts} times while this was being merged`);
}

/** Made by us of exactly the approved tree; the repository's hooks may refuse it or word its message. */
async function finalCommit(place: Place, request: DeliverRequest): Promise<string | Failed> {
  const kept = `refs/gatehouse/${place.run}/final`;
  const known = await commitOf(place, request.known.finalCommit ?? kept);
  if (known !== null && (await isFinal(place, known, request))) return known;
  const { tree, base, date } = request;
  let { message } = request;
  if (await hasCommitHooks(place)) {
    await checkOut(place, request.run, { tree, head: base, lend: true });
    const asked = await askHooks(place, request.run, message, date);
    if (!asked.ok) return failed('hook-rejected', `the repository's commit hook refused: ${lastWords(asked.said)}`);
    if (asked.tree !== tree)
      return failed(
        'hook-changed-tree',
        "the repository's commit hook changed files; what it made is not what was approved",
      );
    message = inertText(asked.message);
  }
  const commit = await commitTree(place, { tree, parents: [base], message, date });
  await must(place.clone(['update-ref', kept, commit]), 'keep the final commit');
  await request.progressed({ finalCommit: commit, mergeCommit: null });
  return commit;
}

async function isFinal(place: Place, commit: string, request: DeliverRequest): Promise<boolean> {
  return (
    (await treeOfCommit(place, commit)) === request.tree && (await commitOf(place, `${commit}^1`)) === request.base
  );
}

interface Landing {
  readonly final: string;
  readonly merge: string;
  readonly target: string;
}

type Landed = { readonly ok: true } | { readonly ok: false; readonly reason: 'moved' } | Failed;

async function land(place: Place, request: DeliverRequest, landing: Landing): Promise<Landed> {
  const { remote } = place;
  return remote === null ? landHere(place, request, landing) : landThere(place, request, landing, remote);
}

async function landThere(place: Place, request: DeliverRequest, landing: Landing, remote: string): Promise<Landed> {
  const branch = `refs/heads/${place.branch}`;
  const tip = await remoteTip(place, remote, branch);
  if (!tip.ok) return failed(tip.reason, tip.message);
  const lease = `--force-with-lease=${branch}:${tip.commit ?? ''}`;
  const target = `${landing.merge}:refs/heads/${request.targetBranch}`;
  const own = `${landing.final}:${branch}`;
  const pushed = await oneAtATime(await place.commonDir(), async (): Promise<Push> => {
    const both = await push(place, remote, ['--atomic', lease, remote, target, `+${own}`]);
    if (both.ok || !/does not support --atomic/.test(both.message)) return both;
    // The target first: if it is refused, nothing at all was pushed.
    const first = await push(place, remote, [remote, target]);
    return first.ok ? push(place, remote, [lease, remote, `+${own}`]) : first;
  });
  if (pushed.ok) return pushed;
  return pushed.reason === 'moved' ? { ok: false, reason: 'moved' } : failed(pushed.reason, pushed.message);
}

/** Without a remote the branch of the clone moves; never under a checkout that somebody works in. */
async function landHere(place: Place, request: DeliverRequest, landing: Landing): Promise<Landed> {
  const held = await checkedOutAt(place.root, request.targetBranch);
  if (held !== null) return failed('checked-out', `${request.targetBranch} is checked out in ${held}`);
  const ref = `refs/heads/${request.targetBranch}`;
  const moved = await place.clone(['update-ref', '-m', 'gatehouse: delivery', ref, landing.merge, landing.target]);
  return moved.ok ? { ok: true } : { ok: false, reason: 'moved' };
}

async function finished(place: Place, request: DeliverRequest, final: string, tip: string): Promise<DeliverResult> {
  const merge = await mergeThatBrought(place, final, tip, request.known.mergeCommit);
  const branch = `refs/heads/${place.branch}`;
  await must(place.clone(['update-ref', branch, final]), 'move the working branch');
  await place.git(['read-tree', final]);
  await removeCheckout(place);
  const where = place.remote === null ? request.targetBranch : `${place.remote}/${request.targetBranch}`;
  const moved = (await treeOfCommit(place, merge)) !== request.tree;
  return { ok: true, finalCommit: final, mergeCommit: merge, pushedTo: where, moved };
}

/** The first merge on the way from the target's tip back to the final commit: others may have come on top of it. */
async function mergeThatBrought(place: Place, final: string, tip: string, known: string | null): Promise<string> {
  if (known !== null && (await contains(place, tip, known)) && (await contains(place, known, final))) return known;
  const path = await place.clone(['rev-list', '--ancestry-path', '--first-parent', '--reverse', `${final}..${tip}`]);
  const merges = await place.clone(['rev-list', '--ancestry-path', '--reverse', `${final}..${tip}`]);
  return [path, merges].flatMap((list) => list.stdout.split('\n')).find((line) => line !== '') ?? tip;
}

function failed(reason: Failed['reason'], message: string): Failed {
  return { ok: false, reason, message };
}

function lastWords(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-4).join('; ') || 'it said nothing';
}
