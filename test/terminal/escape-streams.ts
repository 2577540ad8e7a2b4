// Random but plausible output of programs, for properties.
import fc from 'fast-check';

const words = fc.constantFrom(
  'a',
  'hello ',
  '漢字',
  'é',
  'e\u0301',
  '👩‍👩‍👧',
  '\u{1f600}',
  '─│',
  'xyz'.repeat(9),
  '\ufe0f',
  'العربية',
  '❤\ufe0f',
  '1\ufe0f\u20e3',
  '🇩🇪🇫🇷',
  '👍🏽',
  '\u{1f1e9}',
  '\u200d',
);
const controls = fc.constantFrom(
  '\r\n',
  '\n',
  '\r',
  '\b',
  '\t',
  '\x07',
  '\x0e',
  '\x0f',
  '\x1b7',
  '\x1b8',
  '\x1bD',
  '\x1bM',
  '\x1bE',
  '\x1bH',
);
const small = fc.integer({ min: 0, max: 30 });
const csi = fc
  .tuple(fc.array(small, { maxLength: 3 }), fc.constantFrom(...'@ABCDEFGHJKLMPSTXZ`adefr'.split('')))
  .filter(([args, final]) => !(final === 'J' && args[0] === 3))
  .map(([args, final]) => `\x1b[${args.join(';')}${final}`);
const sgr = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 9 }).map(String),
      fc.constantFrom(
        '21',
        '22',
        '23',
        '24',
        '27',
        '29',
        '39',
        '49',
        '53',
        '55',
        '4:3',
        '4:0',
        '58:5:9',
        '58:2::1:2:3',
        '59',
      ),
      fc.integer({ min: 30, max: 37 }).map(String),
      fc.integer({ min: 40, max: 47 }).map(String),
      fc
        .integer({ min: 90, max: 107 })
        .filter((n) => n < 98 || n > 99)
        .map(String),
      fc.integer({ min: 0, max: 255 }).map((n) => `38;5;${n}`),
      fc.integer({ min: 0, max: 255 }).map((n) => `48;5;${n}`),
      fc.integer({ min: 0, max: 255 }).map((n) => `38;2;${n};1;2`),
      fc.integer({ min: 0, max: 255 }).map((n) => `48;2;3;${n};2`),
    ),
    { maxLength: 3 },
  )
  .map((args) => `\x1b[${args.join(';')}m`);
const modes = fc
  .tuple(
    fc.constantFrom(
      '?1',
      '?6',
      '?7',
      '?9',
      '?25',
      '?45',
      '?47',
      '?1000',
      '?1002',
      '?1003',
      '?1004',
      '?1006',
      '?1016',
      '?1047',
      '?1049',
      '?2004',
      '4',
      '20',
    ),
    fc.constantFrom('h', 'l'),
  )
  .map(([mode, final]) => `\x1b[${mode}${final}`);
const others = fc.constantFrom(
  '\x1b=',
  '\x1b>',
  '\x1b(0',
  '\x1b(B',
  '\x1b)0',
  '\x1b[3g',
  '\x1b[g',
  '\x1b[1"q',
  '\x1b[0"q',
  '\x1b[4 q',
  '\x1b[5 q',
  '\x1b[>1u',
  '\x1b[>5u',
  '\x1b[<u',
  '\x1b[=3;2u',
  '\x1b[>4;2m',
  '\x1b[>4m',
  '\x1b]2;a title\x07',
  '\x1b]0;other\x1b\\',
  '\x1b]8;;http://x/\x07link\x1b]8;;\x07',
  '\x1b]8;id=q;http://y/\x07',
  '\x1b[!p',
  '\x1b#8',
);

export const escapeStream = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: words },
      { weight: 2, arbitrary: controls },
      { weight: 3, arbitrary: csi },
      { weight: 2, arbitrary: sgr },
      modes,
      others,
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));
