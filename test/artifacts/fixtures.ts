// Facts of one imagined run, the one that the examples in the skills tell, and those examples themselves.
import { readFileSync } from 'node:fs';
import type { CheckFacts, EvidenceFact } from '../../src/artifacts/facts.ts';
import { checkArtifact } from '../../src/artifacts/check.ts';
import { loadSkill, type Skill } from '../../src/artifacts/skill.ts';
import type { Contract } from '../../src/artifacts/contract.ts';
import type { Problem } from '../../src/core/rejection.ts';
import { type ArtifactName, type SkillName, artifactNames, skillNames } from '../../src/core/stage.ts';

export const tree = '7d1f0c5be2a94863f0d5c1a7e6b2984d3c5f1a20';
export const baseTree = '0000000000000000000000000000000000000001';

export function readSkill(name: SkillName): Skill {
  const file = new URL(`../../skills/${name}/SKILL.md`, import.meta.url);
  return loadSkill(readFileSync(file, 'utf8'), `skills/${name}/SKILL.md`);
}

export const skills: readonly Skill[] = skillNames.map(readSkill);

/** The example of an artifact, from the block `~~~markdown NAME` in its skill. */
export function example(name: ArtifactName): string {
  for (const skill of skills) {
    const match = new RegExp(`^~~~markdown ${name.replace('.', '\\.')}\\n([\\s\\S]*?)^~~~$`, 'm').exec(skill.text);
    if (match !== null) return match[1] ?? '';
  }
  throw new Error(`no skill has an example of ${name}`);
}

export function contractOf(name: ArtifactName): Contract {
  for (const skill of skills) {
    const contract = skill.contracts[name];
    if (contract !== undefined) return contract;
  }
  throw new Error(`no skill has a contract for ${name}`);
}

export function evidence(id: string, more: Partial<EvidenceFact> = {}): EvidenceFact {
  return {
    id,
    kind: 'command',
    command: 'node bin/export.js --rows 3',
    exitCode: 0,
    tree,
    isDeclaredTest: false,
    pair: null,
    path: null,
    ...more,
  };
}

const files: Readonly<Record<string, number>> = {
  'src/export.js': 40,
  'src/dialog.js': 60,
  'bin/export.js': 20,
  'test/export.test.js': 30,
  'docs/terminology.md': 25,
  'CHANGELOG.md': 12,
  'AGENTS.md': 10,
};

export function has(path: string, line = 1): boolean {
  return line >= 1 && line <= (files[path] ?? 0);
}

const image = { kind: 'image', command: null, exitCode: null } as const;

export function makeFacts(more: Partial<CheckFacts> = {}): CheckFacts {
  return {
    evidence: [
      evidence('E1', { tree: baseTree }),
      evidence('E2', { tree: baseTree, command: 'node bin/export.js --rows 1' }),
      evidence('E3', { ...image, tree: baseTree, pair: { side: 'before', name: 'export-dialog' } }),
      evidence('E4', { kind: 'source', command: null, exitCode: null, tree: baseTree, path: 'src/export.js:12-16' }),
      evidence('E5'),
      evidence('E6'),
      evidence('E7', { command: 'node bin/export.js --rows 1' }),
      evidence('E8', { command: 'npm test', isDeclaredTest: true }),
      evidence('E9', { ...image, pair: { side: 'after', name: 'export-dialog' } }),
    ],
    baselineHas: has,
    treeHas: has,
    changedFiles: ['src/export.js', 'src/dialog.js', 'test/export.test.js', 'CHANGELOG.md'],
    artifacts: Object.fromEntries(
      artifactNames.filter((n) => n !== 'ship-summary.md').map((name) => [name, example(name)]),
    ),
    findings: [
      { id: 'F1', severity: 'blocking', title: 'the command line still prints "Done"', place: 'bin/export.js:9' },
      { id: 'F2', severity: 'advisory', title: 'the count is formatted in two places', place: 'src/dialog.js:21' },
    ],
    tree,
    visible: true,
    testCommand: 'npm test',
    terminology: ['docs/terminology.md'],
    ...more,
  };
}

export function check(name: ArtifactName, text: string, more: Partial<CheckFacts> = {}): Problem[] {
  return checkArtifact(name, text, makeFacts(more), contractOf(name));
}

/** The example with one passage replaced; the passage must be there, or the test would prove nothing. */
export function changed(name: ArtifactName, from: string | RegExp, to: string): string {
  const text = example(name);
  const result = text.replace(from, to);
  if (result === text) throw new Error(`${name} does not contain ${String(from)}`);
  return result;
}

export function rules(problems: readonly Problem[]): string[] {
  return [...new Set(problems.map((p) => p.rule))].toSorted();
}
