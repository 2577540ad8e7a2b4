import type { Tokens } from './approval-line.ts';
import { type RunState, reviewLimit, stateVersion } from './state.ts';
import type { Task } from './task.ts';

export interface Beginning {
  readonly run: string;
  readonly task: Task;
  readonly tokens: Tokens;
  readonly reviewSession: 'fresh' | 'same';
  /** ISO time. */
  readonly at: string;
}

/** A run before its worktree is there. */
export function initialState({ run, task, tokens, reviewSession, at }: Beginning): RunState {
  return {
    version: stateVersion,
    run,
    task,
    repository: null,
    tokens: { ...tokens },
    stage: 'initialize',
    since: at,
    entry: 1,
    gate: null,
    gateRounds: { development: 0, testing: 0 },
    presented: [],
    approvals: [],
    decisions: [],
    userFacing: false,
    visible: false,
    artifacts: [],
    evidence: [],
    reviews: { limit: reviewLimit, granted: 0, rounds: [] },
    sync: null,
    verification: { status: 'none', tree: null, time: null },
    skillsRead: [],
    feedback: [],
    toAnswer: [],
    product: null,
    authors: [],
    reviewSession,
    delivery: null,
    halt: null,
    history: [
      { from: null, to: 'initialize', reason: 'task taken up', time: at, actor: 'engine', files: [], approval: null },
    ],
  };
}
