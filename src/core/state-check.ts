// Does a state contradict itself? Says what is wrong, or null. The schema has already been checked.
import { type Stage, stageRules, workStages } from './stage.ts';
import { type RunState, reviewCount, validApproval } from './state.ts';

/** Where each stage may lead; `halted` leads back to wherever a person lets the run go on. */
const moves: Readonly<Record<Stage, readonly Stage[]>> = {
  initialize: ['diagnose', 'halted'],
  diagnose: ['draft', 'halted'],
  draft: ['await-development', 'halted'],
  'await-development': ['implement', 'draft', 'halted', 'await-development'],
  implement: ['review', 'halted', 'await-development'],
  review: ['verify', 'patch', 'halted', 'await-development'],
  patch: ['review', 'halted', 'await-development'],
  verify: ['await-testing', 'patch', 'halted', 'await-development'],
  'await-testing': ['submit', 'patch', 'halted', 'await-development'],
  submit: ['ready-for-testing', 'halted'],
  'ready-for-testing': [],
  halted: workStages,
};

export function stateContradiction(state: RunState): string | null {
  return (
    historyContradiction(state) ??
    gateContradiction(state) ??
    approvalContradiction(state) ??
    reviewContradiction(state) ??
    evidenceContradiction(state)
  );
}

function historyContradiction(state: RunState): string | null {
  const last = state.history.at(-1);
  if (last === undefined) return 'it has no history';
  if (last.to !== state.stage) return `its history ends in ${last.to}, but the stage is ${state.stage}`;
  if (last.time !== state.since) return `it entered ${state.stage} at ${last.time}, but says since ${state.since}`;
  if (state.entry !== state.history.length) return 'the number of stages entered is not that of its history';
  for (const [index, step] of state.history.entries()) {
    const before = state.history[index - 1];
    if (step.from !== (before?.to ?? null))
      return `step ${index + 1} of its history does not follow from the one before`;
    if (before !== undefined && !moves[before.to].includes(step.to))
      return `its history goes from ${before.to} to ${step.to}, which is not a step of the workflow`;
    if (needsApproval(step.from, step.to) && step.approval === null)
      return `its history enters ${step.to} without an approval`;
  }
  return null;
}

function needsApproval(from: Stage | null, to: Stage): boolean {
  return (from === 'await-development' && to === 'implement') || (from === 'await-testing' && to === 'submit');
}

function gateContradiction(state: RunState): string | null {
  const stage = state.halt?.from ?? state.stage;
  if ((state.stage === 'halted') !== (state.halt !== null)) return 'stage and halt disagree';
  const owed = stage === 'ready-for-testing' || stage === 'halted' ? null : stageRules[stage].gate;
  if ((state.gate?.name ?? null) !== owed)
    return `the gate of ${stage} is ${state.gate === null ? 'not there' : 'another'}`;
  if (state.gate !== null && state.gate.round !== state.gateRounds[state.gate.name])
    return 'the gate is not in the round that was opened last';
  return null;
}

/** Stages that stand on an approval of the first gate. */
const developed: readonly Stage[] = [...workStages.slice(workStages.indexOf('implement')), 'ready-for-testing'];

function approvalContradiction(state: RunState): string | null {
  if (developed.includes(state.stage) && validApproval(state, 'development') === undefined)
    return `it is in ${state.stage} without an approval of the development gate`;
  const delivering = state.stage === 'submit' || state.stage === 'ready-for-testing';
  if (delivering && validApproval(state, 'testing') === undefined)
    return `it is in ${state.stage} without an approval of the testing gate`;
  const rounds = state.approvals.map((a) => `${a.gate} ${a.round}`);
  if (new Set(rounds).size !== rounds.length) return 'one round of a gate is approved twice';
  return null;
}

function reviewContradiction(state: RunState): string | null {
  const { count, limit } = reviewCount(state);
  if (count > limit) return `it has ${count} reviews where ${limit} are allowed`;
  if (state.reviews.rounds.some((r, index) => r.round !== index + 1)) return 'its reviews are not numbered in order';
  return null;
}

function evidenceContradiction(state: RunState): string | null {
  return state.evidence.some((e, index) => e.id !== `E${index + 1}`) ? 'its evidence is not numbered in order' : null;
}
