import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeSandbox } from '../../src/sandbox/probe.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gh-probe-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A PATH with only this bwrap. */
function fakeBwrap(name: string, script: string): NodeJS.ProcessEnv {
  const dir = join(folder, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'bwrap'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(dir, 'bwrap'), 0o755);
  return { PATH: dir };
}

function settings(values: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(folder, 'sys-'));
  for (const [name, value] of Object.entries(values)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), `${value}\n`);
  }
  return dir;
}

const refused =
  '[ "$1" = --version ] && echo bubblewrap 0.9.0 && exit; echo "bwrap: No permissions to create new namespace" >&2; exit 1';

test('the real one is found by making a sandbox', async () => {
  expect(await probeSandbox()).toMatchObject({ kind: 'bwrap', program: expect.stringContaining('bwrap') });
});

test('missing: says how to get it', async () => {
  const probe = await probeSandbox({ env: { PATH: folder } });
  expect(probe).toMatchObject({ kind: 'none', reason: 'bwrap is not installed' });
  expect(probe.kind === 'none' && probe.hint).toContain('apt install bubblewrap');
});

test.each([
  ['kernel/unprivileged_userns_clone', '0', 'sysctl -w kernel.unprivileged_userns_clone=1'],
  ['user/max_user_namespaces', '0', 'sysctl -w user.max_user_namespaces'],
  ['kernel/apparmor_restrict_unprivileged_userns', '1', 'AppArmor profile'],
])('forbidden by %s: names it and the way out', async (name, value, hint) => {
  const env = fakeBwrap(name.replaceAll('/', '-'), refused);
  const probe = await probeSandbox({ env, procSys: settings({ [name]: value }) });
  expect(probe).toMatchObject({ kind: 'none', reason: expect.stringContaining(name.replaceAll('/', '.')) });
  expect(probe.kind === 'none' && probe.hint).toContain(hint);
});

test('too old, and refused for a reason that no setting explains', async () => {
  const old = fakeBwrap(
    'old',
    '[ "$1" = --version ] && echo bubblewrap 0.3.1 && exit; echo "bwrap: Unknown option --perms" >&2; exit 1',
  );
  expect(await probeSandbox({ env: old, procSys: settings({}) })).toMatchObject({
    kind: 'none',
    reason: expect.stringContaining('0.3.1 is too old'),
  });
  const nested = fakeBwrap('nested', refused);
  expect(await probeSandbox({ env: nested, procSys: settings({}) })).toMatchObject({
    kind: 'none',
    reason: expect.stringContaining('No permissions'),
  });
});
