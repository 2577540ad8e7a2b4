// Talks to the remote, and tells what its refusals mean.
import { networkSilentMs, type GitResult } from './run-git.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { Place } from './place.ts';

export type RemoteFailure = {
  readonly ok: false;
  readonly reason: 'remote-lost' | 'push-rejected' | 'branch-missing';
  readonly message: string;
};

/** Brings the remote's branch here and gives its tip; the local branch where there is no remote. */
export async function fetchBranch(
  place: Place,
  branch: string,
): Promise<{ readonly ok: true; readonly commit: string } | RemoteFailure> {
  const { remote } = place;
  const ref = remote === null ? `refs/heads/${branch}` : `refs/remotes/${remote}/${branch}`;
  if (remote !== null) {
    const fetched = await oneAtATime(await place.commonDir(), () =>
      place.clone(['fetch', '--quiet', '--no-tags', remote, `+refs/heads/${branch}:${ref}`], {
        silentMs: networkSilentMs,
      }),
    );
    if (!fetched.ok) {
      const gone = /couldn't find remote ref/.test(fetched.stderr);
      return { ok: false, reason: gone ? 'branch-missing' : 'remote-lost', message: firstWords(fetched) };
    }
  }
  const tip = await place.clone(['rev-parse', '--verify', '--quiet', ref]);
  if (tip.ok) return { ok: true, commit: tip.stdout.trim() };
  return { ok: false, reason: 'branch-missing', message: `there is no branch ${branch}` };
}

export async function remoteTip(
  place: Place,
  remote: string,
  ref: string,
): Promise<{ readonly ok: true; readonly commit: string | null } | RemoteFailure> {
  const listed = await place.clone(['ls-remote', '--quiet', remote, ref], { silentMs: networkSilentMs });
  if (!listed.ok) return { ok: false, reason: 'remote-lost', message: firstWords(listed) };
  return { ok: true, commit: listed.stdout.split('\t')[0]?.trim() || null };
}

export type Push =
  | { readonly ok: true }
  /** The remote has moved on: fetch and try again. */
  | { readonly ok: false; readonly reason: 'moved'; readonly message: string }
  | RemoteFailure;

export async function push(place: Place, remote: string, args: readonly string[]): Promise<Push> {
  const pushed = await place.clone(['push', '--porcelain', '--no-verify', ...args], { silentMs: networkSilentMs });
  if (pushed.ok) return { ok: true };
  const said = `${pushed.stdout}\n${pushed.stderr}`;
  if (/\[remote rejected\]|pre-receive hook declined|protected branch|hook declined|GH006|denied by/i.test(said)) {
    return { ok: false, reason: 'push-rejected', message: rejection(said) };
  }
  if (/\[rejected\]|stale info|non-fast-forward|fetch first|cannot lock ref/i.test(said)) {
    return { ok: false, reason: 'moved', message: rejection(said) };
  }
  if (/denied|not allowed|403|read-only|insufficient/i.test(said) && !/Could not read from remote/.test(said)) {
    return { ok: false, reason: 'push-rejected', message: rejection(said) };
  }
  return { ok: false, reason: 'remote-lost', message: firstWords(pushed) || `${remote} did not take the push` };
}

/** What the remote itself said comes first: it names the rule that was broken. */
function rejection(said: string): string {
  const lines = said.split('\n').map((line) => line.trim());
  const remote = lines.filter((line) => line.startsWith('remote:')).map((line) => line.slice('remote:'.length).trim());
  const flags = lines
    .filter((line) => line.startsWith('!'))
    .map((line) => line.replace(/^!\s*/, '').replace(/\t/g, ' '));
  return [...remote.filter((line) => line !== ''), ...flags].slice(0, 6).join('; ') || 'the push was rejected';
}

function firstWords(result: GitResult): string {
  return (
    result.stderr
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '') ?? ''
  );
}
