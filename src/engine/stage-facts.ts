// Tables about stages that only the engine needs: which artifacts are in work, what a person is shown at a gate.
import { type ArtifactName, type GateName, type Stage, type WorkStage, stageRules } from '../core/stage.ts';
import type { RunState } from '../core/state.ts';

/** Artifacts that the agent may write in a stage; a recorded one that is not in work must stay as it was recorded. */
export const inWork: { readonly [S in WorkStage]: readonly ArtifactName[] } = {
  initialize: [],
  diagnose: ['diagnosis.md'],
  draft: ['diagnosis.md', 'idea.md'],
  'await-development': [],
  implement: ['findings.md', 'plan.md', 'plan-delta.md'],
  review: ['review-report.md'],
  patch: ['findings.md', 'plan.md', 'plan-delta.md', 'patch-notes.md'],
  verify: ['verification.md'],
  'await-testing': [],
  submit: ['ship-summary.md'],
};

/** What a stage must leave in order: what it owes, and what is conditional but there. */
export const judgedIn: { readonly [S in WorkStage]: readonly ArtifactName[] } = {
  ...inWork,
  patch: ['plan-delta.md', 'patch-notes.md'],
  submit: [],
};

/** Files whose exact versions an approval names. */
export const gateFiles: { readonly [G in GateName]: readonly ArtifactName[] } = {
  development: ['idea.md', 'diagnosis.md'],
  testing: ['ship-summary.md', 'verification.md', 'review-report.md'],
};

/** The stage that a halted run stands in. */
export function workStageOf(state: RunState): WorkStage | null {
  const stage: Stage = state.halt?.from ?? state.stage;
  return stage === 'halted' || stage === 'ready-for-testing' ? null : stage;
}

export function owedIn(stage: WorkStage): readonly ArtifactName[] {
  return stageRules[stage].owes;
}
