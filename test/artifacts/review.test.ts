import { describe, expect, test } from 'vitest';
import { readReview } from '../../src/artifacts/review.ts';
import { changed, check, example, makeFacts, rules, tree } from './fixtures.ts';

const name = 'review-report.md';
const passing = changed(name, /## Findings[\s\S]*$/, '## Findings\n\nNone\n')
  .replace('Verdict: blocked', 'Verdict: pass')
  .replace(/(### Call sites\n\nAnswer: )no/, '$1yes');

describe('stage 6: the review answers the five questions with the files it looked at', () => {
  test('a clean report passes', () => {
    expect(check(name, passing)).toEqual([]);
  });

  test.each(['Root cause', 'Call sites', 'Tests', 'Obsolete paths', 'Unrelated changes'])('%s is asked', (heading) => {
    const text = passing.replace(`### ${heading}`, '### Else');
    expect(rules(check(name, text))).toContain('question-unanswered');
    const silent = passing.replace(new RegExp(`(### ${heading}\n\n)Answer: \\w+\n`), '$1');
    expect(rules(check(name, silent))).toContain('answer-missing');
    const blind = passing.replace(new RegExp(`(### ${heading}\n\nAnswer: \\w+\n)Files: .*\n`), '$1');
    expect(rules(check(name, blind))).toContain('files-missing');
  });

  test('C098: "pass" without having looked at what changed is refused', () => {
    const facts = { changedFiles: [...makeFacts().changedFiles, 'src/hidden.js'] };
    expect(check(name, passing, facts)).toEqual([
      expect.objectContaining({ rule: 'changed-file-unseen', message: expect.stringContaining('src/hidden.js') }),
    ]);
  });

  test('files looked at exist, or are in the diff as deleted', () => {
    const text = passing.replace('Files: src/export.js, CHANGELOG.md', 'Files: src/old.js, CHANGELOG.md');
    expect(rules(check(name, text))).toEqual(['path-unknown']);
    expect(check(name, text, { changedFiles: ['src/old.js'] })).toEqual([]);
  });

  test('an answer outside the two words is none', () => {
    expect(rules(check(name, passing.replace('Answer: yes', 'Answer: mostly')))).toEqual(['answer-missing']);
  });

  test.each(['Root cause', 'Call sites', 'Tests'])('%s answered no needs a finding', (heading) => {
    const text = passing.replace(`### ${heading}\n\nAnswer: yes`, `### ${heading}\n\nAnswer: no`);
    expect(rules(check(name, text))).toEqual(['answer-without-finding']);
  });

  test.each(['Obsolete paths', 'Unrelated changes'])('%s answered yes needs a finding', (heading) => {
    const text = passing.replace(`### ${heading}\n\nAnswer: no`, `### ${heading}\n\nAnswer: yes`);
    expect(rules(check(name, text))).toEqual(['answer-without-finding']);
  });
});

describe('stage 6: findings have ids and are blocking or advisory', () => {
  test.each<[string, string | RegExp, string, string]>([
    ['no severity', '### F1 blocking: the', '### F1 the', 'finding-heading'],
    ['another severity', '### F1 blocking:', '### F1 major:', 'finding-heading'],
    ['no id', '### F1 blocking:', '### blocking:', 'finding-heading'],
    ['an id of another kind', '### F1 blocking:', '### V1 blocking:', 'finding-heading'],
    ['no title', /### F1 blocking: .*/, '### F1 blocking:', 'finding-heading'],
    ['an id used twice', '### F2', '### F1', 'id-duplicate'],
    ['no place', '`bin/export.js:9` ignores', 'The program ignores', 'place-missing'],
    ['a place that is not there', 'bin/export.js:9', 'bin/export.js:999', 'place-missing'],
    ['no reason', /(`bin\/export.js:9`)[\s\S]*?\n\n(### F2)/, '$1\n\n$2', 'finding-reason'],
    ['no findings and no None', /## Findings[\s\S]*$/, '## Findings\n\nAll good.\n', 'findings-missing'],
  ])('%s is refused', (_name, from, to, rule) => {
    expect(rules(check(name, changed(name, from, to)))).toContain(rule);
  });

  test('the verdict follows from the findings', () => {
    expect(rules(check(name, changed(name, 'Verdict: blocked', 'Verdict: pass')))).toEqual(['verdict-inconsistent']);
    expect(rules(check(name, passing.replace('Verdict: pass', 'Verdict: blocked')))).toEqual(['verdict-inconsistent']);
    const advisory = changed(name, '### F1 blocking', '### F1 advisory').replace('Verdict: blocked', 'Verdict: pass');
    expect(check(name, advisory)).toEqual([]);
  });

  test('they are read for the engine', () => {
    expect(readReview(example(name))).toEqual({
      tree,
      verdict: 'blocked',
      findings: [
        { id: 'F1', severity: 'blocking', title: 'the command line still prints "Done"', place: 'bin/export.js:9' },
        { id: 'F2', severity: 'advisory', title: 'the count is formatted in two places', place: 'src/dialog.js:21' },
      ],
    });
    expect(readReview('')).toEqual({ tree: null, verdict: null, findings: [] });
  });
});

describe('C090: the review stands on the tree that it judged', () => {
  test('another tree is refused', () => {
    expect(rules(check(name, example(name), { tree: 'f'.repeat(40) }))).toEqual(['tree-outdated']);
  });

  test.each(['7d1f0c5', 'HEAD', tree.toUpperCase()])('"%s" is not a tree', (value) => {
    expect(rules(check(name, changed(name, tree, value)))).toContain('field-value');
  });
});
