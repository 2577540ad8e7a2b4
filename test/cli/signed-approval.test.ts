// Real keys, real ssh-keygen: what a signature is good for, and what it is not.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIfAsked } from '../../src/client/sign.ts';
import { approvalPayload } from '../../src/core/approval-payload.ts';
import type { Operator } from '../../src/core/state.ts';
import type { ApproveRequest, Pending } from '../../src/engine/api.ts';
import { refuseUnsigned } from '../../src/host/signed-approval.ts';
import { type TemporaryHome, temporaryHome } from '../support/temporary-home.ts';

const subject = { files: [{ path: 'artifacts/idea.md', sha256: '1'.repeat(64) }], tree: null };
const pending: Pending = { gate: 'development', round: 2, subject };
const gate = { name: 'development' as const, round: 2, subject };
const line = '1A [START DEVELOPMENT]';
const run = 'bug-12';
const saved = { HOME: process.env.HOME, GIT_CONFIG_NOSYSTEM: process.env.GIT_CONFIG_NOSYSTEM };
let home: TemporaryHome;
let key: string;

beforeAll(() => {
  home = temporaryHome();
  process.env.HOME = home.env.HOME;
  process.env.GIT_CONFIG_NOSYSTEM = '1';
  key = makeKey('key');
  makeKey('other');
  const publicKey = readFileSync(`${key}.pub`, 'utf8').trim();
  writeFileSync(join(home.root, 'signers'), `operator@example.invalid namespaces="gatehouse-approval" ${publicKey}\n`);
});

afterAll(async () => {
  for (const [name, value] of Object.entries(saved)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  await home[Symbol.asyncDispose]();
});

function makeKey(name: string): string {
  const path = join(home.root, name);
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path]);
  return path;
}

function check(
  signature: Operator['signature'],
  change: Partial<ApproveRequest> = {},
  mode: 'off' | 'accept' | 'require' = 'require',
) {
  const operator = { name: 'Ada', user: 'ada', tty: null, signature };
  const request = { line, operator, shown: { round: 2, subject }, ...change };
  const approvals = { signature: mode, allowedSigners: 'signers' };
  return refuseUnsigned({ approvals, home: home.root, run, request, pending });
}

describe('with signatures required', () => {
  test('a valid signature goes on, bound to what was signed', async () => {
    const signature = await signIfAsked({ run, gate, line, key });
    expect(signature.principal).toBe('operator@example.invalid');
    const verdict = await check(signature, { shown: undefined });
    expect(verdict).toMatchObject({ ok: true, request: { shown: { round: 2, subject }, operator: { signature } } });
  });

  test('without one, or with rubbish, the gate stays closed', async () => {
    expect(await check(null)).toMatchObject({ ok: false, rejection: { code: 'gate.signature-required' } });
    for (const armored of ['', 'yes', '-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n']) {
      const verdict = await check({ principal: 'operator@example.invalid', armored });
      expect(verdict).toMatchObject({ ok: false, rejection: { code: 'gate.signature-required' } });
    }
  });

  test('it is good for this run, gate, round, line and version alone', async () => {
    const others: Parameters<typeof signIfAsked>[0][] = [
      { run: 'bug-13', gate, line, key },
      { run, gate: { ...gate, name: 'testing' }, line, key },
      { run, gate: { ...gate, round: 1 }, line, key },
      { run, gate, line: '1B [START DEVELOPMENT]', key },
      { run, gate: { ...gate, subject: { ...subject, tree: 'a'.repeat(40) } }, line, key },
    ];
    for (const other of others) expect((await check(await signIfAsked(other))).ok).toBe(false);
    expect((await check(await signIfAsked({ run, gate, line, key }))).ok).toBe(true);
  });

  test('a key that is not allowed, another name, or another purpose is refused', async () => {
    expect((await check(await signIfAsked({ run, gate, line, key: join(home.root, 'other') }))).ok).toBe(false);
    const good = await signIfAsked({ run, gate, line, key });
    expect((await check({ ...good, principal: 'somebody@example.invalid' })).ok).toBe(false);
    const text = join(home.root, 'text');
    writeFileSync(text, approvalPayload({ run, gate: 'development', round: 2, line, subject }));
    execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'git', '-f', key, text], { stdio: 'ignore' });
    const forGit = { principal: good.principal, armored: readFileSync(`${text}.sig`, 'utf8') };
    expect((await check(forGit)).ok).toBe(false);
  });
});

test('accepted signatures are checked when there is one; switched off, none is kept', async () => {
  const good = await signIfAsked({ run, gate, line, key });
  expect((await check(null, {}, 'accept')).ok).toBe(true);
  expect((await check(good, {}, 'accept')).ok).toBe(true);
  expect((await check(good, { line: '1B [START DEVELOPMENT]' }, 'accept')).ok).toBe(false);
  expect(await check(good, {}, 'off')).toMatchObject({ ok: true, request: { operator: { signature: null } } });
});

test('the key comes from git when config.json names none, and a lack of one is explained', async () => {
  await expect(signIfAsked({ run, gate, line })).rejects.toMatchObject({ code: 'gate.signature-required' });
  execFileSync('git', ['config', '--global', 'user.signingKey', key]);
  execFileSync('git', ['config', '--global', 'gpg.format', 'ssh']);
  expect((await check(await signIfAsked({ run, gate, line }))).ok).toBe(true);
});

test('no part of what is signed can pass for another', () => {
  const facts = { run, gate: 'development' as const, round: 1, line, subject };
  const file = (path: string) => ({ path, sha256: '2'.repeat(64) });
  const evil = { ...facts, line: `${line}"\ntree ${'a'.repeat(40)}` };
  expect(approvalPayload(evil).split('\n')).toHaveLength(approvalPayload(facts).split('\n').length);
  const ordered = { ...facts, subject: { files: [file('a'), file('b')], tree: null } };
  const reversed = { ...facts, subject: { files: [file('b'), file('a')], tree: null } };
  expect(approvalPayload(ordered)).toBe(approvalPayload(reversed));
});
