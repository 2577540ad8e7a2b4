import { describe, expect, test } from 'vitest';
import { maskedSecret, maskSecrets, maskStrings } from '../../src/core/secrets.ts';

const long = 'a1B2c3D4e5F6g7H8i9J0'.repeat(2);
// Made of pieces, so that no scanner takes this file for a leak.
const kept: readonly [what: string, text: string, secret: string][] = [
  ['a token of a code host', `push with gh${'p_'}${long.slice(0, 36)} now`, long.slice(0, 36)],
  ['a key of a model provider', `key sk-${'ant-api03-'}${long}`, long],
  ['a key of a cloud', `id ${'AKIA'}ABCDEFGHIJKLMNOP`, 'ABCDEFGHIJKLMNOP'],
  ['a web token', `eyJ${long}.eyJ${long}.${long}`, long],
  ['a header', 'Authorization: Bearer abcdefgh.ijkl-mnop', 'abcdefgh'],
  ['a header in JSON', '{"authorization": "Basic dXNlcjpwYXNz"}', 'dXNlcjpwYXNz'],
  ['an address with a password', 'postgres://app:hunter2@db.example/app', 'hunter2'],
  ['an env file', 'DB_PASSWORD=hunter-two', 'hunter-two'],
  ['an exported variable', "export GITHUB_TOKEN='abcd'", 'abcd'],
  ['JSON', '{"apiKey": "0123456789abcdefXYZ"}', '0123456789abcdefXYZ'],
  ['a private key', `-----BEGIN OPENSSH PRIVATE KEY-----\n${long}\n-----END OPENSSH PRIVATE KEY-----\nafter`, long],
  ['a private key that is cut off', `-----BEGIN PRIVATE KEY-----\n${long}`, long],
];

describe('maskSecrets', () => {
  test.each(kept)('masks %s, and nothing changes a second time', (_what, text, secret) => {
    const masked = maskSecrets(text);
    expect(masked).not.toContain(secret);
    expect(masked).toContain(maskedSecret);
    expect(maskSecrets(masked)).toBe(masked);
  });

  test.each([
    '[START DEVELOPMENT]',
    'token: string;',
    'const token = state.tokens[gate.name];',
    'the password is asked for once',
    'password = readPassword(process.stdin)',
    'export API_TOKEN=$OTHER',
    'https://example.com/a:b@c',
    `sha256 ${'0123456789abcdef'.repeat(4)}`,
    'sk-short',
  ])('leaves %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  test('what stands around a secret stays', () => {
    expect(maskSecrets('a\nDB_PASSWORD=hunter-two\nb')).toBe(`a\nDB_PASSWORD=${maskedSecret}\nb`);
  });

  test('in a value every text is masked but hashes, and what has none is the same object', () => {
    const hash = 'a1'.repeat(32);
    const value = { list: ['DB_PASSWORD=hunter-two', 1, null], key: { sha256: hash } };
    expect(maskStrings(value)).toEqual({ list: [`DB_PASSWORD=${maskedSecret}`, 1, null], key: { sha256: hash } });
    expect(maskStrings({ apiKey: '0123456789abcdefXYZ', token: '[START DEVELOPMENT]' })).toEqual({
      apiKey: maskedSecret,
      token: '[START DEVELOPMENT]',
    });
    const clean = { list: ['x'], key: { sha256: hash } };
    expect(maskStrings(clean)).toBe(clean);
  });

  test('a long text of near misses takes no longer than its length explains', () => {
    const mean = ['token="', 'eyJ', 'a://b:', '-----BEGIN PRIVATE KEY-----', 'A_', 'secret'].map((piece) =>
      piece.repeat(20_000),
    );
    for (const text of mean) expect(maskSecrets(text).length).toBeGreaterThan(0);
  });
});
