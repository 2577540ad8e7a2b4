import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DeliverRequest } from '../../src/core/repository.ts';
import { gitPort } from '../../src/git/git-port.ts';
import { type TinyOptions, writeIn } from '../support/tiny-repository.ts';
import { date, runHere, withWorkspace } from './setup.ts';

let made: Awaited<ReturnType<typeof withWorkspace>>;

/** A worktree with an approved change. */
async function approvedChange(options: TinyOptions = {}) {
  made = await withWorkspace(options);
  writeIn(made.place.worktree, 'src/add.js', 'export function add(a, b) {\n  return a + b;\n}\n');
  const tree = await made.workspace.tree();
  const tests: string[] = [];
  const progress: { finalCommit: string; mergeCommit: string | null }[] = [];
  const request: DeliverRequest = {
    tree,
    base: made.baseline.commit,
    targetBranch: 'develop',
    message: 'T-1: add adds\n',
    mergeMessage: 'Merge T-1\n',
    date,
    known: { finalCommit: null, mergeCommit: null },
    clean: false,
    run: runHere,
    runTests: async (folder) => {
      tests.push(folder);
      return { ok: true, message: '' };
    },
    progressed: async (facts) => {
      progress.push(facts);
    },
  };
  return { ...made, tree, request, tests, progress };
}

const tip = (branch: string) => made.repository.gitIn(made.repository.origin, 'rev-parse', branch);
const hook = (folder: string, name: string, text: string) => {
  mkdirSync(join(folder, 'hooks'), { recursive: true });
  writeFileSync(join(folder, 'hooks', name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, 'hooks', name), 0o755);
};

afterEach(() => made.repository.remove());

