// Random but plausible events for a state: most are ones that the engine could send now, some never could be.
import fc from 'fast-check';
import type { RunEvent } from '../../src/core/event.ts';
import { initialState } from '../../src/core/initial-state.ts';
import { type Stage, stageNames, stageRules, workStages } from '../../src/core/stage.ts';
import { type Finding, type Operator, type RunState, openDecisions, openGateOf } from '../../src/core/state.ts';
import { nextEvidenceId } from '../../src/core/transition.ts';

export const operator: Operator = { name: 'Olga', user: 'olga', tty: null, signature: null };
export const treeA = 'a'.repeat(40);
export const treeB = 'b'.repeat(40);
export const sha = (digit: string) => digit.repeat(64);

export function fresh(reviewSession: 'fresh' | 'same' = 'fresh'): RunState {
  return initialState({
    run: 'r1',
    task: { id: 'T-1', title: 'A task', description: 'Do it.', labels: [], priority: 'normal' },
    tokens: { development: '[START DEVELOPMENT]', testing: '[SUBMIT FOR TESTING]' },
    reviewSession,
    at: time(0),
  });
}

export function time(seconds: number): string {
  return new Date(Date.parse('2026-05-04T10:00:00.000Z') + seconds * 1000).toISOString();
}

export const repository = {
  root: '/clone',
  remote: 'origin',
  remoteUrl: null,
  baselineBranch: 'develop',
  baselineCommit: treeA,
  developmentBranch: 'develop',
  workingBranch: 'gatehouse/r1',
  reviewBranch: 'gatehouse-review/r1',
  testCommand: 'npm test',
  setupCommand: null,
  sync: 'merge' as const,
  terminology: [],
  previewUrl: null,
  policySource: 'gatehouse.json',
};

export const delivery = {
  reviewCommit: treeA,
  reviewBranch: 'gatehouse-review/r1',
  compareLink: null,
  finalCommit: null,
  mergeCommit: null,
  pushedTo: null,
  taskStatus: null,
};

export const decision = {
  id: '1',
  question: 'Which?',
  options: [
    { id: 'A', text: 'this' },
    { id: 'B', text: 'that' },
  ],
  recommended: 'A',
  chosen: null,
};

export const blocker: Finding = { id: 'F1', severity: 'blocking', title: 'wrong', place: null };

export const ideaSubject = (digit = '1') => ({
  files: [{ path: 'artifacts/idea.md', sha256: sha(digit) }],
  tree: null,
});
export const packageSubject = (tree: string) => ({
  files: [{ path: 'artifacts/ship-summary.md', sha256: sha('2') }],
  tree,
});

export type Choice = { readonly kind: number; readonly a: number; readonly b: number };
export const choices = fc.array(fc.record({ kind: fc.nat(99), a: fc.nat(3), b: fc.nat(3) }), {
  maxLength: 200,
  size: 'max',
});

/** The event that a choice means in a state. */
export function eventFor(state: RunState, choice: Choice, at: string): RunEvent {
  // Most choices go the way of the workflow, so that late stages are reached at all.
  return choice.kind < 88 ? stepForward(state, choice, at) : anything(state, choice, at);
}

function stepForward(state: RunState, { a, b }: Choice, at: string): RunEvent {
  const unread = state.stage in stageRules ? stageRules[state.stage as keyof typeof stageRules].skills : [];
  const missing = unread.find((name) => !state.skillsRead.some((r) => r.entry === state.entry && r.name === name));
  if (missing !== undefined) return { type: 'skill.read', read: { name: missing, sha256: sha('3') }, at };
  switch (state.stage) {
    case 'initialize':
      return { type: 'task.initialized', repository, at };
    case 'await-development':
    case 'await-testing':
      return a === 0 ? sendBack(state, at) : approve(state, at);
    case 'review':
      if (state.sync?.entry !== state.entry)
        return { type: 'baseline.synced', commit: treeA, conflicts: [], tree: b === 0 ? treeB : treeA, at };
      return complete(state, { a, b }, at);
    case 'submit':
      return { type: 'delivery.completed', delivery: { ...delivery, pushedTo: 'origin/develop' }, artifacts: [], at };
    case 'halted':
      return state.halt?.code === 'review-limit'
        ? { type: 'round.granted', operator, at }
        : { type: 'run.continued', operator, to: b === 0 ? 'patch' : 'same', at };
    default:
      return complete(state, { a, b }, at);
  }
}

