import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeBelow } from '../../src/platform/untrusted-folder.ts';

let place: string;
let root: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'gh-untrusted-'));
  root = join(place, 'runtime');
  mkdirSync(root);
  mkdirSync(join(place, 'operator'));
  writeFileSync(join(place, 'operator/file'), 'kept');
});
afterEach(() => rmSync(place, { recursive: true }));

const kept = () => readFileSync(join(place, 'operator/file'), 'utf8');

test('writes a file with its mode, and its folders', async () => {
  await writeBelow(root, join(root, 'a/b/file'), 'ours', 0o700);
  expect(readFileSync(join(root, 'a/b/file'), 'utf8')).toBe('ours');
  expect(statSync(join(root, 'a/b/file')).mode & 0o777).toBe(0o700);
  expect(statSync(join(root, 'a/b')).mode & 0o777).toBe(0o700);
});

test('a link in place of the file is replaced, not followed', async () => {
  symlinkSync(join(place, 'operator/file'), join(root, 'file'));
  await writeBelow(root, join(root, 'file'), 'ours');
  expect(kept()).toBe('kept');
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('ours');
});

test('nor is a link in place of a folder, and a folder in place of the file goes', async () => {
  symlinkSync(join(place, 'operator'), join(root, 'folder'));
  await writeBelow(root, join(root, 'folder/file'), 'ours');
  mkdirSync(join(root, 'other/deep'), { recursive: true });
  await writeBelow(root, join(root, 'other'), 'ours');
  expect(kept()).toBe('kept');
  expect(readFileSync(join(root, 'folder/file'), 'utf8')).toBe('ours');
  expect(readFileSync(join(root, 'other'), 'utf8')).toBe('ours');
});

test('what is not below the root is refused', async () => {
  await expect(writeBelow(root, join(place, 'operator/file'), 'ours')).rejects.toThrow('is not below');
  expect(kept()).toBe('kept');
});
