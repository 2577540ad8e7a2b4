// C060: what a real terminal answers never reaches an agent as typed text; everything that is typed does, unchanged.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReplyFilter } from '../../src/terminal/reply-filter.ts';

const replies = {
  DA1: '\x1b[?64;1;2;6;9;15;18;21;22c',
  DA2: '\x1b[>1;4000;29c',
  DA3: '\x1bP!|00000000\x1b\\',
  CPR: '\x1b[24;80R',
  'extended CPR': '\x1b[?24;80;1R',
  'DSR ok': '\x1b[0n',
  DECRPM: '\x1b[?2026;2$y',
  'ANSI DECRPM': '\x1b[4;2$y',
  'kitty flags': '\x1b[?5u',
  'colour scheme': '\x1b[?997;1n',
  modifyOtherKeys: '\x1b[>4;2m',
  XTVERSION: '\x1bP>|kitty(0.35.2)\x1b\\',
  'OSC 4': '\x1b]4;1;rgb:cdcd/0000/0000\x1b\\',
  'OSC 10': '\x1b]10;rgb:ffff/ffff/ffff\x07',
  'OSC 11': '\x1b]11;rgb:0000/0000/0000\x1b\\',
  'OSC 12': '\x1b]12;rgb:ffff/ffff/ffff\x07',
  'OSC 52': `\x1b]52;c;${'aGVsbG8='.repeat(50)}\x1b\\`,
  XTGETTCAP: '\x1bP1+r544e=787465726d\x1b\\',
  'XTGETTCAP unknown': '\x1bP0+r544e\x1b\\',
  DECRQSS: '\x1bP1$r0m\x1b\\',
  'size in pixels': '\x1b[4;600;800t',
  'cell size': '\x1b[6;16;8t',
  'size in cells': '\x1b[8;24;80t',
  'kitty graphics': '\x1b_Gi=31;OK\x1b\\',
};

const typed = {
  text: 'héllo 漢字 \r\t\x03\x7f',
  arrows: '\x1b[A\x1b[B\x1bOC\x1b[1;5D',
  'function keys': '\x1bOP\x1bOQ\x1b[15~\x1b[24;5~',
  'F3 with Shift': '\x1b[1;2R',
  'kitty keys': '\x1b[97;5u\x1b[27u\x1b[13;2:3u\x1b[57441;2u',
  modifyOtherKeys: '\x1b[27;5;13~',
  'SGR mouse': '\x1b[<0;10;20M\x1b[<0;10;20m\x1b[<64;1;1M',
  'old mouse': '\x1b[M !!\x1b[M#\x7f\xff',
  focus: '\x1b[I\x1b[O',
  'Alt keys': '\x1ba\x1b.\x1b\r\x1b\x7f',
  paste: '\x1b[200~a\r\nb \x1b[?1;2c \x1b]11;rgb:0/0/0\x07 c\x1b[201~',
  'every byte but ESC': Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
    .filter((c) => c !== '\x1b')
    .join(''),
};

function through(text: string, cuts: readonly number[] = []): string {
  const filter = new ReplyFilter();
  const bytes = Buffer.from(text, 'latin1');
  let out = '';
  let at = 0;
  for (const cut of [...cuts, bytes.length]) {
    out += filter.push(bytes.subarray(at, at + cut)).toString('latin1');
    at += cut;
  }
  return out + filter.flush(true).toString('latin1');
}

const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
const everyByte = (text: string): number[] => Array.from({ length: text.length }, () => 1);

describe('C060: replies are dropped', () => {
  test.each(Object.entries(replies))('%s, whole and split at every byte', (_name, reply) => {
    expect(through(`a${reply}b`)).toBe('ab');
    expect(through(`a${reply}b`, everyByte(reply))).toBe('ab');
    for (let cut = 1; cut <= reply.length; cut += 1) expect(through(`a${reply}b`, [cut])).toBe('ab');
  });
});

describe('C043: what is typed passes unchanged', () => {
  test.each(Object.entries(typed))('%s, whole and split at every byte', (name, text) => {
    const bytes = name === 'text' || name === 'paste' ? latin1(text) : text;
    expect(through(bytes)).toBe(bytes);
    expect(through(bytes, everyByte(bytes))).toBe(bytes);
  });

  test('keys and replies in any order and any pieces', () => {
    const piece = fc.oneof(
      fc
        .constantFrom(...Object.entries(typed))
        .map(([name, text]) => ({ text: name === 'text' ? latin1(text) : text, passes: true })),
      fc.constantFrom(...Object.values(replies)).map((text) => ({ text, passes: false })),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 300 }),
        (pieces, cuts) => {
          const expected = pieces
            .filter((each) => each.passes)
            .map((each) => each.text)
            .join('');
          expect(through(pieces.map((each) => each.text).join(''), cuts)).toBe(expected);
        },
      ),
    );
  });
});

test('C048: a lone ESC, or ESC and a key that could begin a reply, is let go when nothing follows', () => {
  for (const keys of ['\x1b', '\x1b[', '\x1b]', '\x1bP', '\x1b_', '\x1b\x1b']) {
    const filter = new ReplyFilter();
    const now = filter.push(Buffer.from(keys, 'latin1')).toString('latin1');
    expect(filter.isWaiting).toBe(true);
    expect(now + filter.flush().toString('latin1')).toBe(keys);
    expect(filter.isWaiting).toBe(false);
  }
});

test('a reply that stops half-way on a slow line goes on waiting, and is let go of at last', () => {
  const filter = new ReplyFilter();
  expect(filter.push(Buffer.from('\x1b]11;rgb:00')).length + filter.flush().length).toBe(0);
  expect(filter.push(Buffer.from('00/0000/0000\x07x')).toString()).toBe('x');
  filter.push(Buffer.from('\x1b]11;rgb:'));
  expect(filter.flush(true).length).toBe(0);
  expect(filter.push(Buffer.from('typed')).toString()).toBe('typed');
});