describe('delivery', () => {
  it('commits exactly the approved tree, merges it, and pushes both at once', async () => {
    const { workspace, request, repository, baseline, tree, tests } = await approvedChange();
    const result = await workspace.deliver(request);
    expect(result).toMatchObject({ ok: true, pushedTo: 'origin/develop', moved: false });
    if (!result.ok) return;
    expect(repository.git('rev-parse', `${result.finalCommit}^{tree}`)).toBe(tree);
    expect(repository.git('rev-parse', `${result.finalCommit}^`)).toBe(baseline.commit);
    expect(repository.git('log', '-1', '--format=%an <%ae> %s', result.finalCommit)).toBe(
      'Olga Operator <olga@example.org> T-1: add adds',
    );
    expect(tip('develop')).toBe(result.mergeCommit);
    expect(tip('gatehouse/T-1')).toBe(result.finalCommit);
    expect(tests).toEqual([]);
    expect(existsSync(made.place.delivery)).toBe(false);
  });

  it('WORKFLOW submit: a moved target is merged cleanly, with the tests of the merged tree run', async () => {
    const { workspace, request, repository, tests } = await approvedChange();
    writeIn(made.place.worktree, 'node_modules/dep/index.js', 'installed\n');
    const theirs = repository.pushAs('develop', { 'src/other.js': 'theirs\n' });
    const seen: boolean[] = [];
    const result = await workspace.deliver({
      ...request,
      runTests: async (folder) => {
        seen.push(existsSync(join(folder, 'src/other.js')), existsSync(join(folder, 'node_modules/dep/index.js')));
        return request.runTests(folder);
      },
    });
    expect(result).toMatchObject({ ok: true, moved: true });
    expect(tests).toEqual([made.place.delivery]);
    expect(seen).toEqual([true, true]);
    expect(repository.gitIn(repository.origin, 'rev-list', 'develop')).toContain(theirs);
    expect(repository.gitIn(repository.origin, 'show', 'develop:src/add.js')).toContain('a + b');
    // The link that lent the packages is gone, the packages are not.
    expect(existsSync(join(made.place.worktree, 'node_modules/dep/index.js'))).toBe(true);
  });

  it('stops when the merged tree fails its tests, with nothing pushed', async () => {
    const { workspace, request, repository } = await approvedChange();
    const theirs = repository.pushAs('develop', { 'src/other.js': 'theirs\n' });
    const runTests = async () => ({ ok: false, message: 'exit code 1' });
    expect(await workspace.deliver({ ...request, runTests })).toMatchObject({ ok: false, reason: 'tests-failed' });
    expect(tip('develop')).toBe(theirs);
    expect(() => tip('gatehouse/T-1')).toThrow('unknown revision');
  });

  it('WORKFLOW submit: a conflict stops it, nothing half-pushed; solved by hand it is found and finished', async () => {
    const { workspace, request, repository, progress } = await approvedChange();
    const theirs = repository.pushAs('develop', { 'src/add.js': 'theirs\n' });
    const result = await workspace.deliver(request);
    expect(result).toMatchObject({ ok: false, reason: 'conflict', message: expect.stringContaining('src/add.js') });
    expect(tip('develop')).toBe(theirs);
    expect(() => tip('gatehouse/T-1')).toThrow('unknown revision');
    const final = progress.at(-1)?.finalCommit ?? '';
    const hand = repository.gitIn(
      made.place.root,
      'commit-tree',
      `${final}^{tree}`,
      '-p',
      theirs,
      '-p',
      final,
      '-m',
      'By hand',
    );
    repository.git('push', '--quiet', 'origin', `${hand}:refs/heads/develop`);
    expect(await workspace.deliver({ ...request, known: { finalCommit: final, mergeCommit: null } })).toMatchObject({
      ok: true,
      finalCommit: final,
      mergeCommit: hand,
    });
  });

  it('stops when the repository commit hook refuses, and says what it said', async () => {
    const { workspace, request, repository } = await approvedChange();
    hook(join(repository.clone, '.git'), 'pre-commit', 'echo "no tabs please" >&2; exit 1');
    expect(await workspace.deliver(request)).toMatchObject({
      ok: false,
      reason: 'hook-rejected',
      message: expect.stringContaining('no tabs please'),
    });
    expect(tip('develop')).toBe(made.baseline.commit);
  });

  it('runs a hook that the agent could edit, and filters, only where the agent runs', async () => {
    const { workspace, request, repository } = await approvedChange();
    const log = join(repository.dir, 'ran');
    const note = (what: string) => `echo "${what} in \${PLACE:-the host}" >> '${log}'`;
    repository.git('config', 'core.hooksPath', '.hooks');
    repository.git('config', 'filter.own.smudge', 'sh .tools/smudge');
    writeIn(made.place.worktree, '.tools/smudge', `${note('filter')}; cat\n`);
    writeIn(made.place.worktree, '.gitattributes', 'src/* filter=own\n');
    for (const name of ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction', 'post-checkout']) {
      writeIn(made.place.worktree, `.hooks/${name}`, `#!/bin/sh\n${note(name)}\n`);
      chmodSync(join(made.place.worktree, '.hooks', name), 0o755);
    }
    writeIn(made.place.worktree, '.hooks/pre-push', `#!/bin/sh\n${note('pre-push')}\nexit 1\n`);
    chmodSync(join(made.place.worktree, '.hooks/pre-push'), 0o755);
    repository.pushAs('develop', { 'src/other.js': 'theirs\n' });
    const tree = await workspace.tree();
    const run: DeliverRequest['run'] = (command) =>
      request.run({ ...command, env: { ...command.env, PLACE: 'the session' } });
    expect(await workspace.deliver({ ...request, tree, run })).toMatchObject({ ok: true, moved: true });
    const ran = new Set(readFileSync(log, 'utf8').trim().split('\n'));
    expect([...ran].filter((line) => line.endsWith('in the host'))).toEqual([]);
    expect(ran).toContain('filter in the session');
    expect(ran).toContain('pre-commit in the session');
    expect(ran).toContain('commit-msg in the session');
  });

  it('asks no merge driver that the agent has written or asked for', async () => {
    const { workspace, request, repository } = await approvedChange();
    const trap = join(repository.dir, 'trap');
    repository.git('config', 'merge.own.driver', 'sh .tools/merge');
    writeIn(made.place.worktree, '.tools/merge', `touch '${trap}'\n`);
    writeIn(made.place.worktree, '.gitattributes', '* merge=own\n');
    repository.pushAs('develop', { 'src/add.js': 'theirs\n' });
    const tree = await workspace.tree();
    expect(await workspace.deliver({ ...request, tree })).toMatchObject({ ok: false, reason: 'conflict' });
    expect(existsSync(trap)).toBe(false);
  });

  it('takes the message as the commit-msg hook words it, without what a terminal would obey', async () => {
    const { workspace, request, repository } = await approvedChange();
    hook(join(repository.clone, '.git'), 'commit-msg', 'printf "T-1 \\033]0;x\\007worded\\n" > "$1"');
    const result = await workspace.deliver(request);
    expect(result).toMatchObject({ ok: true });
    if (!result.ok) return;
    const message = repository.git('log', '-1', '--format=%B', result.finalCommit);
    expect(message).toContain('worded');
    expect(message).not.toContain('\u001b');
  });

  it('stops when a commit hook changes what was approved', async () => {
    const { workspace, request, repository } = await approvedChange();
    hook(join(repository.clone, '.git'), 'pre-commit', 'echo more >> README.md; git add README.md');
    expect(await workspace.deliver(request)).toMatchObject({ ok: false, reason: 'hook-changed-tree' });
    expect(tip('develop')).toBe(made.baseline.commit);
  });

  it('stops when the remote rejects the push, for either branch, with neither pushed', async () => {
    const { workspace, request, repository } = await approvedChange();
    hook(repository.origin, 'update', 'case "$1" in refs/heads/gatehouse/*) echo "no such names here"; exit 1;; esac');
    const result = await workspace.deliver(request);
    expect(result).toMatchObject({ ok: false, reason: 'push-rejected' });
    expect(tip('develop')).toBe(made.baseline.commit);
    hook(repository.origin, 'update', 'exit 0');
    hook(repository.origin, 'pre-receive', 'echo "develop is protected"; exit 1');
    expect(await workspace.deliver(request)).toMatchObject({
      ok: false,
      reason: 'push-rejected',
      message: expect.stringContaining('develop is protected'),
    });
    expect(tip('develop')).toBe(made.baseline.commit);
  });

  it('stops when the remote is lost, and goes on when it is back', async () => {
    const { workspace, request, repository, progress } = await approvedChange();
    const away = `${repository.origin}.away`;
    renameSync(repository.origin, away);
    expect(await workspace.deliver(request)).toMatchObject({ ok: false, reason: 'remote-lost' });
    renameSync(away, repository.origin);
    const known = { finalCommit: progress.at(-1)?.finalCommit ?? null, mergeCommit: null };
    expect(await workspace.deliver({ ...request, known })).toMatchObject({ ok: true, finalCommit: known.finalCommit });
  });

  it('is the same when it is done again, whatever the last attempt did not get to say', async () => {
    const { workspace, request } = await approvedChange();
    const first = await workspace.deliver(request);
    const develop = tip('develop');
    // A host killed after the push knows neither commit: nothing is committed or pushed twice.
    expect(await workspace.deliver(request)).toEqual(first);
    expect(await workspace.deliver({ ...request, known: first.ok ? first : request.known })).toEqual(first);
    expect(tip('develop')).toBe(develop);
  });

  it('names the merge that brought the work, also when others came on top of it', async () => {
    const { workspace, request, repository } = await approvedChange();
    const first = await workspace.deliver(request);
    repository.pushAs('develop', { 'later.txt': 'later\n' });
    expect(await workspace.deliver(request)).toMatchObject({
      ok: true,
      mergeCommit: first.ok ? first.mergeCommit : '',
    });
  });

  it('is cut off at each step and still ends with one delivery', async () => {
    for (const stopAt of [1, 2]) {
      const { workspace, request, repository } = await approvedChange();
      let calls = 0;
      let last = request.known;
      const killed = workspace.deliver({
        ...request,
        progressed: async (facts) => {
          calls++;
          last = facts;
          if (calls === stopAt) throw new Error('killed');
        },
      });
      await expect(killed).rejects.toThrow('killed');
      const result = await workspace.deliver({ ...request, known: last });
      expect(result).toMatchObject({ ok: true });
      const merges = repository.gitIn(repository.origin, 'rev-list', '--merges', '--count', 'develop');
      expect(merges).toBe('1');
      if (stopAt === 1) repository.remove();
    }
  });

  it('moves the local branch when there is no remote, and never one that is checked out', async () => {
    const { workspace, request, repository } = await approvedChange({ remote: false });
    repository.git('switch', '--quiet', 'develop');
    expect(await workspace.deliver(request)).toMatchObject({ ok: false, reason: 'checked-out' });
    repository.git('switch', '--quiet', 'main');
    const result = await workspace.deliver(request);
    expect(result).toMatchObject({ ok: true, pushedTo: 'develop' });
    expect(repository.git('show', 'develop:src/add.js')).toContain('a + b');
    expect(repository.git('status', '--porcelain')).toBe('');
  });
});

