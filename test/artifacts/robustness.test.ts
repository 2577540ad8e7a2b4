import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDecisions } from '../../src/artifacts/decisions.ts';
import { readSummary } from '../../src/artifacts/diagnosis.ts';
import { readIdeaFacts } from '../../src/artifacts/idea.ts';
import { parseMarkdown } from '../../src/artifacts/markdown.ts';
import { readOwnDecisions } from '../../src/artifacts/own-decisions.ts';
import { readReview } from '../../src/artifacts/review.ts';
import { readVerification } from '../../src/artifacts/verification.ts';
import { type ArtifactName, artifactNames } from '../../src/core/stage.ts';
import { check, example, makeFacts, rules } from './fixtures.ts';

const written = artifactNames.filter((name) => name !== 'ship-summary.md');

/** Real lines in any order, cut and mixed with noise: nearer to what goes wrong than random text. */
const scrambled = fc
  .array(
    fc.oneof(
      fc.constantFrom(...written.flatMap((name) => example(name).split('\n'))),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        '```',
        '~~~',
        '<!--',
        '-->',
        '> ',
        '    - ',
        '| a | b |',
        '|---|---|',
        '- ',
        '### ',
        '\r',
        '\u2028',
      ),
    ),
    { maxLength: 60 },
  )
  .map((lines) => lines.join('\n'));

describe('nothing that an agent writes makes a check throw', () => {
  test.each(written)('%s: random bytes, random text, scrambled artifacts', (name) => {
    const anyText = fc.oneof(
      fc.uint8Array({ maxLength: 400 }).map((bytes) => new TextDecoder().decode(bytes)),
      fc.string({ unit: 'binary', maxLength: 400 }),
      scrambled,
    );
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        const artifacts = Object.fromEntries(written.map((n) => [n, other]));
        for (const problem of check(name, text, { artifacts })) {
          expect(problem.rule).toMatch(/^[a-z]+(-[a-z]+)*$/);
          expect(problem.message).not.toBe('');
          expect(problem.line ?? 1).toBeGreaterThanOrEqual(1);
          expect(problem.line ?? 1).toBeLessThanOrEqual(text.split(/\r\n?|\n/).length);
        }
        readOwnDecisions(artifacts);
        for (const read of [readDecisions, readSummary, readIdeaFacts, readReview, readVerification]) read(text);
      }),
      { numRuns: 40 },
    );
  });
});

describe('line ends, byte order mark, size and characters', () => {
  test.each(written)('%s with CRLF and a byte order mark is the same', (name) => {
    expect(check(name, `\uFEFF${example(name).replaceAll('\n', '\r\n')}`)).toEqual([]);
  });

  const cases: [string, string, string, number | null][] = [
    ['nothing', ' \n\n', 'artifact-empty', null],
    ['more than 256 KiB', `${'word '.repeat(60_000)}`, 'artifact-too-large', null],
    ['a flood of lines', 'a\n'.repeat(9000), 'artifact-too-large', 8000],
    ['a line without end', `# A\n\n${'word '.repeat(1000)}`, 'line-too-long', 3],
    ['a control character', '# A\n\ntext\u001B[31m\n', 'control-character', 3],
    ['a NUL, as in binary files', 'PNG\u0000\u0000', 'control-character', 1],
    ['bytes that are not UTF-8', new TextDecoder().decode(new Uint8Array([65, 255, 254])), 'not-text', 1],
    ['text that runs backwards on screen', '# A\n\u202Eevil', 'direction-character', 2],
    ['deep nesting', `${'> '.repeat(30)}a`, 'nesting-too-deep', 1],
    ['brackets without end', `${'['.repeat(3000)}`, 'markup-too-dense', 1],
    ['brackets over many lines', '[a](\n'.repeat(500), 'markup-too-dense', 401],
  ];
  test.each(cases)('%s is refused', (_name, text, rule, line) => {
    expect(check('plan.md', text)).toEqual([{ file: 'plan.md', line, rule, message: expect.any(String) }]);
  });

  test('another artifact that cannot be parsed is as good as missing', () => {
    const artifacts: Partial<Record<ArtifactName, string>> = {
      ...makeFacts().artifacts,
      'diagnosis.md': '['.repeat(3000),
    };
    expect(rules(check('idea.md', example('idea.md'), { artifacts }))).toContain('artifact-missing');
  });

  test('what would exhaust the parser is shown as it is, as code', () => {
    const text = `${'['.repeat(3000)}\nmore`;
    expect(parseMarkdown(text).children).toMatchObject([{ type: 'code', value: text }]);
    expect(parseMarkdown('# A\n\n| a |\n|---|\n| b |\n').children.map((c) => c.type)).toEqual(['heading', 'table']);
  });
});
