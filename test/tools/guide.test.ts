// The codebase guide and the README name files; a reader must find them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../support/paths.ts';

test.each([
  ['src/README.md', /`([a-z-]+\/[a-z/-]+\.tsx?)`/g, ['src', '.']],
  ['README.md', /`((?:test|src|skills|sessions)\/[\w./-]+)`/g, ['.']],
] as const)('every file that %s names is there', (guide, pattern, bases) => {
  const text = readFileSync(join(repositoryRoot, guide), 'utf8');
  const named = [...text.matchAll(pattern)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !bases.some((base) => existsSync(join(repositoryRoot, base, path))))).toEqual([]);
});
