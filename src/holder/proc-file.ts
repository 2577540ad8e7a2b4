import { readFileSync } from 'node:fs';

/** A file of /proc; empty when the process has gone meanwhile or belongs to somebody else. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
