// `record: masked` and `off`: what reaches the file, wherever a secret is cut.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { maskSecrets } from '../../src/core/secrets.ts';
import { OutputMasker } from '../../src/recording/masker.ts';
import { CastFile } from '../../src/recording/reader.ts';
import { makeRecording } from './made-recording.ts';

// Put together here, so that no scanner takes this file for a leak.
const secrets = {
  github: `ghp_${'aB3'.repeat(12)}`,
  anthropic: `sk-ant-${'api03-x9Y8z7'.repeat(3)}`,
  aws: `AKIA${'ABCDEFGH23456777'.slice(0, 16)}`,
  jwt: `eyJ${'hbGciOi1'.repeat(2)}.eyJ${'zdWIiOi2'.repeat(2)}.${'c2lnbmF0'.repeat(3)}`,
  slack: `xoxb-${'1234567890-'.repeat(2)}abcdef`,
};
const key = `-----BEGIN OPENSSH PRIVATE KEY-----\r\n${'b3BlbnNzaC1rZXk\r\n'.repeat(20)}-----END OPENSSH PRIVATE KEY-----`;

test.each([
  ...Object.entries(secrets).map(([name, secret]) => [name, `before ${secret}\r\nafter`, secret] as const),
  ['a private key', `$ cat id\r\n${key}\r\n$ `, 'b3BlbnNzaC1rZXk'],
  // What announces these must have come in one piece.
  ['a named value', 'export DB_PASSWORD=hunter2hunter2\r\n$ ', 'hunter2hunter2', 'DB_PASSWORD'],
  ['an address', 'git clone https://me:s3cret-pass@host.example/x.git\r\n', 's3cret-pass', 'https:'],
  ['a header', 'Authorization: Bearer abcdef0123456789\r\n', 'abcdef0123456789', 'Authorization'],
] as [string, string, string, string?][])('%s is masked wherever it is cut', (_name, text, secret, whole = '') => {
  expect(maskSecrets(text)).not.toContain(secret);
  const begin = text.indexOf(whole);
  for (let cut = 0; cut <= text.length; cut += 1) {
    if (cut > begin && cut < begin + whole.length) continue;
    const masker = new OutputMasker();
    const out = masker.push(text.slice(0, cut)) + masker.push(text.slice(cut)) + masker.end();
    expect(out, `cut at ${cut}`).not.toContain(secret);
  }
});

test('byte by byte, tokens are masked and everything else comes out as it went in', () => {
  const clean =
    'A sketch of ghosts: sk-learn, npm run x, SGML, https://example.org/a?b=c, 5 tokens\r\n\x1b[1mdone\x1b[m eyJ\r\n';
  const masker = new OutputMasker();
  let out = '';
  for (const char of `${clean}${secrets.github} ${secrets.jwt}\r\n${clean}`) out += masker.push(char);
  out += masker.end();
  expect(out).toBe(`${clean}[masked] [masked]\r\n${clean}`);
});

test('what is held back is bounded', () => {
  const masker = new OutputMasker();
  let out = masker.push('-----BEGIN OPENSSH PRIVATE KEY-----\n');
  for (let line = 0; line < 2_000; line += 1) out += masker.push(`${'a'.repeat(63)}\n`);
  expect(out.length).toBeGreaterThan(0);
  expect((out + masker.end()).length).toBeGreaterThan(64);
});

test('a masked recording keeps the order of output, markers and sizes, and the caller gets the bytes as they are', () => {
  const passed: string[] = [];
  using made = makeRecording(
    (writer) => {
      passed.push(writer.output(Buffer.from(`token ${secrets.github.slice(0, 20)}`)).toString());
      expect(writer.holdsBack).toBe(true);
      passed.push(writer.output(Buffer.from(`${secrets.github.slice(20)} end\r\n`)).toString());
      writer.output(Buffer.from('sk-'));
      writer.marker('session 2');
      writer.output(Buffer.from('npm'));
      writer.settle();
    },
    { policy: 'masked' },
  );
  expect(passed.join('')).toBe(`token ${secrets.github} end\r\n`);
  expect(readFileSync(made.path, 'utf8')).not.toContain(secrets.github.slice(0, 20));
  expect(eventsOf(made.path)).toEqual(['o:token ', 'o:[masked] end\r\n', 'o:sk-', 'm:session 2', 'o:npm']);
});

test('with `off` no output is in the file, and everything else is', () => {
  using made = makeRecording(
    (writer) => {
      expect(writer.output(Buffer.from('hello')).toString()).toBe('hello');
      writer.resize(50, 20);
      writer.marker('session 2');
      writer.output(Buffer.from('world'));
      writer.exit(0);
    },
    { policy: 'off' },
  );
  expect(eventsOf(made.path)).toEqual(['r:50x20', 'm:session 2', 'x:0']);
});

function eventsOf(path: string): string[] {
  using file = new CastFile(path);
  return [...file.batches()].flat().map(({ code, data }) => `${code}:${data}`);
}
