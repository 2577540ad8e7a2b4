import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitPort } from '../../src/git/git-port.ts';
import { writeIn } from '../support/tiny-repository.ts';
import { date, withWorkspace } from './setup.ts';

describe('a worktree seen through an index of our own', () => {
  let made: Awaited<ReturnType<typeof withWorkspace>>;
  beforeEach(async () => {
    made = await withWorkspace();
  });
  afterEach(() => made.repository.remove());

  it('is on its own branch at the baseline', () => {
    const { repository, place, baseline } = made;
    expect(repository.gitIn(place.worktree, 'rev-parse', 'HEAD')).toBe(baseline.commit);
    expect(repository.gitIn(place.worktree, 'symbolic-ref', 'HEAD')).toBe('refs/heads/gatehouse/T-1');
  });

  it('is made once only, also when asked again after a kill', async () => {
    writeIn(made.place.worktree, 'src/add.js', 'changed\n');
    await made.workspace.create(made.baseline.commit);
    expect(readFileSync(join(made.place.worktree, 'src/add.js'), 'utf8')).toBe('changed\n');
  });

  it('is found also where the home lies behind a link', async () => {
    const { repository, place, baseline } = made;
    mkdirSync(join(repository.dir, 'real'));
    symlinkSync('real', join(repository.dir, 'link'));
    const linked = { ...place, run: 'T-2', branch: 'gatehouse/T-2', worktree: join(repository.dir, 'link/worktree') };
    const workspace = gitPort.workspace(linked);
    await workspace.create(baseline.commit);
    expect(await workspace.exists()).toBe(true);
    expect(await workspace.tree()).toBe(await workspace.treeOfCommit(baseline.commit));
  });

  it('tells each kind of change, and leaves the agent index alone', async () => {
    const { workspace, place, baseline, repository } = made;
    const base = await workspace.treeOfCommit(baseline.commit);
    expect(await workspace.tree()).toBe(base);
    writeIn(place.worktree, 'src/add.js', 'export const add = (a, b) => a + b;\n');
    writeIn(place.worktree, 'src/new.js', '\n');
    writeIn(place.worktree, 'out/ignored.txt', 'no\n');
    rmSync(join(place.worktree, 'README.md'));
    const tree = await workspace.tree();
    expect(await workspace.changes(base, tree)).toEqual([
      { path: 'README.md', kind: 'deleted' },
      { path: 'src/add.js', kind: 'modified' },
      { path: 'src/new.js', kind: 'added' },
    ]);
    expect(repository.gitIn(place.worktree, 'diff', '--cached', '--name-only')).toBe('');
    const diff = await workspace.diff(base, tree, 10_000);
    expect(diff.text).toContain('+export const add');
    expect(diff.truncated).toBe(0);
    expect((await workspace.diff(base, tree, 60)).truncated).toBeGreaterThan(3);
  });

  it('never runs what the worktree says: no hook, no fsmonitor, no foreign .git file', async () => {
    const { workspace, place, repository } = made;
    const trap = join(repository.dir, 'trap');
    const evil = join(repository.dir, 'evil');
    mkdirSync(evil);
    repository.gitIn(evil, 'init', '--quiet');
    repository.gitIn(evil, 'config', 'core.fsmonitor', `touch ${trap}`);
    writeFileSync(join(place.worktree, '.git'), `gitdir: ${join(evil, '.git')}\n`);
    repository.git('config', 'core.fsmonitor', `touch ${trap}; false`);
    repository.git('config', 'diff.external', `touch ${trap}; false`);
    writeFileSync(join(repository.clone, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${trap}\n`);
    chmodSync(join(repository.clone, '.git/hooks/post-index-change'), 0o755);
    writeIn(place.worktree, 'src/add.js', 'changed\n');
    const base = await workspace.treeOfCommit(made.baseline.commit);
    const tree = await workspace.tree();
    expect(await workspace.changes(base, tree)).toEqual([{ path: 'src/add.js', kind: 'modified' }]);
    await workspace.diff(base, tree, 1000);
    expect(existsSync(trap)).toBe(false);
  });

  it('survives an index that was torn', async () => {
    const before = await made.workspace.tree();
    writeFileSync(made.place.index, 'torn');
    writeFileSync(`${made.place.index}.lock`, '');
    expect(await made.workspace.tree()).toBe(before);
  });

  it('puts a tree back and moves new files aside instead of deleting them', async () => {
    const { workspace, place } = made;
    const base = await workspace.tree();
    writeIn(place.worktree, 'src/add.js', 'changed\n');
    writeIn(place.worktree, 'src/new/file.js', 'mine\n');
    const aside = join(made.repository.dir, 'aside');
    await workspace.restore(base, aside);
    expect(await workspace.tree()).toBe(base);
    expect(readFileSync(join(aside, 'src/new/file.js'), 'utf8')).toBe('mine\n');
  });

  it('knows the lines of a file at a commit', async () => {
    const { workspace, baseline } = made;
    expect(await workspace.lineCount(baseline.commit, 'src/add.js')).toBe(3);
    expect(await workspace.lineCount(baseline.commit, 'src/none.js')).toBeNull();
    expect(await workspace.lines(baseline.commit, 'src/add.js', 2, 2)).toBe('  return a - b;');
    expect(await workspace.lines(baseline.commit, 'src/add.js', 2, 9)).toBeNull();
  });
});

describe('sync with the baseline', () => {
  let made: Awaited<ReturnType<typeof withWorkspace>>;
  beforeEach(async () => {
    made = await withWorkspace();
  });
  afterEach(() => made.repository.remove());

  const request = (policy: 'merge' | 'rebase' = 'merge', pending: string | null = null) => ({
    baselineBranch: 'develop',
    policy,
    message: 'Work\n',
    date,
    pending,
  });

  it('does nothing where the baseline has not moved', async () => {
    const { workspace, place, baseline } = made;
    writeIn(place.worktree, 'src/add.js', 'mine\n');
    const tree = await workspace.tree();
    expect(await workspace.sync(request())).toEqual({ ok: true, commit: baseline.commit, conflicts: [], tree });
    expect(await workspace.head()).toBe(baseline.commit);
  });

  it.each(['merge', 'rebase'] as const)('brings in what moved, and keeps the work (%s)', async (policy) => {
    const { workspace, place, repository } = made;
    writeIn(place.worktree, 'src/add.js', 'mine\n');
    const moved = repository.pushAs('develop', { 'src/other.js': 'theirs\n' });
    const result = await workspace.sync(request(policy));
    expect(result).toMatchObject({ ok: true, commit: moved, conflicts: [] });
    expect(readFileSync(join(place.worktree, 'src/add.js'), 'utf8')).toBe('mine\n');
    expect(readFileSync(join(place.worktree, 'src/other.js'), 'utf8')).toBe('theirs\n');
    expect(await workspace.changes(moved, await workspace.tree())).toEqual([{ path: 'src/add.js', kind: 'modified' }]);
    const parents = repository.git('rev-list', '--parents', '-1', 'gatehouse/T-1').split(' ').slice(1);
    expect(parents).toHaveLength(policy === 'merge' ? 2 : 1);
    expect(parents).toContain(moved);
    // The agent's own `git status` shows nothing that is not the agent's.
    expect(repository.gitIn(place.worktree, 'status', '--porcelain')).toBe('');
  });

  it('leaves the markers of a conflict, takes the solution, and then has one clean history', async () => {
    const { workspace, place, repository } = made;
    writeIn(place.worktree, 'src/add.js', 'mine\n');
    const moved = repository.pushAs('develop', { 'src/add.js': 'theirs\n', 'src/other.js': 'theirs\n' });
    const first = await workspace.sync(request());
    expect(first).toMatchObject({ ok: true, commit: moved, conflicts: ['src/add.js'] });
    const text = readFileSync(join(place.worktree, 'src/add.js'), 'utf8');
    expect(text).toMatch(/<<<<<<<[\s\S]*mine[\s\S]*=======[\s\S]*theirs[\s\S]*>>>>>>>/);
    expect(await workspace.unresolved(await workspace.tree(), ['src/add.js'])).toEqual(['src/add.js']);
    // Asked again, before and after the engine knows: the same answer, no second merge.
    expect(await workspace.sync(request())).toMatchObject({ conflicts: ['src/add.js'] });
    expect(await workspace.sync(request('merge', moved))).toMatchObject({ conflicts: ['src/add.js'] });
    expect(readFileSync(join(place.worktree, 'src/add.js'), 'utf8')).toBe(text);
    writeIn(place.worktree, 'src/add.js', 'both\n');
    expect(await workspace.sync(request('merge', moved))).toMatchObject({ ok: true, commit: moved, conflicts: [] });
    expect(repository.git('rev-list', '--parents', '-1', 'gatehouse/T-1').split(' ').slice(1)).toContain(moved);
    expect(readFileSync(join(place.worktree, 'src/add.js'), 'utf8')).toBe('both\n');
  });

  it('names a remote that is not there', async () => {
    rmSync(made.repository.origin, { recursive: true });
    expect(await made.workspace.sync(request())).toMatchObject({ ok: false, reason: 'remote-lost' });
  });
});

describe('the operator clone', () => {
  it('is refused without a repository, without a commit, or dirty', async () => {
    const { repository } = await withWorkspace();
    const empty = join(repository.dir, 'empty');
    mkdirSync(empty);
    await expect(gitPort.openClone(join(repository.dir, 'none'))).rejects.toMatchObject({ code: 'repo.unusable' });
    await expect(gitPort.openClone(empty)).rejects.toMatchObject({ code: 'repo.unusable' });
    execFileSync('git', ['init', '--quiet'], { cwd: empty });
    await expect(gitPort.openClone(empty)).rejects.toThrow('no commit');
    repository.write('README.md', 'dirty\n');
    await expect(gitPort.openClone(repository.clone)).rejects.toThrow('uncommitted changes: README.md');
    repository.remove();
  });

  it('WORKFLOW initialize: urgent starts from main, high from staging, everything else from the integration branch', async () => {
    const { repository, clone } = await withWorkspace();
    const staging = repository.pushAs('staging', { 'staging.txt': 's\n' });
    const develop = repository.pushAs('develop', { 'develop.txt': 'd\n' });
    const at = async (priority: 'low' | 'normal' | 'high' | 'urgent') => {
      const { branch, commit } = await gitPort.findBaseline(clone, priority, undefined);
      return { branch, commit };
    };
    expect(await at('high')).toEqual({ branch: 'staging', commit: staging });
    expect(await at('normal')).toEqual({ branch: 'develop', commit: develop });
    expect(await at('low')).toEqual({ branch: 'develop', commit: develop });
    expect(await at('urgent')).toEqual({ branch: 'main', commit: repository.git('rev-parse', 'origin/main') });
    repository.remove();
  });

  it('starts from what was fetched last when the remote is not there, and says so', async () => {
    const { repository, clone } = await withWorkspace();
    rmSync(repository.origin, { recursive: true });
    const baseline = await gitPort.findBaseline(clone, 'normal', undefined);
    expect(baseline.warnings[0]).toContain('could not be reached');
    repository.remove();
  });

  it('says what a policy lacks', async () => {
    const none = await withWorkspace({ policy: { testCommand: 'x', developmentBranch: 'nowhere' } }).catch((e) => e);
    expect(none).toMatchObject({ code: 'repo.unusable', message: expect.stringContaining('nowhere') });
    const broken = await withWorkspace({ policy: { testCommand: 1 } }).catch((e) => e);
    expect(broken).toMatchObject({ code: 'policy.invalid' });
    const without = await withWorkspace({ policy: null }).catch((e) => e);
    expect(without).toMatchObject({ code: 'repo.unusable', hint: expect.stringContaining('testCommand') });
  });
});
