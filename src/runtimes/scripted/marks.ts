// Stage directions that are followed once in a run, whichever session comes by. Not the agent's memory: it decides nothing by it.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** True the first time for this name. */
export function firstTime(sessionDir: string, name: string): boolean {
  const path = join(sessionDir, `once-${name.replace(/[^\w-]/g, '_')}`);
  if (existsSync(path)) return false;
  mkdirSync(sessionDir, { recursive: true, mode: 0o700 });
  writeFileSync(path, '');
  return true;
}
