// ccmanager, the nearest neighbour, as a reference for the grid: installed into a cache outside of the repository, started
// in a repository with 60 worktrees besides its own.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tinyRepository } from '../../test/support/tiny-repository.ts';
import { type Measured, openMeasured } from '../support/measured.ts';

const name = '@kodaikabasawa/ccmanager-linux-x64';
const version = '4.4.3';
const worktrees = 60;
/** Stands in front of the selected row, in a colour of its own. */
export const ccmanagerMark = '\u001b[34m❯';

export async function openCcmanager(size: {
  cols: number;
  rows: number;
}): Promise<AsyncDisposable & { readonly program: Measured }> {
  const file = install();
  const repository = tinyRepository({ remote: false });
  for (let n = 1; n <= worktrees; n += 1) {
    repository.git('worktree', 'add', '--quiet', '-b', `task-${n}`, join(repository.dir, `worktree-${n}`));
  }
  // Its settings are not the operator's.
  const inFolder = ['/usr/bin/env', `HOME=${repository.dir}`, '/bin/sh', '-c', 'cd "$1" && exec "$2"', 'bench'];
  const program = await openMeasured([...inFolder, repository.clone, file], size);
  await program.waitFor('task-10');
  return {
    program,
    [Symbol.asyncDispose]: async () => {
      await program.close();
      repository.remove();
    },
  };
}

function install(): string {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'gatehouse-bench');
  const file = join(cache, 'node_modules', name, 'bin/ccmanager');
  if (existsSync(file)) return file;
  mkdirSync(cache, { recursive: true });
  const args = ['install', '--prefix', cache, '--no-save', '--ignore-scripts', `${name}@${version}`];
  if (spawnSync('npm', args, { stdio: 'inherit' }).status !== 0) throw new Error(`${name} could not be installed`);
  return file;
}
