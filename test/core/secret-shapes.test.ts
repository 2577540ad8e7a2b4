import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskedSecret, maskSecrets } from '../../src/core/secrets.ts';

// Put together here, so that no scanner takes this file for a leak.
const letters = (count: number, from = 'aB3dE5gH7jK9mN1pQ2sT4vW6yZ8') =>
  Array.from({ length: count }, (_, index) => from[index % from.length]).join('');

const secrets: readonly (readonly [string, string])[] = [
  ['GitHub token', `ghp_${letters(36)}`],
  ['GitHub token', `gho_${letters(36)}`],
  ['GitHub token', `github_pat_${letters(22)}_${letters(59)}`],
  ['GitLab token', `glpat-${letters(20)}`],
  ['Anthropic key', `sk-ant-api03-${letters(93)}-AA`],
  ['OpenAI key', `sk-${letters(48)}`],
  ['OpenAI key', `sk-proj-${letters(60)}_${letters(20)}`],
  ['OpenRouter key', `sk-or-v1-${createHash('sha256').update('x').digest('hex')}`],
  ['AWS key id', `AKIA${'ABCDEFGH234567XY'}`],
  ['Slack token', `xoxb-123456789012-123456789012-${letters(24)}`],
  ['npm token', `npm_${letters(36)}`],
  ['Google key', `AIza${letters(35)}`],
  ['Stripe key', `sk_live_${letters(24)}`],
  ['web token', `eyJ${letters(30)}.eyJ${letters(60)}.${letters(43)}`],
  [
    'private key',
    `-----BEGIN OPENSSH PRIVATE KEY-----\n${letters(70)}\n${letters(70)}\n-----END OPENSSH PRIVATE KEY-----`,
  ],
  ['private key', `-----BEGIN PRIVATE KEY-----\n${letters(64)}`],
];

describe.each(secrets)('%s', (_name, secret) => {
  test.each([
    ['alone', '', ''],
    ['in an assignment', 'export X="', '"'],
    ['in JSON', '{"key": "', '"}'],
    ['in a sentence', 'the token is ', ' and works'],
  ])('%s', (_, before, after) => {
    const masked = maskSecrets(`${before}${secret}${after}`);
    expect(masked).toContain(`${before}${maskedSecret}`);
    expect(masked).not.toContain(secret.slice(-12));
  });
});

test.each([
  ['https://op:hunter2@forge.example/p.git', 'https://op:[masked]@forge.example/p.git'],
  ['postgres://:secret@db:5432/x', 'postgres://:[masked]@db:5432/x'],
  ['Authorization: Bearer abcdef0123456789', 'Authorization: Bearer [masked]'],
  ["-H 'authorization: basic dXNlcjpwYXNz'", "-H 'authorization: basic [masked]'"],
  [`aws_secret_access_key = ${letters(40)}`, 'aws_secret_access_key = [masked]'],
  [`"AWS_SECRET_ACCESS_KEY": "${letters(40)}"`, '"AWS_SECRET_ACCESS_KEY": "[masked]"'],
  [
    'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    'https://hooks.slack.com/services/[masked]',
  ],
])('the secret part of %s', (text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});

describe('clean text is unchanged', () => {
  test('hashes, UUIDs, base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        const data = Buffer.from(bytes);
        for (const text of [data.toString('base64'), data.toString('hex'), data.toString('base64url')]) {
          expect(maskSecrets(text)).toBe(text);
        }
      }),
    );
    for (const text of [
      randomUUID(),
      randomBytes(40_000).toString('base64'),
      `sha256-${randomBytes(32).toString('base64')}`,
    ]) {
      expect(maskSecrets(text)).toBe(text);
    }
  });

  test.each([
    'ssh://git@forge.example/p.git and https://forge.example:8443/a@b',
    'class="sk-folding-cube sk-circle-fade-dot-animation-with-a-long-name"',
    'const token = readToken(); // bearer of bad news, Authorization: see below',
    'npm_config_registry=https://registry.example/ npm_lifecycle_event=start',
    'tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904, `ghp_` is how a token begins',
    'mailto:a@b.example 12:30@office http://[::1]:80/',
    '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD\n-----END PUBLIC KEY-----',
  ])('%s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  test('the code of this project', () => {
    for (const file of ['src/core/secrets.ts', 'src/sandbox/credentials.ts', 'package-lock.json', 'README.md']) {
      const text = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
      expect(maskSecrets(text)).toBe(text);
    }
  });
});

test('masking twice is masking once, and any size takes linear time', () => {
  const all = secrets.map(([, secret]) => secret).join('\n');
  expect(maskSecrets(maskSecrets(all))).toBe(maskSecrets(all));
  for (const unit of [
    '-----BEGIN PRIVATE KEY-----',
    'eyJa',
    'a+',
    'https://a',
    'bearer ',
    'sk-',
    'x:',
    'AKIA',
    'eyJaaaaaaaaa.',
  ]) {
    expect(maskSecrets(unit.repeat(60_000)).length).toBeGreaterThan(0);
  }
});
