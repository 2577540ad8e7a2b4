import { describe, expect, test } from 'vitest';
import { readVerification } from '../../src/artifacts/verification.ts';
import { baseTree, changed, check, evidence, example, makeFacts, rules } from './fixtures.ts';

const name = 'verification.md';
const failing = `${changed(name, 'Result: pass', 'Result: fail')}
## Failures

### V1 blocking: the singular form is wrong

\`src/dialog.js:21\` shows "1 rows exported" (E7).
`;

/** The usual evidence with one record replaced. */
function replacing(id: string, more: Parameters<typeof evidence>[1]) {
  return { evidence: makeFacts().evidence.map((e) => (e.id === id ? { ...e, ...more } : e)) };
}

describe('stage 8: exit code 0 of the tests is one piece of evidence, never the whole', () => {
  test('a behaviour shown only by the test command is not shown', () => {
    expect(rules(check(name, changed(name, '-> E6, E7', '-> E8')))).toEqual(['behaviour-only-tests']);
  });

  test('a source listing or an image from before shows nothing', () => {
    expect(
      rules(check(name, changed(name, '-> E6, E7', '-> E8, E4'), replacing('E4', { tree: makeFacts().tree }))),
    ).toEqual(['behaviour-only-tests']);
    expect(rules(check(name, changed(name, '-> E6, E7', '-> E8, E3')))).toEqual(['behaviour-only-tests']);
  });

  test('a behaviour without evidence is refused', () => {
    expect(rules(check(name, changed(name, ' -> E6, E7', '')))).toEqual(['behaviour-unshown']);
  });

  test('every behaviour that idea.md announces is shown, and no other', () => {
    expect(rules(check(name, changed(name, /- B2: .*\n/, '')))).toEqual(['id-missing']);
    expect(rules(check(name, changed(name, '- B2:', '- B3:')))).toEqual(['id-missing', 'id-unknown']);
  });

  test('an id that does not exist is refused', () => {
    expect(rules(check(name, changed(name, 'E6, E7', 'E6, E70')))).toEqual(['evidence-unknown']);
  });
});

describe('stage 8: evidence older than the last change of the tree does not count', () => {
  test.each(['E6', 'E7', 'E9'])('%s on another tree', (id) => {
    const problems = check(name, example(name), replacing(id, { tree: baseTree }));
    expect(rules(problems)).toEqual(['evidence-outdated']);
    expect(problems[0]?.message).toContain(id);
  });

  test('tests on another tree', () => {
    expect(rules(check(name, example(name), replacing('E8', { tree: baseTree })))).toEqual([
      'evidence-outdated',
      'tests-outdated',
    ]);
  });

  test('an unknown tree is not the present one', () => {
    expect(rules(check(name, example(name), { tree: null }))).toContain('tests-outdated');
  });
});

describe('stage 8: the test command that the repository declares', () => {
  test('another command does not count, and the right one is named', () => {
    const problems = check(name, example(name), replacing('E8', { isDeclaredTest: false, command: 'npm test -- one' }));
    expect(rules(problems)).toEqual(['tests-not-run']);
    expect(problems[0]?.message).toContain('lattice evidence run -- npm test');
  });

  test('a passing result needs exit code 0; a failing one may show what it is', () => {
    expect(rules(check(name, example(name), replacing('E8', { exitCode: 1 })))).toEqual(['tests-failed']);
    expect(check(name, failing, replacing('E8', { exitCode: 1 }))).toEqual([]);
  });
});

describe('stage 8: behaviour that is wrong is said, and goes to patch', () => {
  test('the failures are read for the engine', () => {
    expect(check(name, failing)).toEqual([]);
    expect(readVerification(failing)).toMatchObject({
      result: 'fail',
      failures: [{ id: 'V1', severity: 'blocking', title: 'the singular form is wrong', place: 'src/dialog.js:21' }],
    });
  });

  test('fail without failures is refused', () => {
    expect(rules(check(name, changed(name, 'Result: pass', 'Result: fail')))).toEqual(['section-missing']);
    const none = failing.replace(/### V1[\s\S]*$/, 'None\n');
    expect(rules(check(name, none))).toEqual(['findings-missing']);
  });
});

describe('stage 8: a user-visible change owes images of the real interface, before and after', () => {
  const none = changed(name, '- export-dialog: E3 -> E9', 'None');

  test('no pair is refused when visible, and fine when not', () => {
    expect(rules(check(name, none))).toEqual(['images-missing']);
    expect(check(name, none, { visible: false })).toEqual([]);
  });

  test.each<[string, string, string]>([
    ['the wrong way round', 'E3 -> E9', 'E9 -> E3'],
    ['something that is no image', 'E3 -> E9', 'E3 -> E6'],
    ['another pair', 'export-dialog: E3', 'main-window: E3'],
    ['one image only', 'E3 -> E9\n', 'E9\n'],
  ])('%s is refused', (_name, from, to) => {
    expect(rules(check(name, changed(name, from, to)))).toEqual(['image-pair']);
  });
});

test('the engine reads the rest of the package', () => {
  expect(readVerification(example(name))).toEqual({
    result: 'pass',
    preview: null,
    behaviours: [
      { id: 'B1', text: 'the export writes every row', evidence: ['E6', 'E7'], line: 8 },
      { id: 'B2', text: 'the dialog says how many rows were exported', evidence: ['E8', 'E9'], line: 9 },
    ],
    tests: ['E8'],
    images: [{ name: 'export-dialog', before: 'E3', after: 'E9' }],
    decisionsTaken: ['One row reads "1 row exported"'],
    limits: [],
    failures: [],
  });
  const preview = changed(name, 'Preview: None', 'Preview: https://preview.example/7');
  expect(check(name, preview)).toEqual([]);
  expect(readVerification(preview).preview).toBe('https://preview.example/7');
  expect(rules(check(name, changed(name, 'Preview: None', 'Preview: javascript:alert(1)')))).toEqual(['field-value']);
});
