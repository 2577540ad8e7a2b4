import { describe, expect, test } from 'vitest';
import { InputDecoder } from '../../src/tui/input/decoder.ts';
import type { InputEvent } from '../../src/tui/input/keys.ts';

const keysOf = (events: readonly InputEvent[]) =>
  events.map((event) => (event.kind === 'key' ? event.key : `paste:${event.text}`));

function decode(...chunks: (string | Buffer)[]): string[] {
  const decoder = new InputDecoder();
  const events = chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk)));
  return keysOf([...events, ...(decoder.pending() === 'nothing' ? [] : decoder.expire())]);
}

/** Whatever the cut, the same events. */
function decodeEveryCut(bytes: Buffer): string[][] {
  return Array.from({ length: bytes.length + 1 }, (_, cut) => {
    const decoder = new InputDecoder();
    const events = [...decoder.push(bytes.subarray(0, cut)), ...decoder.push(bytes.subarray(cut))];
    return keysOf([...events, ...(decoder.pending() === 'nothing' ? [] : decoder.expire())]);
  });
}

describe('keys', () => {
  test.each([
    ['j', ['j']],
    ['G', ['G']],
    ['\r', ['enter']],
    ['\n', ['C-j']],
    ['\t', ['tab']],
    ['\u007f', ['backspace']],
    ['\u0004', ['C-d']],
    ['\u001d', ['C-]']],
    ['\u001b[A', ['up']],
    ['\u001bOA', ['up']],
    ['\u001b[1;5C', ['C-right']],
    ['\u001b[Z', ['S-tab']],
    ['\u001b[5~', ['pageup']],
    ['\u001b[3~', ['delete']],
    ['\u001b[106u', ['j']],
    ['\u001b[106;2u', ['J']],
    ['\u001b[100;5u', ['C-d']],
    ['\u001b[13u', ['enter']],
    ['\u001b[27u', ['escape']],
    ['\u001b[9;2u', ['S-tab']],
    ['\u001b[27;5;100~', ['C-d']],
    ['\u001b[106;1:3u', []],
    ['進入', ['進', '入']],
    ['１', ['１']],
  ])('%j is %j', (bytes, keys) => {
    expect(decode(bytes)).toEqual(keys);
  });

  test('C048: a lone ESC is Escape; ESC then a key is Escape and the key, never Alt', () => {
    expect(decode('\u001b')).toEqual(['escape']);
    expect(decode('\u001bj')).toEqual(['escape', 'j']);
    expect(decode('\u001b\u001b')).toEqual(['escape', 'escape']);
  });

  test('a paste is one event with LF line ends, and its content never becomes keys', () => {
    expect(decode('\u001b[200~a\r\nb\rc\nq\u001b[201~x')).toEqual(['paste:a\nb\nc\nq', 'x']);
  });

  test.each([
    ['colours', '\u001b]11;rgb:1e1e/1e1e/2e2e\u001b\\'],
    ['colours, ended by BEL', '\u001b]10;rgb:ffff/ffff/ffff\u0007'],
    ['palette', '\u001b]4;1;rgb:cdcd/0000/0000\u001b\\'],
    ['attributes', '\u001b[?64;1;2;4;6;9;15;18;21;22c'],
    ['secondary attributes', '\u001b[>1;4000;29c'],
    ['cursor position', '\u001b[24;80R'],
    ['status', '\u001b[0n'],
    ['kitty flags', '\u001b[?1u'],
    ['mode report', '\u001b[?2026;2$y'],
    ['version', '\u001bP>|xterm(390)\u001b\\'],
    ['window size', '\u001b[8;40;120t'],
    ['SGR mouse', '\u001b[<0;10;20M'],
    ['X10 mouse', '\u001b[M !!'],
    ['focus', '\u001b[I\u001b[O'],
  ])('C060: a reply of the terminal (%s), cut at each byte, is no key', (_name, reply) => {
    for (const keys of decodeEveryCut(Buffer.from(`a${reply}b`))) {
      // A cut behind the ESC alone is the Escape key only when nothing follows, and here something does.
      expect(keys).toEqual(['a', 'b']);
    }
  });

  test('input cut at each byte gives the same keys', () => {
    const bytes = Buffer.from('j\u001b[A日本\u001b[200~進\r\n入\u001b[201~\u001b[106;5u\u001bOBé👍');
    const whole = decode(bytes);
    expect(whole).toEqual(['j', 'up', '日', '本', 'paste:進\n入', 'C-j', 'down', 'é', '👍']);
    for (const keys of decodeEveryCut(bytes)) expect(keys).toEqual(whole);
  });
});
