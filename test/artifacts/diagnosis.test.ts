import { describe, expect, test } from 'vitest';
import { readSummary } from '../../src/artifacts/diagnosis.ts';
import { changed, check, evidence, example, makeFacts, rules } from './fixtures.ts';

const name = 'diagnosis.md';

describe('stage 2: reproduce, collect evidence, find the root cause', () => {
  test.each(['Summary', 'Reproduction', 'Evidence', 'Root cause', 'Affected places'])(
    'section %s is owed',
    (heading) => {
      expect(rules(check(name, changed(name, `## ${heading}`, '## Else')))).toContain('section-missing');
    },
  );

  test('a section that says nothing is no section', () => {
    const text = changed(name, /## Summary\n\n[\s\S]*?\n\n## Rep/, '## Summary\n\n<!-- later -->\nTODO\n\n## Rep');
    expect(check(name, text)).toEqual([
      { file: name, line: 3, rule: 'section-empty', message: expect.stringContaining('"Summary"') },
    ]);
  });

  test('a reproduction is something that the engine ran', () => {
    const text = changed(name, /## Reproduction\n\n[\s\S]*?\n\n## Ev/, '## Reproduction\n\nRead it in E4.\n\n## Ev');
    expect(rules(check(name, text))).toEqual(['evidence-missing']);
    expect(check(name, text)[0]?.message).toContain('lattice evidence run');
  });

  test('every evidence id is one that the engine gave; the line is named', () => {
    const problems = check(name, changed(name, '(E1). With', '(E77). With'));
    expect(problems).toContainEqual(expect.objectContaining({ rule: 'evidence-unknown', line: 9 }));
    expect(problems[0]?.message).toContain('E77');
  });

  test('an id that is recorded but not listed is refused', () => {
    expect(rules(check(name, changed(name, 'nevertheless says', 'nevertheless (E5) says')))).toEqual([
      'evidence-unlisted',
    ]);
  });

  test('ids in code blocks, comments and words like E2E are not citations', () => {
    const text = changed(
      name,
      '## Evidence',
      '```\nE99\n```\n\n<!-- E98 -->\nThe E2E tests, `x/E97.png`\n\n## Evidence',
    );
    expect(check(name, text)).toEqual([]);
  });

  test('an id is listed once', () => {
    expect(rules(check(name, changed(name, '- E2: export', '- E1: export')))).toContain('id-duplicate');
  });

  test('the root cause stands on evidence and on a place', () => {
    const without = changed(name, /(## Root cause\n\n)[\s\S]*?(\n\n## Aff)/, '$1It is just wrong.$2');
    expect(rules(check(name, without))).toEqual(['evidence-missing', 'place-missing']);
  });

  test('file and line exist at the baseline commit, not only in the worktree', () => {
    const added = makeFacts().treeHas;
    const facts = { baselineHas: (path: string) => path !== 'src/export.js', treeHas: added };
    expect(rules(check(name, example(name), facts))).toEqual(['path-unknown', 'place-missing', 'place-unknown']);
    const problems = check(name, changed(name, 'src/export.js:14', 'src/export.js:41'));
    expect(problems.map((p) => p.rule)).toContain('place-unknown');
    expect(problems.find((p) => p.rule === 'place-unknown')?.message).toBe(
      'src/export.js has no line 41 at the baseline commit',
    );
  });

  test.each(['../secret.js:1', '/etc/passwd:1', 'src/../src/export.js:1'])(
    '%s is not a path of the repository',
    (place) => {
      expect(rules(check(name, changed(name, 'nevertheless', `\`${place}\` nevertheless`)))).toContain('place-unknown');
    },
  );

  test('addresses, hosts and times are not places', () => {
    const text = changed(
      name,
      'nevertheless',
      'at 12:30 on localhost:3000, https://example.com/a.js:80, `localhost:8080` and 127.0.0.1:99, nevertheless',
    );
    expect(check(name, text)).toEqual([]);
  });

  test('underscores in paths are not eaten as emphasis', () => {
    const facts = { baselineHas: (path: string) => path === 'src/__tests__/a_b.js' || makeFacts().baselineHas(path) };
    expect(check(name, changed(name, 'nevertheless', 'src/__tests__/a_b.js:1 nevertheless'), facts)).toEqual([]);
    expect(rules(check(name, changed(name, 'nevertheless', 'src/__tests__/other.js:1 nevertheless'), facts))).toEqual([
      'place-unknown',
    ]);
  });

  test('the engine finds the summary', () => {
    expect(readSummary(example(name))).toMatch(/^The CSV export leaves out the last row\. .* exported\.$/);
  });

  test('without any record nothing can be cited', () => {
    expect(rules(check(name, example(name), { evidence: [] }))).toContain('evidence-unknown');
    expect(rules(check(name, example(name), { evidence: [evidence('E1')] }))).toContain('evidence-unknown');
  });
});
