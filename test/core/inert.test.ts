import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inertLine, inertText } from '../../src/core/inert.ts';

// eslint-disable-next-line no-control-regex
const anyControl = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/;
const anyDeceiver = /[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u{e0000}-\u{e0fff}]/u;

const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\u001b',
        '\u001b[',
        '\u001b]',
        '\u001bP',
        '\u001b_',
        '\u001b^',
        '\u001bX',
        '\u001b\\',
        '\u0007',
        '\r',
        '\n',
        '\t',
        '\u0000',
        '\u0080',
        '\u0085',
        '\u0090',
        '\u0098',
        '\u009b',
        '\u009c',
        '\u009d',
        '\u009e',
        '\u009f',
        '\u007f',

        '31',
        ';',
        '4:3',
        'm',
        'H',
        '52;c;aGk=',
        '8;;http://x',
        '\u202e',
        '\u2066',
        '\u200b',
        '\u200e',
        '\ufeff',
        '\u{e0041}',
        '\ud800',
      ),
      fc.string({ unit: 'binary' }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

describe('whatever an agent writes', () => {
  test('holds no control but newline when it is shown', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(inertText(text)).not.toMatch(anyControl);
        expect(inertText(text)).not.toMatch(anyDeceiver);
        expect(inertLine(text)).not.toMatch(/[\n]/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is the same when it is made inert twice', () => {
    fc.assert(
      fc.property(nasty, (text) => {
        expect(inertText(inertText(text))).toBe(inertText(text));
        expect(inertLine(inertLine(text))).toBe(inertLine(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('loses no printable text but short sequences', () => {
    const printable = (text: string) => text.replace(/[^!-~]/g, '');
    fc.assert(
      fc.property(nasty, (text) => {
        const withoutSequences = text
          .replace(/[\u061c\u200e\u200f]/g, '')
          .replace(/(?:\u001b\[|\u009b)[\d;:?]*[A-Za-z]/g, '');
        expect(printable(inertText(text))).toBe(printable(withoutSequences));
      }),
      { numRuns: 2_000 },
    );
  });

  test('of any size takes linear time', () => {
    const size = 400_000;
    for (const unit of ['\u009d', '\u001b]', '\u0090', '\u001b[', '\u001b[1;', '\u009b1', '\u202e', '\u001b']) {
      expect(inertText(`${unit.repeat(size)}\u001bx`).length).toBeLessThanOrEqual(size * unit.length + 2);
    }
  });
});

test.each([
  ['colours of a test run', '\u001b[31mFAIL\u001b[0m a\u001b[38;2;1;2;3mb', 'FAIL ab'],
  [
    'a window title does not hide code',
    'a(); /*\u001b]0;*/ evil(); /*\u0007*/',
    'a(); /*\ufffd]0;*/ evil(); /*\ufffd*/',
  ],
  ['an unterminated string sequence hides nothing', 'shown\u001b]0;also\nand this', 'shown\ufffd]0;also\nand this'],
  [
    'a hyperlink shows where it leads',
    '\u001b]8;;http://evil\u001b\\good\u001b]8;;\u001b\\',
    '\ufffd]8;;http://evil\ufffd\\good\ufffd]8;;\ufffd\\',
  ],
  ['a clipboard write is text', '\u001b]52;c;cm0gLXJm\u0007', '\ufffd]52;c;cm0gLXJm\ufffd'],
  ['8-bit introducers', '\u009b2J\u009d0;x\u009c', '\ufffd0;x\ufffd'],
  ['moving the cursor back over text', 'no\u001b[2Dyes\rmaybe\bX', 'noyes\nmaybe\ufffdX'],
  ['a line separator that ends a comment', '// x\u2028evil()', '// x\ufffdevil()'],
  ['reordered source', 'if (admin\u202e \u2066// check\u2069 \u2066', 'if (admin\ufffd \ufffd// check\ufffd \ufffd'],
  ['a name with a zero-width space', 'is\u200bAdmin', 'is\ufffdAdmin'],
  ['hidden tags', `ok${String.fromCodePoint(0xe0068, 0xe0069)}`, 'ok\ufffd\ufffd'],
  ['emoji, joined ones too, and other scripts', '👩‍💻 ❤️ نص عربي می‌خواهم 进入开发', '👩‍💻 ❤️ نص عربي می‌خواهم 进入开发'],
  ['a byte order mark and tabs', '\ufeffa\tb', 'a  b'],
])('%s', (_, text, shown) => {
  expect(inertText(text)).toBe(shown);
});

test('one line: all breaks become spaces', () => {
  expect(inertLine(' a\r\nb\u2028c\u0085d\n')).toBe('a b c d');
});