describe('the review branch', () => {
  const publish = (tree: string) => ({
    tree,
    base: made.baseline.commit,
    baseBranch: 'develop',
    reviewBranch: 'gatehouse-review/T-1',
    message: 'T-1\n',
    date,
  });

  it('carries one commit of exactly the tree, is pushed again when the tree changes, and is the same when repeated', async () => {
    const { workspace, tree } = await approvedChange();
    const first = await workspace.publishReview(publish(tree));
    expect(first).toMatchObject({ ok: true, pushed: true });
    expect(await workspace.publishReview(publish(tree))).toEqual(first);
    writeIn(made.place.worktree, 'src/add.js', 'again\n');
    const second = await workspace.publishReview(publish(await workspace.tree()));
    expect(second.ok && tip('gatehouse-review/T-1')).toBe(second.ok && second.commit);
  });

  it('says when the remote is lost or refuses', async () => {
    const { workspace, tree, repository } = await approvedChange();
    hook(repository.origin, 'pre-receive', 'echo "closed today"; exit 1');
    expect(await workspace.publishReview(publish(tree))).toMatchObject({
      ok: false,
      reason: 'push-rejected',
      message: expect.stringContaining('closed today'),
    });
    renameSync(repository.origin, `${repository.origin}.away`);
    expect(await workspace.publishReview(publish(tree))).toMatchObject({ ok: false, reason: 'remote-lost' });
    expect(await gitPort.workspace(made.place).exists()).toBe(true);
  });
});
