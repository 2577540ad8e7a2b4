import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { prepareSandbox } from '../../src/sandbox/prepare.ts';
import { runProgram } from '../support/run-program.ts';
import { git, makeSite, type Site } from './support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await makeSite();
  mkdirSync(join(site.userHome, '.ssh'), { recursive: true });
  writeFileSync(join(site.userHome, '.ssh/key'), 'secret');
  await prepareSandbox(await site.plan());
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
});

async function confined(...args: string[]) {
  const env = {
    ...site.place.env,
    GIT_INDEX_FILE: site.run.engineIndex,
    GIT_DIR: git(site.run.worktree, 'rev-parse', '--absolute-git-dir').trim(),
    GIT_WORK_TREE: site.run.worktree,
  };
  return runProgram(site.run.confinedGit, args, { env, cwd: site.run.worktree });
}

test('it hashes the worktree into the clone, with an index of its own, and can bring files back', async () => {
  writeFileSync(join(site.run.worktree, 'new.txt'), 'new\n');
  expect(await confined('add', '--all', '--', '.')).toMatchObject({ code: 0, stderr: '' });
  const tree = (await confined('write-tree')).stdout.trim();
  expect(git(site.clone, 'ls-tree', '-r', '--name-only', tree)).toContain('new.txt');
  expect(git(site.run.worktree, 'status', '--porcelain')).toBe('?? new.txt\n');
  expect(await confined('read-tree', '--reset', '-u', 'HEAD')).toMatchObject({ code: 0, stderr: '' });
  expect(git(site.run.worktree, 'status', '--porcelain')).toBe('');
});

test("what lies outside of the run is not there, and the operator's files cannot be written", async () => {
  for (const path of [join(site.userHome, '.ssh/key'), site.run.state, site.home.config]) {
    expect((await confined('hash-object', '-w', path)).stderr).toContain('could not open');
  }
  for (const path of [join(site.clone, '.git/x'), join(site.userHome, 'code/x'), join(dirname(site.run.dir), 'x')]) {
    expect((await confined('archive', '-o', path, 'HEAD')).code).not.toBe(0);
  }
  expect((await confined('update-ref', 'refs/heads/mine', 'HEAD')).code).not.toBe(0);
});
