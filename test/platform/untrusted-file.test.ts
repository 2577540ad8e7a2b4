import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUntrusted } from '../../src/platform/untrusted-file.ts';

let place: string;
let run: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'gh-read-')));
  run = join(place, 'run');
  mkdirSync(join(run, 'folder'), { recursive: true });
  mkdirSync(join(place, 'operator'));
  writeFileSync(join(place, 'operator/key'), 'secret');
  writeFileSync(join(run, 'folder/file'), 'ours');
});
afterEach(() => rmSync(place, { recursive: true }));

test('a plain file is read, up to the limit', async () => {
  expect(await readUntrusted(join(run, 'folder/file'), 4, [run])).toMatchObject({
    ok: true,
    data: Buffer.from('ours'),
  });
  expect(await readUntrusted(join(run, 'folder/file'), 3, [run])).toEqual({ ok: false, why: 'too-large' });
  expect(await readUntrusted(join(run, 'nothing'), 3, [run])).toEqual({ ok: false, why: 'missing' });
  truncateSync(join(run, 'folder/file'), 1e12);
  expect(await readUntrusted(join(run, 'folder/file'), 1e6)).toEqual({ ok: false, why: 'too-large' });
});

test('neither a link nor what a link on the way leads to is read', async () => {
  symlinkSync(join(place, 'operator/key'), join(run, 'link'));
  symlinkSync(join(place, 'operator'), join(run, 'linked'));
  expect(await readUntrusted(join(run, 'link'), 100, [run])).toEqual({ ok: false, why: 'not-a-file' });
  expect(await readUntrusted(join(run, 'linked/key'), 100, [run])).toEqual({ ok: false, why: 'not-a-file' });
  // A folder beside that only begins with the same name is another one.
  mkdirSync(`${run}-other`);
  writeFileSync(`${run}-other/file`, 'x');
  expect(await readUntrusted(`${run}-other/file`, 100, [run])).toEqual({ ok: false, why: 'not-a-file' });
});

test('pipes, folders and devices are no files, and nobody waits for them', async () => {
  execFileSync('mkfifo', [join(run, 'pipe')]);
  for (const path of [join(run, 'pipe'), join(run, 'folder'), '/dev/zero']) {
    expect(await readUntrusted(path, 100)).toEqual({ ok: false, why: 'not-a-file' });
  }
});
