import { describe, expect, test } from 'vitest';
import { readDecisions } from '../../src/artifacts/decisions.ts';
import { readChanges, readIdeaFacts } from '../../src/artifacts/idea.ts';
import { decisionSchema } from '../../src/core/decision.ts';
import { changed, check, example, makeFacts, rules } from './fixtures.ts';

const name = 'idea.md';

describe('stage 3: each claim points back to evidence ids in diagnosis.md', () => {
  test('an id that does not exist is refused', () => {
    expect(rules(check(name, changed(name, '(E3)', '(E40)')))).toEqual(['evidence-missing', 'evidence-unknown']);
  });

  test('an id that the diagnosis does not list is refused', () => {
    expect(rules(check(name, changed(name, '(E3)', '(E6)')))).toEqual([
      'evidence-missing',
      'evidence-not-in-diagnosis',
    ]);
  });

  test.each([
    ['Change', ' (E1, E4)'],
    ['Must stay', ' (E2)'],
  ])('a claim in %s without evidence is refused, at its line', (_section, ids) => {
    const problems = check(name, changed(name, ids, ''));
    expect(problems.map((p) => p.rule)).toEqual(['evidence-missing']);
    const line = changed(name, ids, '').split('\n')[(problems[0]?.line ?? 0) - 1];
    expect(line).toMatch(/^- (B1|An empty table)/);
  });

  test('without diagnosis.md nothing can be traced', () => {
    const { 'diagnosis.md': _gone, ...artifacts } = makeFacts().artifacts;
    expect(rules(check(name, example(name), { artifacts }))).toContain('artifact-missing');
  });

  test('what changes has ids, so that verification can show each', () => {
    expect(rules(check(name, changed(name, '- B2: the', '- the')))).toEqual(['item-without-id']);
    expect(readChanges(example(name)).map((c) => [c.id, c.evidence])).toEqual([
      ['B1', ['E1', 'E4']],
      ['B2', ['E3']],
    ]);
  });
});

describe('stage 3: decisions 1, 2, 3, each with options A, B, ..., one recommended', () => {
  test('they are read as the gate needs them', () => {
    const decisions = readDecisions(example(name));
    expect(decisions.map((d) => decisionSchema.parse(d))).toEqual([
      {
        id: '1',
        question: 'Which text does the dialog show after the export?',
        options: [
          { id: 'A', text: '"3 rows exported"' },
          { id: 'B', text: '"Done (3 rows)"' },
        ],
        recommended: 'A',
        chosen: null,
      },
      expect.objectContaining({ id: '2', recommended: 'A' }),
    ]);
  });

  test('None is a decision too, a missing list is not', () => {
    const none = changed(name, /## Decisions\n[\s\S]*?\n## Risks/, '## Decisions\n\nNone\n\n## Risks');
    expect(check(name, none)).toEqual([]);
    expect(readDecisions(none)).toEqual([]);
    const prose = changed(name, /## Decisions\n[\s\S]*?\n## Risks/, '## Decisions\n\nAll is clear to me.\n\n## Risks');
    expect(rules(check(name, prose))).toEqual(['decisions-missing']);
  });

  test.each<[string, string | RegExp, string, string]>([
    ['only one option', '- B: "Done (3 rows)"\n', '', 'decision-options'],
    ['no recommendation', 'Recommended: A, it', 'Better: A, it', 'decision-recommendation'],
    ['a recommended option that is not offered', 'Recommended: A, it', 'Recommended: D, it', 'decision-recommendation'],
    ['a recommendation that is a word', 'Recommended: A, it', 'Recommended: Any, it', 'decision-recommendation'],
    ['a number left out', '### 2. Is', '### 3. Is', 'decision-number'],
    ['no number', '### 2. Is', '### Is', 'decision-number'],
    ['a letter left out', '- B: "Done', '- C: "Done', 'decision-option-letter'],
  ])('%s is refused', (_name, from, to, rule) => {
    expect(rules(check(name, changed(name, from, to)))).toContain(rule);
  });

  test('a recommendation directly under the options, bold letters and code are read all the same', () => {
    const text = changed(
      name,
      '- B: "Done (3 rows)"\n\nRecommended: A',
      '- **B**: "Done (3 rows)"\nRecommended: **A**',
    );
    expect(check(name, text)).toEqual([]);
    expect(readDecisions(text)[0]?.options[1]).toEqual({ id: 'B', text: '"Done (3 rows)"' });
  });

  test('decisions in a code block are quoted, not asked', () => {
    const text = changed(name, '### 2. Is', '```\n### 2. Is');
    expect(readDecisions(text)).toHaveLength(1);
  });
});

describe('stage 3: user-facing text: terminology is read first, several candidate wordings are offered', () => {
  test('Wording is owed when users read the change, and only then', () => {
    const bare = changed(name, /## Wording[\s\S]*$/, '');
    expect(rules(check(name, bare))).toEqual(['section-missing']);
    expect(check(name, bare.replace('User-facing: yes', 'User-facing: no'))).toEqual([]);
  });

  test.each<[string, string, string, string]>([
    ['no source', 'Terminology: docs/terminology.md', 'I know the terms.', 'terminology-missing'],
    ['a source that does not exist', 'docs/terminology.md\n', 'docs/words.md\n', 'terminology-unknown'],
    ['a source that the repository does not declare', 'docs/terminology.md\n', 'AGENTS.md\n', 'terminology-unknown'],
    ['one wording', '\n- "Done (3 rows)"\n', '\n', 'wordings-missing'],
    ['the same wording twice', '\n- "Done (3 rows)"\n', '\n- "3 rows exported"\n', 'wordings-missing'],
  ])('%s is refused', (_name, from, to, rule) => {
    const text = example(name);
    const at = text.indexOf('## Wording');
    const wording = text.slice(at).replace(from, to);
    expect(wording).not.toBe(text.slice(at));
    expect(rules(check(name, text.slice(0, at) + wording))).toEqual([rule]);
  });

  test('any existing source will do where the repository declares none', () => {
    const text = changed(name, 'Terminology: docs/terminology.md', 'Terminology: `AGENTS.md`');
    expect(check(name, text, { terminology: [] })).toEqual([]);
  });
});

describe('fields', () => {
  test.each(['User-facing', 'Visible'])('%s is yes or no', (field) => {
    expect(rules(check(name, changed(name, `${field}: yes`, '')))).toContain('field-missing');
    expect(rules(check(name, changed(name, `${field}: yes`, `${field}: maybe`)))).toContain('field-value');
    expect(rules(check(name, changed(name, `${field}: yes`, `${field}: yes\n${field}: no`)))).toContain(
      'field-duplicate',
    );
    expect(rules(check(name, changed(name, `${field}: yes`, `\`\`\`\n${field}: yes\n\`\`\``)))).toContain(
      'field-missing',
    );
  });

  test('they are read for the engine, as list items and bold as well', () => {
    expect(readIdeaFacts(example(name))).toEqual({ userFacing: true, visible: true });
    expect(readIdeaFacts('# P\n\n- **User-facing:** no\n- Visible: **yes**\n')).toEqual({
      userFacing: false,
      visible: true,
    });
    expect(readIdeaFacts('')).toEqual({ userFacing: false, visible: false });
  });
});
