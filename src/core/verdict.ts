// The pieces every rule is made of: entering a stage, opening a gate, accepting, refusing. Pure.
import type { Effect, PromptKind, RunEvent } from './event.ts';
import { type Rejection, reject } from './rejection.ts';
import type { Stage, WorkStage } from './stage.ts';
import {
  type ArtifactRecord,
  type FileHash,
  type RunState,
  type Subject,
  type TransitionRecord,
  validApproval,
} from './state.ts';

export type Verdict =
  | { readonly ok: true; readonly state: RunState; readonly effects: readonly Effect[] }
  | { readonly ok: false; readonly rejection: Rejection };

export type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export type Step = Pick<TransitionRecord, 'actor' | 'reason'> & {
  at: string;
  files?: FileHash[];
  approval?: TransitionRecord['approval'];
};

export function enter(state: RunState, to: Stage, step: Step): RunState {
  const record: TransitionRecord = {
    from: state.stage,
    to,
    reason: step.reason,
    time: step.at,
    actor: step.actor,
    files: step.files ?? [],
    approval: step.approval ?? null,
  };
  return { ...state, stage: to, since: step.at, entry: state.entry + 1, history: [...state.history, record] };
}

export function halt(base: RunState, before: RunState, at: string, facts: Of<'run.halted'>['halt']): Verdict {
  const from = isWork(before.stage) ? before.stage : 'initialize';
  const next = {
    ...enter(base, 'halted', { actor: 'engine', at, reason: facts.reason }),
    halt: { ...facts, from, time: at },
  };
  return accept(before, next, [
    session(next, 'continue', 'wait'),
    { type: 'operator.notify', why: 'halted', text: facts.reason },
  ]);
}

export function openGate(state: RunState, name: 'development' | 'testing', subject: Subject, at: string): RunState {
  const round = state.gateRounds[name] + 1;
  return {
    ...state,
    gate: { name, round, openedAt: at, subject },
    gateRounds: { ...state.gateRounds, [name]: round },
    presented: [...state.presented, { gate: name, round, time: at, subject }],
  };
}

export function mergeArtifacts(old: readonly ArtifactRecord[], fresh: readonly ArtifactRecord[]): ArtifactRecord[] {
  const names = new Set(fresh.map((a) => a.name));
  return [...old.filter((a) => !names.has(a.name)), ...fresh];
}

export function isWork(stage: Stage): stage is WorkStage {
  return stage !== 'halted' && stage !== 'ready-for-testing';
}

export function session(state: RunState, kind: 'continue' | 'fresh', prompt: PromptKind): Effect {
  return { type: 'session.enter', stage: state.stage, session: kind, prompt };
}

export function gateNotice(state: RunState): Effect {
  return {
    type: 'operator.notify',
    why: 'gate',
    text: `${state.task.id} waits for ${state.gate === null ? 'a decision' : state.tokens[state.gate.name]}`,
  };
}

export function accept(before: RunState, state: RunState, effects: readonly Effect[]): Verdict {
  const automation: Effect[] =
    before.stage === state.stage ? [] : [{ type: 'automation.fire', from: before.stage, to: state.stage }];
  return { ok: true, state, effects: [...effects, ...automation] };
}

export function keep(state: RunState): Verdict {
  return { ok: true, state, effects: [] };
}

export function refuse(rejection: Rejection): Verdict {
  return { ok: false, rejection };
}

export function wrongStage(state: RunState, what: string): Verdict {
  return refuse(reject('stage.wrong', `${what} does not belong to stage ${state.stage}`, 'run: lattice status'));
}

export function approvalMissing(state: RunState, gate: 'development' | 'testing'): Verdict | null {
  if (validApproval(state, gate) !== undefined) return null;
  return refuse(
    reject('gate.stale', `there is no approval in force for the ${gate} gate`, 'a person has to approve first'),
  );
}