function anything(state: RunState, { kind, a, b }: Choice, at: string): RunEvent {
  const tree = b === 0 ? treeB : treeA;
  const events: (() => RunEvent)[] = [
    () => ({ type: 'task.initialized', repository, at }),
    () => ({ type: 'skill.read', read: { name: 'lattice-implement', sha256: sha('4') }, at }),
    () => ({ type: 'evidence.recorded', evidence: evidence(state, tree, at), at }),
    () => ({ type: 'baseline.synced', commit: treeB, conflicts: a === 0 ? ['src/a.js'] : [], tree, at }),
    () => complete({ ...state, stage: workStages[kind % workStages.length] ?? 'draft' }, { a, b }, at),
    () => approve(state, at, a === 0 ? 'looks good' : undefined),
    () => ({ ...approve(state, at), round: (openGateOf(state)?.round ?? 1) + (a === 0 ? 1 : -1) }) as RunEvent,
    () => sendBack(state, at, a === 0 ? ' ' : 'change it'),
    () => ({ type: 'gate.represented', subject: ideaSubject(String(a + 4)), artifacts: [], decisions: [decision], at }),
    () => ({
      type: 'approval.staled',
      changed: ideaSubject('9').files,
      subject: ideaSubject('9'),
      tree,
      decisions: [decision],
      artifacts: [],
      at,
    }),
    () => ({ type: 'round.granted', operator, at }),
    () => ({ type: 'run.halted', halt: { code: haltCode(a), reason: 'r', hint: 'h', evidence: null }, at }),
    () => ({ type: 'run.continued', operator, to: a === 0 ? 'patch' : 'same', at }),
    () => ({ type: 'session.stopped', operator, reason: 'r', at }),
    () => ({ type: 'delivery.progressed', delivery, at }),
    () => ({ type: 'delivery.completed', delivery, artifacts: [], at }),
  ];
  return (events[kind % events.length] ?? events[0])?.() ?? { type: 'session.stopped', operator, reason: 'r', at };
}

function haltCode(a: number) {
  return (['boundary-violated', 'delivery-conflict', 'operator', 'start-failed'] as const)[a] ?? 'operator';
}

function approve(state: RunState, at: string, line?: string): Extract<RunEvent, { type: 'gate.approved' }> {
  const gate = openGateOf(state);
  const name = gate?.name ?? 'development';
  const subject = gate?.subject ?? ideaSubject();
  const exact = [...openDecisions(state).map((d) => `${d.id}${d.recommended}`), state.tokens[name]].join(' ');
  return {
    type: 'gate.approved',
    gate: name,
    round: gate?.round ?? 1,
    line: line ?? exact,
    operator,
    shown: subject,
    present: subject,
    at,
  };
}

function sendBack(state: RunState, at: string, text = 'not yet'): RunEvent {
  const gate = openGateOf(state);
  return { type: 'gate.sent-back', gate: gate?.name ?? 'testing', round: gate?.round ?? 1, text, operator, at };
}

function complete(
  state: Pick<RunState, 'stage' | 'product'> & RunState,
  { a, b }: { a: number; b: number },
  at: string,
): RunEvent {
  const base = { type: 'stage.completed' as const, artifacts: [], skills: [], at };
  const tree = b === 0 ? treeB : (state.product ?? treeA);
  switch (state.stage) {
    case 'draft':
      return {
        ...base,
        outcome: { stage: 'draft', decisions: [decision], userFacing: false, visible: false, subject: ideaSubject() },
      };
    case 'implement':
      return { ...base, outcome: { stage: 'implement', tree, session: 's1' } };
    case 'patch':
      return { ...base, outcome: { stage: 'patch', tree, session: a === 0 ? null : 's1' } };
    case 'review': {
      const findings = a <= 1 ? [blocker] : [];
      const round = {
        tree,
        report: { path: 'artifacts/review-report-1.md', sha256: sha('5') },
        session: b === 1 ? 's1' : 's2',
        findings,
        verdict: findings.length > 0 ? ('blocked' as const) : ('pass' as const),
      };
      return { ...base, outcome: { stage: 'review', round } };
    }
    case 'verify':
      return a === 0
        ? { ...base, outcome: { stage: 'verify', passed: false, failures: [{ ...blocker, id: 'V1' }] } }
        : { ...base, outcome: { stage: 'verify', passed: true, subject: packageSubject(tree), delivery } };
    default:
      return { ...base, outcome: { stage: 'diagnose' } };
  }
}

function evidence(state: RunState, tree: string, at: string): RunState['evidence'][number] {
  return {
    id: nextEvidenceId(state),
    kind: 'command',
    stage: (workStages as readonly Stage[]).includes(state.stage) ? (state.stage as 'draft') : 'draft',
    time: at,
    tree,
    commit: treeA,
    command: 'true',
    exitCode: 0,
    durationMs: 1,
    declaredTest: false,
    origin: null,
    file: null,
    sha256: null,
    sizeBytes: 0,
    excerpt: '',
    image: null,
    pair: null,
  };
}

export { stageNames };
