// Our sources that run inside of an agent program, as files for a run's own folder: a run that goes on over an
// upgrade of Gatehouse keeps the version it was started with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LaunchFile } from './adapter.ts';

export function ownFile(name: string, runtimeDir: string): LaunchFile {
  const source = fileURLToPath(new URL(`./${name}`, import.meta.url));
  return { path: join(runtimeDir, 'gatehouse', name), text: readFileSync(source, 'utf8') };
}
