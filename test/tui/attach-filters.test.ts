import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { OutputFilter } from '../../src/tui/attach/output-filter.ts';
import { PrefixScanner, prefixKey } from '../../src/tui/attach/prefix-keys.ts';
import { TypedInput } from '../../src/tui/attach/typed-input.ts';
import { waitFor } from '../support/wait-for.ts';

function passInput(...chunks: Buffer[]): { output: Buffer; filter: TypedInput; parts: Buffer[] } {
  const parts: Buffer[] = [];
  const filter = new TypedInput((bytes) => parts.push(Buffer.from(bytes)));
  for (const chunk of chunks) filter.push(chunk);
  return { output: Buffer.concat(parts), filter, parts };
}

describe('what is typed into an attached run', () => {
  test('C043: all 256 bytes pass as they are', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const { output, filter } = passInput(bytes);
    filter.close();
    expect(output.equals(bytes)).toBe(true);
  });

  test.each([
    ['\u001b[A'],
    ['\u001bOP'],
    ['\u001b[1;2R'],
    ['\u001b[106;5u'],
    ['\u001b[27;5;106~'],
    ['\u001b[<0;10;20M'],
    ['\u001b[I'],
    ['\u001bx'],
    ['\u001b[200~text\u001b]11;x\u001b[201~'],
  ])('C043: %j passes, however it is cut', (text) => {
    const bytes = Buffer.from(text);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { output, filter } = passInput(bytes.subarray(0, cut), bytes.subarray(cut));
      filter.close();
      expect(output.toString()).toBe(text);
    }
  });

  test.each([
    ['\u001b]11;rgb:1e1e/1e1e/2e2e\u001b\\'],
    ['\u001b]4;1;rgb:cdcd/0000/0000\u0007'],
    ['\u001b[?64;1;2c'],
    ['\u001b[>1;4000;29c'],
    ['\u001b[24;80R'],
    ['\u001b[?2026;2$y'],
    ['\u001b[?1u'],
    ['\u001bP>|xterm(390)\u001b\\'],
    ['\u001b[8;40;120t'],
  ])('C060: the reply %j, cut at each byte, never reaches the run', (reply) => {
    const bytes = Buffer.from(`a${reply}b`);
    for (let cut = 0; cut <= bytes.length; cut++) {
      const { output, filter } = passInput(bytes.subarray(0, cut), bytes.subarray(cut));
      filter.close();
      expect(output.toString()).toBe('ab');
    }
  });

  test('C048: a lone ESC goes to the run after a moment', async () => {
    const { parts } = passInput(Buffer.from('\u001b'));
    await waitFor(() => parts.length === 1, { what: 'the ESC to be passed' });
    expect(parts[0]?.toString()).toBe('\u001b');
  });

  test('C051: a paste of 1 MB arrives unchanged', () => {
    const text = randomBytes(512 * 1024).toString('hex');
    const paste = Buffer.from(`\u001b[200~${text}\u001b[201~`);
    const chunks = Array.from({ length: Math.ceil(paste.length / 4093) }, (_, i) =>
      paste.subarray(i * 4093, (i + 1) * 4093),
    );
    const { output } = passInput(...chunks);
    const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(output)).toBe(hash(paste));
  });
});

describe('the detach key', () => {
  const scan = (...chunks: string[]) => {
    const scanner = new PrefixScanner(prefixKey('C-]'));
    return chunks.flatMap((chunk) =>
      scanner
        .push(Buffer.from(chunk))
        .map((each) =>
          each.kind === 'bytes' ? each.bytes.toString() : each.kind === 'key' ? `key:${each.key}` : 'PREFIX',
        ),
    );
  };

  test.each([
    ['Ctrl-] and d', ['ab\u001dd'], ['ab', 'PREFIX', 'key:d']],
    ['in two chunks', ['\u001d', 'd'], ['PREFIX', 'key:d']],
    ['what follows goes to the run', ['\u001dxls\r'], ['PREFIX', 'key:x', 'ls\r']],
    ['twice is itself', ['\u001d\u001d'], ['PREFIX', 'key:prefix']],
    ['kitty form', ['\u001b[93;5ud'], ['PREFIX', 'key:d']],
    ['kitty form of both', ['\u001b[93;5u\u001b[100u'], ['PREFIX', 'key:d']],
    ['modifyOtherKeys form', ['\u001b[27;5;93~d'], ['PREFIX', 'key:d']],
    ['other keys', ['\u0011\u0013\u001a\u001c'], ['\u0011\u0013\u001a\u001c']],
  ])('C046: %s', (_name, chunks, expected) => {
    expect(scan(...chunks)).toEqual(expected);
  });
});

describe('what an attached run prints', () => {
  const filtered = (text: string, options: { allowClipboard?: boolean } = {}) => {
    const seen: string[] = [];
    const bytes = Buffer.from(text);
    const outputs = Array.from({ length: bytes.length + 1 }, (_, cut) => {
      seen.length = 0;
      const filter = new OutputFilter({
        allowClipboard: options.allowClipboard ?? false,
        onAlternate: (state) => seen.push(state),
      });
      return Buffer.concat([filter.push(bytes.subarray(0, cut)), filter.push(bytes.subarray(cut))]).toString();
    });
    expect(new Set(outputs).size).toBe(1);
    return { text: outputs[0] ?? '', seen };
  };

  test.each([
    ['\u001b[31mred\u001b[0m'],
    ['\u001b[?25l\u001b[?2004h\u001b[>1u'],
    ['\u001b]2;title\u0007'],
    ['\u001b]8;;https://example.org\u001b\\link\u001b]8;;\u001b\\'],
    ['日本 é 👍 \r\n\t'],
    ['\u001b(0lqk\u001b(B'],
    ['\u001b[2J\u001b[H\u001b[K\u001b[5;10r'],
  ])('%j passes, cut at each byte', (text) => {
    expect(filtered(text).text).toBe(text);
  });

  test.each([
    ['\u001b[c'],
    ['\u001b[>c'],
    ['\u001b[6n'],
    ['\u001b[?6n'],
    ['\u001b[?2026$p'],
    ['\u001b]11;?\u001b\\'],
    ['\u001b]4;1;?\u0007'],
    ['\u001b[?u'],
    ['\u001b[>q'],
    ['\u001bP+q544e\u001b\\'],
    ['\u001b[18t'],
  ])('the query %j is answered by the host, so it does not reach the terminal', (query) => {
    expect(filtered(`a${query}b`).text).toBe('ab');
  });

  test('the clipboard is dropped unless the configuration allows it', () => {
    const text = 'a\u001b]52;c;AAAA\u0007b';
    expect(filtered(text).text).toBe('ab');
    expect(filtered(text, { allowClipboard: true }).text).toBe(text);
  });

  test("C063: the operator's scrollback is never erased, and his alternate screen never left", () => {
    const entered = filtered('\u001b[?1049h');
    expect(entered.text).not.toContain('1049');
    expect(entered.seen).toEqual(['entered']);
    const left = filtered('\u001b[?25h\u001b[?1049;2004l');
    expect(left.text).toContain('\u001b[?2004l');
    expect(left.text).not.toContain('1049');
    expect(left.seen).toEqual(['left']);
    expect(filtered('a\u001b[3Jb').text).toBe('ab');
  });
});
