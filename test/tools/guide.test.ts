// The codebase guide and the README name files; a reader must find them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../src/core/config.ts';
import { policySchema } from '../../src/core/policy.ts';
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

test('the configuration that README.md shows is a valid one', () => {
  const text = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
  const shown = [...text.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json) as object);
  const [config, policy] = [shown.find((each) => 'tokens' in each), shown.find((each) => 'testCommand' in each)];
  expect(configSchema.safeParse(config).error).toBeUndefined();
  expect(policySchema.safeParse(policy).error).toBeUndefined();
});
