// The ten stages as one table: who acts, which skill is read, what is owed, what may be written.
import { z } from 'zod';

export const workStages = [
  'initialize',
  'diagnose',
  'draft',
  'await-development',
  'implement',
  'review',
  'patch',
  'verify',
  'await-testing',
  'submit',
] as const;

export type WorkStage = (typeof workStages)[number];

export const stageNames = [...workStages, 'ready-for-testing', 'halted'] as const;
export const stageSchema = z.enum(stageNames);
export type Stage = (typeof stageNames)[number];

export const skillNames = [
  'lattice-diagnose',
  'lattice-idea',
  'lattice-explore',
  'lattice-implement',
  'lattice-review',
  'lattice-verify',
  'lattice-deliver',
] as const;
export type SkillName = (typeof skillNames)[number];

/** Artifacts are Markdown files in the run's `artifacts/` folder. `ship-summary.md` is assembled by the engine. */
export const artifactNames = [
  'diagnosis.md',
  'idea.md',
  'findings.md',
  'plan.md',
  'plan-delta.md',
  'review-report.md',
  'patch-notes.md',
  'verification.md',
  'ship-summary.md',
] as const;
export type ArtifactName = (typeof artifactNames)[number];

export type GateName = 'development' | 'testing';

/** `scratch`: tracked files are read-only, untracked output is writable. `product`: tracked files may change. */
export type WriteRight = 'scratch' | 'product';

export interface StageRule {
  readonly number: number;
  readonly actor: 'agent' | 'operator' | 'engine';
  readonly skills: readonly SkillName[];
  /** Owed by the agent before the stage can be left; `plan-delta.md` is conditional and not listed. */
  readonly owes: readonly ArtifactName[];
  readonly gate: GateName | null;
  readonly writes: WriteRight;
}

export const stageRules: { readonly [S in WorkStage]: StageRule } = {
  initialize: { number: 1, actor: 'engine', skills: [], owes: [], gate: null, writes: 'scratch' },
  diagnose: {
    number: 2,
    actor: 'agent',
    skills: ['lattice-diagnose'],
    owes: ['diagnosis.md'],
    gate: null,
    writes: 'scratch',
  },
  draft: { number: 3, actor: 'agent', skills: ['lattice-idea'], owes: ['idea.md'], gate: null, writes: 'scratch' },
  'await-development': { number: 4, actor: 'operator', skills: [], owes: [], gate: 'development', writes: 'scratch' },
  implement: {
    number: 5,
    actor: 'agent',
    skills: ['lattice-explore', 'lattice-implement'],
    owes: ['findings.md', 'plan.md'],
    gate: null,
    writes: 'product',
  },
  review: {
    number: 6,
    actor: 'agent',
    skills: ['lattice-review'],
    owes: ['review-report.md'],
    gate: null,
    writes: 'scratch',
  },
  patch: {
    number: 7,
    actor: 'agent',
    skills: ['lattice-implement'],
    owes: ['patch-notes.md'],
    gate: null,
    writes: 'product',
  },
  verify: {
    number: 8,
    actor: 'agent',
    skills: ['lattice-verify'],
    owes: ['verification.md'],
    gate: null,
    writes: 'scratch',
  },
  'await-testing': { number: 9, actor: 'operator', skills: [], owes: [], gate: 'testing', writes: 'scratch' },
  submit: { number: 10, actor: 'engine', skills: ['lattice-deliver'], owes: [], gate: null, writes: 'scratch' },
};

export const stageCount = workStages.length;

/** What the session may write in a stage; a run that waits, ended or halted may only write scratch. */
export function writeRight(stage: Stage): WriteRight {
  return stage === 'ready-for-testing' || stage === 'halted' ? 'scratch' : stageRules[stage].writes;
}

/** 1-10; `ready-for-testing` is 10; a halted run keeps the number of the stage it halted in. */
export function stageNumber(stage: Stage, haltedFrom: WorkStage | null): number {
  if (stage === 'ready-for-testing') return stageCount;
  if (stage === 'halted') return haltedFrom === null ? 1 : stageRules[haltedFrom].number;
  return stageRules[stage].number;
}
