// What the host does after gate 2 with what an attack has left: commit, merge and push, by the product's own git.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitPort } from '../../src/git/git-port.ts';
import { sandboxArgv } from '../../src/sandbox/argv.ts';
import { prepareSandbox } from '../../src/sandbox/prepare.ts';
import { git, type Site } from '../sandbox/support/site.ts';
import type { Mode } from './outcome.ts';

const limitMs = 30_000;

export async function deliverAsHost(site: Site, mode: Mode): Promise<void> {
  const { run, clone } = site;
  moveTarget(site);
  const workspace = gitPort.workspace({
    run: 'task-1',
    root: clone,
    remote: 'origin',
    worktree: run.worktree,
    index: run.engineIndex,
    confinedGit: run.confinedGit,
    delivery: run.delivery,
    branch: 'gatehouse/task-1',
  });
  const inside = (argv: readonly string[], cwd: string) => inSession(site, mode, argv, cwd);
  const delivered = await workspace.deliver({
    tree: await workspace.tree(),
    base: git(clone, 'rev-parse', 'gatehouse/task-1').trim(),
    targetBranch: 'main',
    message: 'Task 1\n',
    mergeMessage: 'Merge task 1\n',
    date: '2026-05-04T10:00:00.000Z',
    known: { finalCommit: null, mergeCommit: null },
    clean: false,
    run: ({ argv, cwd, env }) => inside(['env', ...Object.entries(env).map((pair) => pair.join('=')), ...argv], cwd),
    runTests: async (folder) => ({ ...(await inside(['sh', './test.sh'], folder)), ok: true, message: '' }),
    progressed: async () => {},
  });
  // Ours, and not there before.
  rmSync(run.engineIndex, { force: true });
  // An attack that only makes the delivery fail has not shown what a delivery that goes on would have started.
  if (!delivered.ok) throw new Error(`the delivery went wrong: ${delivered.message}`);
}

/** So that the merged tree is not the approved one, and is tested. */
function moveTarget({ place, origin }: Site): void {
  const other = mkdtempSync(join(place.root, 'other-'));
  git(other, 'clone', '-q', origin, '.');
  writeFileSync(join(other, 'OTHER.md'), 'others work, too\n');
  git(other, 'add', '-A');
  git(other, '-c', 'user.name=O', '-c', 'user.email=o@example.invalid', 'commit', '-q', '-m', 'Other');
  git(other, 'push', '-q', 'origin', 'HEAD:main');
}

async function inSession(site: Site, mode: Mode, argv: readonly string[], cwd: string) {
  const { worktree } = site.run;
  let words = argv;
  if (mode === 'bwrap') {
    const plan = await site.plan({ developmentApproved: true, checkouts: [cwd] });
    await prepareSandbox(plan);
    words = sandboxArgv(plan, ['/bin/sh', '-c', 'cd "$1" && shift && exec "$@"', 'deliver', cwd, ...argv]);
  }
  const [program = '', ...args] = words;
  const ran = spawnSync(program, args, {
    cwd: mode === 'bwrap' ? worktree : cwd,
    env: site.env(mode === 'bwrap'),
    encoding: 'utf8',
    timeout: limitMs,
  });
  return { ok: ran.status === 0, output: `${ran.stdout}${ran.stderr}` };
}
