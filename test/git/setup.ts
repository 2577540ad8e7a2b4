import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { DeliverRequest, WorkspacePlace } from '../../src/core/repository.ts';
import { gitPort } from '../../src/git/git-port.ts';
import { tinyRepository, type TinyOptions, type TinyRepository } from '../support/tiny-repository.ts';

/** A tiny repository with the worktree of one run. */
export async function withWorkspace(options: TinyOptions = {}) {
  const repository = tinyRepository(options);
  try {
    return await workspaceOf(repository);
  } catch (error) {
    repository.remove();
    throw error;
  }
}

async function workspaceOf(repository: TinyRepository) {
  const clone = await gitPort.openClone(repository.clone);
  const baseline = await gitPort.findBaseline(clone, 'normal', undefined);
  const place: WorkspacePlace = {
    run: 'T-1',
    root: clone.root,
    remote: clone.remote,
    worktree: join(repository.dir, 'run', 'worktree'),
    index: join(repository.dir, 'run', 'engine.index'),
    delivery: join(repository.dir, 'run', 'delivery'),
    branch: 'gatehouse/T-1',
  };
  const workspace = gitPort.workspace(place);
  await workspace.create(baseline.commit);
  return { repository, clone, baseline, place, workspace };
}

export const date = '2026-05-04T10:00:00.000Z';

/** Without a sandbox around it. */
export const runHere: DeliverRequest['run'] = async ({ argv: [program = '', ...args], cwd, env }) => {
  const ran = spawnSync(program, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });
  return { ok: ran.status === 0, output: `${ran.stdout}${ran.stderr}` };
};
