// What a person looks at before a gate is what was recorded, whatever the agent has put in its place since.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readEvidence } from '../../src/tui/run/evidence-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gh-evidence-'));
  path = join(folder, 'E1-abc.out');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const recorded = { sha256: createHash('sha256').update('2 tests failed\n').digest('hex'), image: null };

test('the file that was recorded is shown', async () => {
  writeFileSync(path, '2 tests failed\n');
  expect(await readEvidence(path, recorded)).toEqual({ data: Buffer.from('2 tests failed\n') });
});

test('another text, a link, a pipe and a hole of terabytes are named, not shown', async () => {
  const shown = async () => JSON.stringify(await readEvidence(path, recorded));
  writeFileSync(path, 'all tests passed\n');
  expect(await shown()).toContain('was changed after it was recorded');
  truncateSync(path, 4 * 1024 ** 4);
  expect(await shown()).toContain('not there as it was recorded');
  rmSync(path);
  writeFileSync(join(folder, 'other'), '2 tests failed\n');
  symlinkSync(join(folder, 'other'), path);
  expect(await shown()).toContain('not there as it was recorded');
  rmSync(path);
  execFileSync('mkfifo', [path]);
  expect(await shown()).toContain('not there as it was recorded');
});

test('a picture that would fill the memory is not decoded', async () => {
  writeFileSync(path, '2 tests failed\n');
  const image = { format: 'png' as const, width: 60_000, height: 60_000 };
  expect(await readEvidence(path, { ...recorded, image })).toEqual({ failure: '60000x60000: too large to draw here' });
});
