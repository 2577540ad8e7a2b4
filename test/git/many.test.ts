import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitPort } from '../../src/git/git-port.ts';
import { tinyRepository, writeIn } from '../support/tiny-repository.ts';
import { withWorkspace } from './setup.ts';

describe('one clone, many runs', () => {
  it('takes a dozen worktrees at once', async () => {
    const repository = tinyRepository();
    const clone = await gitPort.openClone(repository.clone);
    const made = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const baseline = await gitPort.findBaseline(clone, 'normal', undefined);
        const run = join(repository.dir, `run-${n}`);
        const workspace = gitPort.workspace({
          run: `r${n}`,
          root: clone.root,
          remote: clone.remote,
          worktree: join(run, 'worktree'),
          index: join(run, 'engine.index'),
          delivery: join(run, 'delivery'),
          branch: `gatehouse/r${n}`,
        });
        await workspace.create(baseline.commit);
        return { warnings: baseline.warnings, tree: await workspace.tree() };
      }),
    );
    expect(made.every((m) => m.warnings.length === 0)).toBe(true);
    expect(new Set(made.map((m) => m.tree)).size).toBe(1);
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(13);
    repository.remove();
  });
});

describe('strange content of a worktree', () => {
  it('a repository inside it is said by name, and is no way to run a program', async () => {
    const made = await withWorkspace();
    const trap = join(made.repository.dir, 'trap');
    const inner = join(made.place.worktree, 'inner');
    mkdirSync(inner);
    made.repository.gitIn(inner, 'init', '--quiet');
    await expect(made.workspace.tree()).rejects.toThrow('inner');
    writeIn(inner, 'a.txt', 'a\n');
    made.repository.gitIn(inner, 'add', '.');
    made.repository.gitIn(inner, '-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '--quiet', '-m', 'a');
    made.repository.gitIn(inner, 'config', 'core.fsmonitor', `touch ${trap}`);
    await made.workspace.tree();
    writeIn(inner, 'a.txt', 'b\n');
    const tree = await made.workspace.tree();
    const base = await made.workspace.treeOfCommit(made.baseline.commit);
    expect(await made.workspace.changes(base, tree)).toEqual([{ path: 'inner', kind: 'added', isRepository: true }]);
    expect(existsSync(trap)).toBe(false);
    made.repository.remove();
  });

  it('names with spaces, newlines and other letters come through', async () => {
    const made = await withWorkspace();
    const names = ['src/with space.js', 'src/two\nlines.js', 'src/日本語.js', 'src/"quoted".js'];
    for (const name of names) writeIn(made.place.worktree, name, 'x\n');
    const base = await made.workspace.treeOfCommit(made.baseline.commit);
    const tree = await made.workspace.tree();
    expect(new Set((await made.workspace.changes(base, tree)).map((c) => c.path))).toEqual(new Set(names));
    expect(new Set((await made.workspace.lineCounts(base, tree)).map((c) => c.path))).toEqual(new Set(names));
    made.repository.remove();
  });
});
