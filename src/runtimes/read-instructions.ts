import { readFileSync } from 'node:fs';

/** Instructions for programs that take them as text. Missing ones are the caller's fault and worth an error. */
export function readInstructions(file: string): string {
  return readFileSync(file, 'utf8');
}
