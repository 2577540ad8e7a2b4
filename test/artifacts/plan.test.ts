import { describe, expect, test } from 'vitest';
import { changed, check, example, makeFacts, rules } from './fixtures.ts';

describe('stage 5: explore first: files, call sites, tests, conventions', () => {
  const name = 'findings.md';
  test.each(['Files read', 'Call sites', 'Tests', 'Conventions'])('section %s is owed', (heading) => {
    expect(rules(check(name, changed(name, `## ${heading}`, '## Else')))).toContain('section-missing');
  });

  test('a file that is not there was not read', () => {
    expect(rules(check(name, changed(name, '- src/export.js: builds', '- src/gone.js: builds')))).toEqual([
      'path-unknown',
    ]);
  });

  test('what a file told belongs to it', () => {
    expect(rules(check(name, changed(name, /- src\/dialog.js: shows.*/, '- src/dialog.js')))).toEqual(['item-empty']);
  });

  test('each call site has its place', () => {
    expect(rules(check(name, changed(name, '`bin/export.js:9` calls', 'the program calls')))).toEqual([
      'place-missing',
    ]);
  });

  test('None is an answer for call sites and tests', () => {
    const text = changed(name, /## Call sites[\s\S]*?## Con/, '## Call sites\n\nNone\n\n## Tests\n\nNone\n\n## Con');
    expect(check(name, text)).toEqual([]);
  });
});

describe('stage 5: files changed that the plan does not name, without plan-delta.md, are refused', () => {
  const alone = { 'plan.md': example('plan.md') };

  test('the file is named, and where it belongs', () => {
    const problems = check('plan.md', example('plan.md'), {
      artifacts: alone,
      changedFiles: ['src/export.js', 'src/count.js'],
    });
    expect(problems).toEqual([
      {
        file: 'plan-delta.md',
        line: null,
        rule: 'changed-file-unplanned',
        message: expect.stringContaining('src/count.js'),
      },
    ]);
  });

  test('plan-delta.md or the patch notes may name it', () => {
    const facts = { changedFiles: ['src/export.js', 'src/count.js', 'bin/export.js'] };
    expect(check('plan.md', example('plan.md'), facts)).toEqual([]);
  });

  test('a mention in prose or in a code block names nothing', () => {
    const text = changed(
      'plan.md',
      '## Steps',
      'Perhaps src/count.js too.\n\n```\n- src/count.js: no\n```\n\n## Steps',
    );
    const facts = { artifacts: alone, changedFiles: ['src/count.js'] };
    expect(rules(check('plan.md', text, facts))).toEqual(['changed-file-unplanned']);
  });

  test('a folder covers nothing', () => {
    const text = changed('plan.md', '- src/export.js:', '- src/lib: all of it\n- src/export.js:');
    const facts = { artifacts: alone, changedFiles: ['src/lib/a.js'] };
    expect(rules(check('plan.md', text, facts))).toEqual(['changed-file-unplanned']);
  });

  test('steps, files and verification are owed', () => {
    for (const heading of ['Files', 'Steps', 'Verification']) {
      expect(rules(check('plan.md', changed('plan.md', `## ${heading}`, '## Else')))).toContain('section-missing');
    }
  });
});

describe('stage 5: a departure from the plan is in plan-delta.md', () => {
  const name = 'plan-delta.md';
  test.each<[string, string | RegExp, string, string]>([
    ['a departure without subject', '- src/count.js: the', '- the', 'departure-subject'],
    ['a path outside', '- src/count.js:', '- ../count.js:', 'departure-subject'],
    ['a path without reason', /- src\/count.js: .*\n.*\n/, '- src/count.js:\n', 'departure-reason'],
    ['a step without reason', /- Step 3: .*/, '- Step 3:', 'departure-reason'],
    ['a step that the plan does not have', 'Step 3', 'Step 9', 'step-unknown'],
    ['no list', /## Departures\n\n[\s\S]*?\n\n## D/, '## Departures\n\nSome.\n\n## D', 'items-missing'],
    ['no word on decisions', /## Decisions taken[\s\S]*$/, '', 'section-missing'],
  ])('%s is refused', (_name, from, to, rule) => {
    expect(rules(check(name, changed(name, from, to)))).toContain(rule);
  });
});

describe('stage 7: the fix answers each blocker by id', () => {
  const name = 'patch-notes.md';
  test.each<[string, string | RegExp, string, string]>([
    [
      'a blocker without answer',
      /### F1[\s\S]*?## Dec/,
      '### F2\n\nFiles: src/dialog.js\n\nDone.\n\n## Dec',
      'finding-unanswered',
    ],
    ['an id that nobody gave', '### F1', '### F9', 'finding-unknown'],
    ['a heading without id', '### F1', '### All of it', 'finding-unknown'],
    ['no files', /Files: .*/, '', 'files-missing'],
    ['a file that is not there', 'Files: bin/export.js', 'Files: bin/gone.js', 'path-unknown'],
    ['no word on what was done', /\n\nThe command line now[\s\S]*?\n\n##/, '\n\n##', 'answer-empty'],
    ['the same id twice', '### F1\n', '### F1\n\nFiles: bin/export.js\n\nOnce.\n\n### F1\n', 'id-duplicate'],
  ])('%s is refused', (_name, from, to, rule) => {
    expect(rules(check(name, changed(name, from, to)))).toContain(rule);
  });

  test('advisory findings may be left alone or answered', () => {
    const both = changed(name, '## Decisions', '### F2\n\nFiles: src/dialog.js\n\nOne place now.\n\n## Decisions');
    expect(check(name, both)).toEqual([]);
  });

  test('feedback of many lines is named in one short line', () => {
    const title = `The singular\nis wrong: ${'very '.repeat(40)}`;
    const finding = { id: 'O1', severity: 'blocking', title, place: null } as const;
    const [problem] = check(name, example(name), { findings: [finding] }).filter(
      (p) => p.rule === 'finding-unanswered',
    );
    expect(problem?.message).toMatch(/^O1 \(The singular is wrong: [^\n]{1,80}\.\.\.\) is blocking and not answered/);
  });

  test('feedback and failed verification are answered in the same way', () => {
    const finding = { id: 'V1', severity: 'blocking', title: 'wrong count', place: null } as const;
    expect(check(name, changed(name, '### F1', '### V1'), { findings: [finding] })).toEqual([]);
  });

  test('files that the patch changed are named somewhere', () => {
    const facts = { changedFiles: [...makeFacts().changedFiles, 'src/new.js'] };
    expect(check(name, example(name), facts)).toEqual([
      expect.objectContaining({ file: name, rule: 'changed-file-unplanned' }),
    ]);
    const named = changed(name, '## Decisions', '## Also changed\n\n- src/new.js: split off\n\n## Decisions');
    expect(check(name, named, facts)).toEqual([]);
  });
});
