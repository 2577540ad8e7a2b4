// A run with something in every part of it, for what is shown.
import type { RunDetail } from '../../../src/core/run.ts';
import type { RunState } from '../../../src/core/state.ts';

export const now = Date.parse('2026-03-01T12:00:00Z');
const at = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
const hash = (digit: string): string => digit.repeat(64);
const tree = 'a'.repeat(40);

type Part = Pick<
  RunState,
  | 'approvals'
  | 'evidence'
  | 'reviews'
  | 'feedback'
  | 'history'
  | 'halt'
  | 'delivery'
  | 'verification'
  | 'artifacts'
  | 'repository'
>;

/** Only what `show` reads of a state. */
const state: Part = {
  approvals: [
    {
      gate: 'development',
      round: 1,
      line: '1A [START DEVELOPMENT]',
      token: '[START DEVELOPMENT]',
      choices: { '1': 'A' },
      operator: { name: 'Ada', user: 'ada', tty: '/dev/pts/3', signature: null },
      time: at(90),
      subject: { files: [{ path: 'artifacts/idea.md', sha256: hash('1') }], tree: null },
      staleSince: at(80),
    },
  ],
  evidence: [
    {
      id: 'E1',
      kind: 'command',
      stage: 'diagnose',
      time: at(100),
      tree,
      commit: tree,
      command: 'npm test',
      exitCode: 1,
      durationMs: 1000,
      declaredTest: true,
      origin: null,
      file: 'E1.log',
      sha256: hash('2'),
      sizeBytes: 10,
      excerpt: '',
      image: null,
      pair: null,
    },
  ],
  reviews: {
    limit: 6,
    granted: 0,
    rounds: [
      {
        round: 1,
        time: at(30),
        tree,
        report: { path: 'artifacts/review-report-1.md', sha256: hash('3') },
        session: null,
        findings: [{ id: 'F1', severity: 'blocking', title: 'A call site is left', place: 'src/a.js:3' }],
        verdict: 'blocked',
      },
    ],
  },
  feedback: [{ gate: 'development', round: 1, text: 'Keep the old name', operator: 'Ada', time: at(95) }],
  history: [
    {
      from: 'draft',
      to: 'await-development',
      reason: 'idea.md is in order',
      time: at(20),
      actor: 'engine',
      files: [],
      approval: null,
    },
  ],
  halt: null,
  delivery: null,
  verification: { status: 'none', tree: null, time: null },
  artifacts: [],
  repository: null,
};

export function runDetail(change: Partial<RunDetail> = {}): RunDetail {
  return {
    dialog: null,
    id: 'bug-12',
    task: { id: 'BUG-12', title: 'Totals are rounded twice', labels: ['billing'], priority: 'high' },
    runtime: 'claude',
    agent: null,
    stage: 'await-development',
    stageNumber: 4,
    activity: 'idle',
    remedy: '',
    activityReason: 'the runtime ended its turn 3m ago',
    pendingToken: '[START DEVELOPMENT]',
    decisions: [
      {
        id: '1',
        question: 'Round where?',
        options: [
          { id: 'A', text: 'at the end' },
          { id: 'B', text: 'per line' },
        ],
        recommended: 'B',
      },
    ],
    reviewCount: 1,
    reviewLimit: 6,
    needsMe: true,
    needsMeReason: 'decision',
    since: at(20),
    halt: null,
    disputed: null,
    sandbox: 'bwrap',
    runtimeWarning: null,
    recording: 'recording',
    changes: 'watched',
    worktree: '/home/ada/runs/bug-12/worktree',
    dir: '/home/ada/runs/bug-12',
    lastLine: 'waiting',
    startedAt: at(120),
    state: state as RunState,
    stateError: null,
    gate: {
      name: 'development',
      round: 2,
      openedAt: at(20),
      subject: { files: [{ path: 'artifacts/idea.md', sha256: hash('4') }], tree: null },
    },
    exampleLine: '1B [START DEVELOPMENT]',
    allDecisions: [],
    why: [
      { source: 'event', says: 'idle', at: at(3), decided: true },
      { source: 'title', says: 'nothing', at: null, decided: false },
    ],
    artifacts: [{ name: 'idea.md', sha256: hash('4'), sizeBytes: 2048, recorded: 'changed' }],
    sessions: [
      {
        number: 1,
        runtimeSession: 'abc',
        startedAt: at(119),
        endedAt: at(60),
        exit: { code: null, signal: 'SIGKILL' },
        stage: 'diagnose',
        entry: 1,
        kind: 'first',
        conversation: 'main',
        writes: 'scratch',
      },
    ],
    refusals: [
      {
        at: at(25),
        verb: 'advance',
        error: {
          code: 'stage.incomplete',
          message: 'draft owes something',
          hint: 'write it',
          details: { problems: [{ file: 'idea.md', line: 7, rule: 'cites', message: 'E9 does not exist' }] },
        },
      },
    ],
    holderPid: 120,
    recordPolicy: 'full',
    limits: null,
    sessionPid: 123,
    ...change,
  };
}

export { state as shownState };
