import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FooterFacts, compareFooter, formatFooter, parseFooter } from '../../src/core/footer.ts';
import { artifactNames, stageNames } from '../../src/core/stage.ts';

const facts: FooterFacts = {
  task: 'EXP-7',
  stage: 'await-development',
  stageNumber: 4,
  pendingToken: '[START DEVELOPMENT]',
  reviewCount: 0,
  reviewLimit: 6,
  artifact: 'idea.md',
};

const anyFacts: fc.Arbitrary<FooterFacts> = fc.record({
  task: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/),
  stage: fc.constantFrom(...stageNames),
  stageNumber: fc.integer({ min: 1, max: 10 }),
  pendingToken: fc.constantFrom(null, '[START DEVELOPMENT]', '【进入开发】', '【提测】', '[SUBMIT FOR TESTING]'),
  reviewCount: fc.nat(12),
  reviewLimit: fc.integer({ min: 1, max: 12 }),
  artifact: fc.constantFrom(null, ...artifactNames),
});

function hardWrap(text: string, columns: number): string {
  return text
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''])
    .join('\n');
}

function wordWrap(text: string, columns: number): string {
  const out: string[] = [];
  for (const line of text.split('\n')) {
    let row = '';
    for (const word of line.split(' ')) {
      if (row !== '' && row.length + 1 + word.length > columns) {
        out.push(row);
        row = word;
      } else row = row === '' ? word : `${row} ${word}`;
    }
    out.push(row);
  }
  return out.join('\n');
}

describe('every answer ends with a status footer: task, stage, pending token, review count, artifact path', () => {
  test('one line for each field', () => {
    expect(formatFooter(facts).split('\n')).toEqual([
      '[lattice] task: EXP-7',
      '[lattice] stage: await-development (4/10)',
      '[lattice] token: [START DEVELOPMENT]',
      '[lattice] reviews: 0/6',
      '[lattice] artifact: artifacts/idea.md',
    ]);
  });

  test('what is printed is read back, wrapped at words or anywhere, framed or indented', () => {
    fc.assert(
      fc.property(anyFacts, fc.integer({ min: 22, max: 120 }), (any, columns) => {
        const plain = formatFooter(any);
        expect(parseFooter(`Done.\n\n${plain}\n`)).toEqual(any);
        const framed = plain
          .split('\n')
          .map((l) => `│ ${l}    │`)
          .join('\r\n');
        expect(parseFooter(framed)).toEqual(any);
        for (const wrapped of [hardWrap(plain, columns), wordWrap(plain, columns)]) {
          const read = parseFooter(
            wrapped
              .split('\n')
              .map((l) => `  ${l}`)
              .join('\n'),
          );
          expect(read).not.toBeNull();
          expect(read && compareFooter(read, any)).toBeNull();
        }
      }),
    );
  });

  test('Markdown that a program joins into one line, or lists, still reads', () => {
    expect(parseFooter(formatFooter(facts).replaceAll('\n', ' '))).toEqual(facts);
    expect(parseFooter(formatFooter(facts).replace(/^/gm, '- '))).toEqual(facts);
    expect(parseFooter(`\`\`\`\n${formatFooter(facts)}\n\`\`\``)).toEqual(facts);
  });

  test('the last one counts', () => {
    const later = { ...facts, stage: 'implement', stageNumber: 5, pendingToken: null, artifact: 'plan.md' } as const;
    expect(parseFooter(`${formatFooter(facts)}\nmore work\n${formatFooter(later)}\n> `)).toEqual(later);
  });

  test('a footer cut short neither counts nor spoils the next one', () => {
    for (const length of [1, 2, 3, 4]) {
      const cut = formatFooter({ ...facts, task: 'CUT-1' })
        .split('\n')
        .slice(0, length)
        .join('\n');
      expect(parseFooter(cut)).toBeNull();
      expect(parseFooter(`${cut}\n${formatFooter(facts)}`)).toEqual(facts);
      expect(parseFooter(`${formatFooter(facts)}\n${cut}`)).toEqual(facts);
    }
  });

  test('prose, placeholders and unknown stages are no footer', () => {
    expect(parseFooter('task: EXP-7, stage: implement, token: none, reviews: 0/6, artifact: none')).toBeNull();
    expect(parseFooter(formatFooter(facts).replace('await-development', '<stage>'))).toBeNull();
    expect(parseFooter(formatFooter(facts).replace('await-development', 'shipping'))).toBeNull();
    expect(parseFooter(formatFooter(facts).replace('idea.md', 'other.md'))).toBeNull();
  });

  test('any text is read without an error, and a flood of marks in bounded time', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (text) => void parseFooter(text)));
    expect(parseFooter('[lattice] task: '.repeat(20_000))).toBeNull();
    expect(parseFooter(`[lattice] task: a [lattice] stage: ${' '.repeat(60_000)}`)).toBeNull();
  });
});

describe('a footer that contradicts state.json marks the run', () => {
  test('the same facts are no contradiction', () => {
    expect(compareFooter(facts, { ...facts })).toBeNull();
    expect(compareFooter({ ...facts, pendingToken: '[START  DEVELOP MENT]' }, facts)).toBeNull();
  });

  test.each<[string, Partial<FooterFacts>, RegExp]>([
    ['task', { task: 'EXP-8' }, /task "EXP-8", in fact "EXP-7"/],
    ['stage', { stage: 'submit', stageNumber: 10 }, /stage "submit \(10\/10\)", in fact "await-development \(4\/10\)"/],
    ['token', { pendingToken: null }, /token "none", in fact "\[START DEVELOPMENT\]"/],
    ['review count', { reviewCount: 2 }, /reviews "2\/6", in fact "0\/6"/],
    ['artifact', { artifact: 'diagnosis.md' }, /artifact "diagnosis.md", in fact "idea.md"/],
  ])('a wrong %s is named', (_name, wrong, why) => {
    expect(compareFooter({ ...facts, ...wrong }, facts)).toMatch(why);
  });
});
