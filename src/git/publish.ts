// The review branch: one commit of exactly the tree that a person is asked about, on top of the baseline it stands on.
import type { PublishRequest, PublishResult } from '../core/repository.ts';
import { commitTree } from './commit.ts';
import { compareLink } from './compare-link.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { must, type Place } from './place.ts';
import { push, remoteTip } from './remote.ts';

export async function publishReview(place: Place, request: PublishRequest): Promise<PublishResult> {
  const commit = await commitTree(place, { ...request, parents: [request.base] });
  // A ref of our own keeps the approved tree from being collected, whatever becomes of the branches.
  await must(place.clone(['update-ref', `refs/gatehouse/${place.run}/review`, commit]), 'keep the review commit');
  const ref = `refs/heads/${request.reviewBranch}`;
  const { remote } = place;
  const remoteUrl = remote === null ? null : await must(place.clone(['remote', 'get-url', remote]), 'read the remote');
  const link = compareLink({
    remoteUrl,
    baseBranch: request.baseBranch,
    reviewBranch: request.reviewBranch,
    baseCommit: request.base,
    reviewCommit: commit,
  });
  if (remote === null) {
    await must(place.clone(['update-ref', ref, commit]), 'set the review branch');
    return { ok: true, commit, compareLink: link, pushed: false };
  }
  const tip = await remoteTip(place, remote, ref);
  if (!tip.ok) return { ok: false, reason: 'remote-lost', message: tip.message };
  if (tip.commit !== commit) {
    const lease = `--force-with-lease=${ref}:${tip.commit ?? ''}`;
    const pushed = await oneAtATime(await place.commonDir(), () =>
      push(place, remote, [lease, remote, `${commit}:${ref}`]),
    );
    if (!pushed.ok) {
      const reason = pushed.reason === 'remote-lost' ? 'remote-lost' : 'push-rejected';
      return { ok: false, reason, message: pushed.message };
    }
  }
  return { ok: true, commit, compareLink: link, pushed: true };
}
