// The operator's clone: can it carry a run, and where does a run start. Only reads, apart from `git fetch`.
import { GatehouseError } from '../core/error.ts';
import { firstIssue } from '../core/first-issue.ts';
import { baselineCandidates, developmentBranch, type Policy, policyFile, policySchema } from '../core/policy.ts';
import type { Baseline, Clone } from '../core/repository.ts';
import type { Priority } from '../core/task.ts';
import { withoutCredentials } from './compare-link.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { networkSilentMs, runGit } from './run-git.ts';

/** Files named in the message about a dirty tree. */
const namedFiles = 5;

export async function openClone(path: string): Promise<Clone> {
  const located = await runGit({ cwd: path }, [
    'rev-parse',
    '--path-format=absolute',
    '--show-toplevel',
    '--git-common-dir',
  ]);
  const [root = '', gitDir = ''] = located.stdout.split('\n');
  if (!located.ok || root === '') {
    throw unusable(`${path} is not a git repository with a working tree`, 'give the clone with --repo DIR');
  }
  if ((await resolveCommit(root, 'HEAD')) === null) {
    throw unusable(`${root} has no commit yet`, 'make a first commit, then start the run again');
  }
  await refuseDirty(root);
  const remote = await findRemote(root);
  const url = remote === null ? null : (await runGit({ cwd: root }, ['remote', 'get-url', remote])).stdout.trim();
  const remoteUrl = url === null ? null : withoutCredentials(url);
  return { root, gitDir, remote, remoteUrl, defaultBranch: await findDefaultBranch(root, remote) };
}

export async function findBaseline(
  clone: Clone,
  priority: Priority,
  configured: Policy | undefined,
): Promise<Baseline> {
  const warnings = await fetchAll(clone);
  const tip = (branch: string) => resolveBranch(clone, branch);
  const first =
    (await readPolicy(clone.root, (await tip(clone.defaultBranch)) ?? 'HEAD')) ??
    (await readPolicy(clone.root, 'HEAD'));
  // Which branch is the baseline is itself policy; the file at the baseline then has the last word.
  const early = first ?? configured;
  const branch = baselineCandidates(priority, early ?? { branches: {} }, clone.defaultBranch)[0] ?? clone.defaultBranch;
  const commit = await tip(branch);
  if (commit === null) {
    throw unusable(
      `a task of priority ${priority} starts from branch ${branch}, and there is none`,
      `make the branch, or name another under "branches" in ${policyFile}`,
    );
  }
  const own = await readPolicy(clone.root, commit);
  const policy = own ?? early;
  if (policy === undefined) {
    throw unusable(
      `${clone.root} declares no test command`,
      `commit a ${policyFile} with {"testCommand": "..."}, or add the clone to "repositories" in config.json`,
    );
  }
  const target = developmentBranch(policy, clone.defaultBranch);
  if ((await tip(target)) === null) {
    throw unusable(
      `work is merged into branch ${target}, and there is none`,
      `make the branch, or set "developmentBranch" in ${policyFile}`,
    );
  }
  const source =
    own !== undefined ? `${policyFile} at ${commit.slice(0, 12)}` : first !== undefined ? policyFile : 'config.json';
  const held = clone.remote === null ? await checkedOutAt(clone.root, target) : null;
  if (held !== null) {
    warnings.push(`${target} is checked out in ${held}; switch that checkout to another branch before the second gate`);
  }
  return { branch, commit, developmentBranch: target, policy, policySource: source, warnings };
}

/** The tip of a branch where it is authoritative: at the remote when there is one. */
async function resolveBranch(clone: Pick<Clone, 'root' | 'remote'>, branch: string): Promise<string | null> {
  const remote =
    clone.remote === null ? null : await resolveCommit(clone.root, `refs/remotes/${clone.remote}/${branch}`);
  return remote ?? (await resolveCommit(clone.root, `refs/heads/${branch}`));
}

async function resolveCommit(root: string, name: string): Promise<string | null> {
  const result = await runGit({ cwd: root }, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${name}^{commit}`,
  ]);
  return result.ok ? result.stdout.trim() : null;
}

/** The checkout that has this branch checked out, if any. */
export async function checkedOutAt(root: string, branch: string): Promise<string | null> {
  const { stdout } = await runGit({ cwd: root }, ['worktree', 'list', '--porcelain', '-z']);
  for (const entry of stdout.split('\0\0')) {
    const lines = entry.split('\0');
    if (lines.includes(`branch refs/heads/${branch}`)) {
      return lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length) ?? root;
    }
  }
  return null;
}

async function refuseDirty(root: string): Promise<void> {
  const status = await runGit({ cwd: root }, ['status', '--porcelain', '-z', '--ignore-submodules=all']);
  const dirty = status.stdout
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3));
  if (dirty.length === 0) return;
  const more = dirty.length > namedFiles ? ` and ${dirty.length - namedFiles} more` : '';
  throw unusable(
    `${root} has uncommitted changes: ${dirty.slice(0, namedFiles).join(', ')}${more}`,
    'commit or stash them; a run starts from what is committed',
  );
}

async function findRemote(root: string): Promise<string | null> {
  const names = (await runGit({ cwd: root }, ['remote'])).stdout.split('\n').filter((name) => name !== '');
  return names.includes('origin') ? 'origin' : (names[0] ?? null);
}

async function findDefaultBranch(root: string, remote: string | null): Promise<string> {
  if (remote !== null) {
    const head = await runGit({ cwd: root }, ['symbolic-ref', '--quiet', '--short', `refs/remotes/${remote}/HEAD`]);
    if (head.ok) return head.stdout.trim().slice(remote.length + 1);
  }
  const current = await runGit({ cwd: root }, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return current.ok ? current.stdout.trim() : 'main';
}

async function fetchAll(clone: Clone): Promise<string[]> {
  if (clone.remote === null) return [];
  const args = ['fetch', '--quiet', '--no-tags', clone.remote];
  const fetched = await oneAtATime(clone.gitDir, () => runGit({ cwd: clone.root, silentMs: networkSilentMs }, args));
  if (fetched.ok) return [];
  const why = fetched.stderr.trim().split('\n')[0] ?? '';
  return [`${clone.remote} could not be reached (${why}); the run starts from what was fetched last`];
}

async function readPolicy(root: string, commit: string): Promise<Policy | undefined> {
  const file = await runGit({ cwd: root }, ['cat-file', 'blob', `${commit}:${policyFile}`]);
  if (!file.ok) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(file.stdout);
  } catch (error) {
    throw invalid(commit, error instanceof Error ? error.message : String(error));
  }
  const parsed = policySchema.safeParse(value);
  if (!parsed.success) throw invalid(commit, firstIssue(parsed.error));
  return parsed.data;
}

function invalid(commit: string, why: string): GatehouseError {
  return new GatehouseError(
    'policy.invalid',
    `${policyFile} at ${commit.slice(0, 12)} does not parse: ${why}`,
    'correct it, commit it, and start the run again',
  );
}

function unusable(message: string, hint: string): GatehouseError {
  return new GatehouseError('repo.unusable', message, hint);
}
