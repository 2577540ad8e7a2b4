// What is in a run's worktree and in the operator's object store is still there when all of ours is done.
import { readFileSync, writeFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { gitPort } from '../../src/git/git-port.ts';
import { repositoryRoot } from '../support/paths.ts';
import { writeIn } from '../support/tiny-repository.ts';
import { date, runHere, withWorkspace } from './setup.ts';

type Made = Awaited<ReturnType<typeof withWorkspace>>;
let made: Made | null = null;
afterEach(() => {
  made?.repository.remove();
  made = null;
});

async function deliver({ place, workspace, baseline }: Made) {
  writeIn(place.worktree, 'src/add.js', 'export function add(a, b) {\n  return a + b;\n}\n');
  const tree = await workspace.tree();
  return workspace.deliver({
    clean: false,
    run: runHere,
    tree,
    base: baseline.commit,
    targetBranch: 'develop',
    message: 'T-1: add adds\n',
    mergeMessage: 'Merge T-1\n',
    date,
    known: { finalCommit: null, mergeCommit: null },
    runTests: async () => ({ ok: true, message: '' }),
    progressed: async () => {},
  });
}

describe('nothing of the operator is lost', () => {
  it('C105: a delivery leaves the worktree alone: uncommitted, untracked, ignored and unpushed', async () => {
    made = await withWorkspace();
    const { place, repository } = made;
    const left = { 'README.md': 'changed, not committed\n', 'notes.txt': 'untracked\n', 'out/build.bin': 'ignored\n' };
    // A moved target makes the delivery take a checkout of its own and remove it again.
    repository.pushAs('develop', { 'src/other.js': 'theirs\n' });
    const delivered = deliver(made);
    for (const [path, text] of Object.entries(left)) writeIn(place.worktree, path, text);
    await delivered;
    for (const [path, text] of Object.entries(left))
      expect(readFileSync(join(place.worktree, path), 'utf8')).toBe(text);
    expect(await made.workspace.exists()).toBe(true);
  });

  it('C105: no command deletes a worktree, and the code forces one away only where it has just made it', () => {
    const src = join(repositoryRoot, 'src');
    const forced = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .filter((file) =>
        /'worktree', 'remove'|'clean', '-|'reset', '--hard'/.test(readFileSync(join(src, file), 'utf8')),
      );
    // That of a run which could not be started.
    expect(forced).toEqual(['git/workspace.ts']);
  });

  it('C106: an object store that is shared with another is whole after a delivery, and after the run is gone', async () => {
    made = await withWorkspace();
    const { repository, place, baseline } = made;
    // The clone keeps nothing that its origin has as well.
    writeFileSync(join(repository.clone, '.git/objects/info/alternates'), `${repository.origin}/objects\n`);
    repository.gitIn(repository.origin, 'repack', '-a', '-d', '-q');
    repository.git('prune-packed', '-q');
    expect(repository.git('count-objects', '-v')).toMatch(/^count: 0$[^]*^in-pack: 0$/m);
    repository.pushAs('develop', { 'src/other.js': 'theirs\n' });
    const delivered = await deliver(made);
    expect(delivered).toMatchObject({ ok: true, moved: true });
    const second = { ...place, run: 'T-2', worktree: `${place.worktree}-2`, branch: 'gatehouse/T-2' };
    await gitPort.workspace(second).create(baseline.commit);
    await gitPort.workspace(second).discard(baseline.commit);
    for (const folder of [repository.clone, repository.origin])
      expect(repository.gitIn(folder, 'fsck', '--full', '--strict', '--connectivity-only')).not.toMatch(
        /missing|broken|error/,
      );
    expect(repository.gitIn(place.worktree, 'rev-parse', 'HEAD')).toMatch(/^[0-9a-f]{40}$/);
  });
});
