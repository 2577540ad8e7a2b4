// Tests run the built programs: makes sure that dist/ is not older than src/, once for all files.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './paths.ts';

export function setup(): void {
  if (process.env['GATEHOUSE_DIST_IS_FRESH'] === '1' || isFresh()) return;
  const result = spawnSync(process.execPath, ['tools/build.ts'], { cwd: repositoryRoot, stdio: 'inherit' });
  if (result.status !== 0) process.stderr.write('The build has errors; the tests run on what was emitted.\n');
}

function isFresh(): boolean {
  const builtAt = statSync(join(repositoryRoot, 'dist/.built'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return readdirSync(join(repositoryRoot, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .every((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs < builtAt);
}
