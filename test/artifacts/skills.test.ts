import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadSkill } from '../../src/artifacts/skill.ts';
import { artifactNames, skillNames, stageRules, workStages } from '../../src/core/stage.ts';
import { check, contractOf, example, readSkill, skills } from './fixtures.ts';

const written = artifactNames.filter((name) => name !== 'ship-summary.md');

describe('the skills that ship with the product', () => {
  test.each(skillNames)('%s loads, in the Agent Skills format', (name) => {
    const skill = readSkill(name);
    expect(skill.name).toBe(name);
    expect(skill.description.length).toBeLessThanOrEqual(1024);
    expect(skill.text.split('\n').length).toBeLessThan(250);
  });

  test.each(written)('the example of %s passes the check that its own skill declares', (name) => {
    expect(check(name, example(name))).toEqual([]);
  });

  test('every artifact has exactly one contract, and a stage that owes it names its skill', () => {
    for (const name of artifactNames) {
      const owners = skills.filter((s) => s.contracts[name] !== undefined).map((s) => s.name);
      expect(owners).toHaveLength(1);
      for (const stage of workStages.filter((s) => stageRules[s].owes.includes(name))) {
        expect(stageRules[stage].skills).toContain(owners[0]);
      }
    }
  });

  test.each(written)('what %s must contain is named in the text of its skill', (name) => {
    const skill = skills.find((s) => s.contracts[name] !== undefined);
    const body = skill?.text.replace(/^---\n[\s\S]*?\n---\n/, '') ?? '';
    for (const section of contractOf(name).sections) expect(body).toContain(`## ${section.heading}\``);
    for (const field of contractOf(name).fields) expect(body).toContain(`${field.name}:`);
  });

  test('the main instructions name every stage, every skill and every agent command', () => {
    const text = readFileSync(new URL('../../skills/INSTRUCTIONS.md', import.meta.url), 'utf8');
    for (const word of [...workStages, ...skillNames]) expect(text).toContain(`\`${word}\``);
    for (const verb of ['status', 'skill', 'advance', 'check', 'evidence run', 'evidence add', 'sync', 'footer']) {
      expect(text).toContain(`lattice ${verb}`);
    }
  });

  test('no text for the agent contains a token that opens a gate', () => {
    const texts = [
      readFileSync(new URL('../../skills/INSTRUCTIONS.md', import.meta.url), 'utf8'),
      ...skills.map((s) => s.text),
    ];
    for (const text of texts) expect(text).not.toMatch(/START DEVELOPMENT|SUBMIT FOR TESTING/i);
  });
});

describe('a skill file that is not usable is refused, naming what is wrong', () => {
  const front = (lines: string): string => `---\n${lines}\n---\n\n# Text\n`;
  test.each([
    ['no front matter', '# Text\n', /front matter/],
    ['an unknown name', front('name: lattice-other\ndescription: x'), /name/],
    ['no description', front('name: lattice-idea'), /description/],
    ['broken YAML', front('name: [lattice-idea'), /flow|YAML|\]/i],
    ['metadata that is not text', front('name: lattice-idea\ndescription: x\nmetadata: { a: { b: 1 } }'), /metadata/],
    [
      'an unknown rule',
      front(
        'name: lattice-idea\ndescription: x\nmetadata:\n  lattice-contract: |\n    idea.md: { rules: [{ rule: magic }] }',
      ),
      /rule/,
    ],
    [
      'an unknown artifact',
      front('name: lattice-idea\ndescription: x\nmetadata:\n  lattice-contract: |\n    other.md: {}'),
      /other\.md/,
    ],
    ['aliases that could expand without end', front('name: &a lattice-idea\ndescription: *a'), /alias/i],
  ])('%s', (_name, text, why) => {
    expect(() => loadSkill(text, 'skills/x/SKILL.md')).toThrow(why);
  });

  test('line ends and a byte order mark do not matter', () => {
    const skill = readSkill('lattice-idea');
    const again = loadSkill(`\uFEFF${skill.text.replaceAll('\n', '\r\n')}`, 'x');
    expect(again.contracts).toEqual(skill.contracts);
  });
});
