// The workflow's rules: what an event means in a state. Pure: no clock, no file system, no process.
import { judgeLine } from './approval-line.ts';
import type { Effect, PromptKind, RunEvent, StageOutcome } from './event.ts';
import { type Rejection, reject } from './rejection.ts';
import { type Stage, type WorkStage, stageRules } from './stage.ts';
import {
  type ArtifactRecord,
  type FileHash,
  type RunState,
  type Subject,
  type TransitionRecord,
  openDecisions,
  reviewCount,
  validApproval,
} from './state.ts';
import { sameSubject, subjectDifference } from './subject.ts';

export type Verdict =
  | { readonly ok: true; readonly state: RunState; readonly effects: readonly Effect[] }
  | { readonly ok: false; readonly rejection: Rejection };

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export function transition(state: RunState, event: RunEvent): Verdict {
  if (state.stage === 'ready-for-testing' && event.type !== 'state.restored') {
    return refuse(reject('run.ended', 'this run is ready for testing and has ended', 'start a new run for further work'));
  }
  switch (event.type) {
    case 'task.initialized':
      return initialized(state, event);
    case 'skill.read':
      return skillRead(state, event);
    case 'evidence.recorded':
      return keep({ ...state, evidence: [...state.evidence, event.evidence] });
    case 'baseline.synced':
      return keep({
        ...state,
        sync: { commit: event.commit, time: event.at, conflicts: [...event.conflicts], entry: state.entry },
      });
    case 'stage.completed':
      return completed(state, event);
    case 'gate.approved':
      return approved(state, event);
    case 'gate.sent-back':
      return sentBack(state, event);
    case 'gate.represented':
      return represented(state, event);
    case 'approval.staled':
      return staled(state, event);
    case 'round.granted':
      return granted(state, event);
    case 'run.halted':
      return halted(state, event);
    case 'run.continued':
      return continued(state, event);
    case 'delivery.progressed':
      return state.stage === 'submit' ? keep({ ...state, delivery: event.delivery }) : wrongStage(state, 'delivery');
    case 'delivery.completed':
      return delivered(state, event);
    case 'state.restored':
      return keep(event.state);
  }
}

function initialized(state: RunState, event: Of<'task.initialized'>): Verdict {
  if (state.stage !== 'initialize') return wrongStage(state, 'initialisation');
  const next = enter({ ...state, repository: event.repository }, 'diagnose', {
    actor: 'engine',
    at: event.at,
    reason: `task and worktree in order; baseline ${event.repository.baselineBranch} at ${event.repository.baselineCommit.slice(0, 12)}`,
  });
  return accept(state, next, [session(next, 'continue', 'start')]);
}

function skillRead(state: RunState, event: Of<'skill.read'>): Verdict {
  if (!isWork(state.stage)) return wrongStage(state, 'reading a skill');
  if (!stageRules[state.stage].skills.includes(event.read.name)) {
    const own = stageRules[state.stage].skills.join(', ') || 'none';
    return refuse(
      reject('stage.wrong', `${event.read.name} does not belong to stage ${state.stage}`, `the skills of this stage: ${own}`),
    );
  }
  const read = { ...event.read, time: event.at, stage: state.stage, entry: state.entry };
  return keep({ ...state, skillsRead: [...state.skillsRead, read] });
}

function completed(state: RunState, event: Of<'stage.completed'>): Verdict {
  const outcome = event.outcome;
  if (state.stage !== outcome.stage) return wrongStage(state, `leaving ${outcome.stage}`);
  const unread = unreadSkills(state);
  if (unread.length > 0) {
    return refuse(
      reject('skill.unread', `stage ${state.stage} cannot be left before ${unread.join(', ')} was read in it`, `run: lattice skill ${unread[0]}`),
    );
  }
  const base = { ...state, artifacts: mergeArtifacts(state.artifacts, event.artifacts) };
  const files = event.artifacts.map(({ path, sha256 }) => ({ path, sha256 }));
  return leave(base, state, outcome, event.at, files);
}

function leave(base: RunState, before: RunState, outcome: StageOutcome, at: string, files: FileHash[]): Verdict {
  const step = (reason: string): Step => ({ actor: 'agent', at, reason, files });
  switch (outcome.stage) {
    case 'diagnose': {
      const next = enter(base, 'draft', step('diagnosis complete'));
      return accept(before, next, [session(next, 'continue', 'proceed')]);
    }
    case 'draft': {
      const withIdea = { ...base, decisions: [...outcome.decisions], userFacing: outcome.userFacing, visible: outcome.visible };
      const next = openGate(enter(withIdea, 'await-development', step('proposal complete')), 'development', outcome.subject, at);
      return accept(before, next, [session(next, 'continue', 'wait'), gateNotice(next)]);
    }
    case 'implement': {
      const unapproved = approvalMissing(base, 'development');
      if (unapproved) return unapproved;
      const next = enter(base, 'review', step('implementation complete'));
      return accept(before, next, [session(next, 'fresh', 'proceed')]);
    }
    case 'patch': {
      const next = enter(base, 'review', step('patch complete'));
      return accept(before, next, [session(next, 'fresh', 'proceed')]);
    }
    case 'review':
      return reviewed(base, before, outcome, at, files);
    case 'verify': {
      if (!outcome.passed) {
        const failed = { ...base, verification: { status: 'failed' as const, tree: null, time: at } };
        const next = enter(failed, 'patch', step(`verification failed: ${outcome.reason}`));
        return accept(before, next, [session(next, 'continue', 'blocked')]);
      }
      const verified = {
        ...base,
        delivery: outcome.delivery,
        verification: { status: 'passed' as const, tree: outcome.subject.tree, time: at },
      };
      const next = openGate(enter(verified, 'await-testing', step('behaviour verified')), 'testing', outcome.subject, at);
      return accept(before, next, [session(next, 'continue', 'wait'), gateNotice(next)]);
    }
  }
}

function reviewed(base: RunState, before: RunState, outcome: Extract<StageOutcome, { stage: 'review' }>, at: string, files: FileHash[]): Verdict {
  const { count, limit } = reviewCount(base);
  if (count >= limit) return refuse(reject('review.limit', `all ${limit} reviews are used`, 'a person can grant another round'));
  if (base.sync?.entry !== base.entry) {
    return refuse(reject('stage.incomplete', 'the baseline was not synced before this review', 'run: lattice sync, then judge the tree it reports'));
  }
  const round = { ...outcome.round, round: count + 1, time: at };
  const withRound = { ...base, reviews: { ...base.reviews, rounds: [...base.reviews.rounds, round] } };
  const blockers = round.findings.filter((f) => f.severity === 'blocking');
  const step = { actor: 'agent' as const, at, files };
  if (blockers.length === 0) {
    const next = enter(withRound, 'verify', { ...step, reason: `review ${round.round} found no blocker` });
    return accept(before, next, [session(next, 'continue', 'proceed')]);
  }
  const found = `review ${round.round} found ${blockers.map((f) => f.id).join(', ')} blocking`;
  if (round.round >= limit) {
    return halt(withRound, before, at, {
      code: 'review-limit',
      reason: `review cap reached: ${found}, and ${limit} reviews are used`,
      hint: 'read the reports; grant another round (grant), or stop the run and take it over',
      evidence: null,
    });
  }
  const next = enter(withRound, 'patch', { ...step, reason: found });
  return accept(before, next, [session(next, 'continue', 'blocked')]);
}

function approved(state: RunState, event: Of<'gate.approved'>): Verdict {
  const gate = state.gate;
  if (gate === null || gate.name !== event.gate || gate.round !== event.round) return noSuchGate(state, event.gate, event.round);
  const decisions = openDecisions(state);
  const line = judgeLine(event.line, gate.name, state.tokens, decisions);
  if (!line.ok) return refuse(reject(line.code, line.why, 'nothing was changed; type the line in full'));
  if (!sameSubject(event.shown, event.present) || !sameSubject(event.shown, gate.subject)) {
    const difference = subjectDifference(event.shown, event.present).join(', ') || subjectDifference(event.shown, gate.subject).join(', ');
    return refuse(reject('gate.stale', `what was shown is not what is there now: ${difference}`, 'look at the new version, then approve that'));
  }
  const token = state.tokens[gate.name];
  const approval = {
    gate: gate.name,
    round: gate.round,
    line: event.line,
    token,
    choices: { ...line.choices },
    operator: event.operator,
    time: event.at,
    subject: gate.subject,
    staleSince: null,
  };
  const withApproval: RunState = {
    ...state,
    gate: null,
    approvals: [...state.approvals, approval],
    decisions: state.decisions.map((d) => ({ ...d, chosen: line.choices[d.id] ?? d.chosen })),
  };
  const step: Step = {
    actor: 'operator',
    at: event.at,
    reason: `${event.operator.name} approved with ${event.line}`,
    files: gate.subject.files,
    approval: { token, line: event.line, operator: event.operator.name, time: event.at, subject: gate.subject },
  };
  if (gate.name === 'development') {
    const next = enter(withApproval, 'implement', step);
    return accept(state, next, [session(next, 'continue', 'approved')]);
  }
  const next = enter(withApproval, 'submit', step);
  return accept(state, next, [{ type: 'delivery.start' }]);
}

function sentBack(state: RunState, event: Of<'gate.sent-back'>): Verdict {
  const gate = state.gate;
  if (gate === null || gate.name !== event.gate || gate.round !== event.round) return noSuchGate(state, event.gate, event.round);
  if (event.text.trim() === '') return refuse(reject('usage.invalid', 'feedback needs a reason', 'say what has to change'));
  const note = { gate: gate.name, round: gate.round, text: event.text, operator: event.operator.name, time: event.at };
  const next = enter({ ...state, gate: null, feedback: [...state.feedback, note] }, gate.name === 'development' ? 'draft' : 'patch', {
    actor: 'operator',
    at: event.at,
    reason: `${event.operator.name} sent it back: ${event.text}`,
  });
  return accept(state, next, [session(next, 'continue', 'feedback')]);
}

function represented(state: RunState, event: Of<'gate.represented'>): Verdict {
  if (state.gate === null) return refuse(reject('gate.not-open', 'no gate waits', 'nothing to present'));
  const decisions = state.gate.name === 'development' ? [...event.decisions] : state.decisions;
  const base = { ...state, decisions, artifacts: mergeArtifacts(state.artifacts, event.artifacts) };
  return keep(openGate(base, state.gate.name, event.subject, event.at));
}

function staled(state: RunState, event: Of<'approval.staled'>): Verdict {
  if (validApproval(state, 'development') === undefined) {
    return refuse(reject('gate.not-open', 'there is no approval in force', 'nothing to withdraw'));
  }
  const stale = {
    ...state,
    halt: null,
    approvals: state.approvals.map((a) => ({ ...a, staleSince: a.staleSince ?? event.at })),
    decisions: state.decisions.map((d) => ({ ...d, chosen: null })),
  };
  const reason = `approved ${event.changed.map((f) => f.path).join(', ')} changed; the gate is closed again`;
  const next = openGate(enter(stale, 'await-development', { actor: 'engine', at: event.at, reason, files: [...event.changed] }), 'development', event.subject, event.at);
  return accept(state, next, [session(next, 'continue', 'stale'), gateNotice(next)]);
}

function granted(state: RunState, event: Of<'round.granted'>): Verdict {
  if (state.halt?.code !== 'review-limit') {
    return refuse(reject('usage.invalid', 'another round can be granted only when the review limit has stopped the run', 'see: gatehouse show RUN'));
  }
  const { limit } = reviewCount(state);
  const more = { ...state, halt: null, reviews: { ...state.reviews, granted: state.reviews.granted + 1 } };
  const next = enter(more, 'patch', { actor: 'operator', at: event.at, reason: `${event.operator.name} granted review ${limit + 1}` });
  return accept(state, next, [session(next, 'continue', 'blocked')]);
}

function halted(state: RunState, event: Of<'run.halted'>): Verdict {
  if (state.stage === 'halted') return keep(state);
  return halt(state, state, event.at, event.halt);
}

function continued(state: RunState, event: Of<'run.continued'>): Verdict {
  const was = state.halt;
  if (was === null) return refuse(reject('usage.invalid', 'the run is not halted', 'see: gatehouse show RUN'));
  if (was.code === 'review-limit') {
    return refuse(reject('review.limit', 'the review limit stopped this run', 'grant another round: gatehouse grant RUN'));
  }
  const to = event.to === 'patch' ? 'patch' : was.from;
  if (to === 'patch' && validApproval(state, 'development') === undefined) {
    return refuse(reject('stage.wrong', 'there is no approval to change product code', 'continue where the run stood'));
  }
  const withdrawn = to === 'patch' ? state.approvals.map((a) => (a.gate === 'testing' ? { ...a, staleSince: a.staleSince ?? event.at } : a)) : state.approvals;
  const cleared = { ...state, halt: null, approvals: withdrawn };
  const entered = enter(cleared, to, { actor: 'operator', at: event.at, reason: `${event.operator.name} let it go on after: ${was.reason}` });
  // A gate that was open when the run halted waits again, with what was presented then.
  const next = state.gate !== null && to !== 'patch' ? { ...entered, gate: state.gate } : { ...entered, gate: null };
  if (to === 'submit') return accept(state, next, [{ type: 'delivery.start' }]);
  return accept(state, next, [session(next, 'continue', next.gate === null ? 'proceed' : 'wait')]);
}

function delivered(state: RunState, event: Of<'delivery.completed'>): Verdict {
  if (state.stage !== 'submit') return wrongStage(state, 'delivery');
  const unapproved = approvalMissing(state, 'testing');
  if (unapproved) return unapproved;
  const base = { ...state, delivery: event.delivery, artifacts: mergeArtifacts(state.artifacts, event.artifacts) };
  const next = enter(base, 'ready-for-testing', {
    actor: 'engine',
    at: event.at,
    reason: `merged into ${event.delivery.pushedTo ?? 'the development branch'}`,
    files: event.artifacts.map(({ path, sha256 }) => ({ path, sha256 })),
  });
  return accept(state, next, [
    { type: 'session.end', reason: 'the run has ended' },
    { type: 'operator.notify', why: 'done', text: `${state.task.id} is ready for testing` },
  ]);
}

/** Skills of the active stage that were not read since it was entered. */
export function unreadSkills(state: RunState): string[] {
  if (!isWork(state.stage)) return [];
  const read = new Set(state.skillsRead.filter((r) => r.entry === state.entry).map((r) => r.name));
  return stageRules[state.stage].skills.filter((name) => !read.has(name));
}

type Step = Pick<TransitionRecord, 'actor' | 'reason'> & { at: string; files?: FileHash[]; approval?: TransitionRecord['approval'] };

function enter(state: RunState, to: Stage, step: Step): RunState {
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

function halt(base: RunState, before: RunState, at: string, facts: Of<'run.halted'>['halt']): Verdict {
  const from = isWork(before.stage) ? before.stage : 'initialize';
  const next = { ...enter(base, 'halted', { actor: 'engine', at, reason: facts.reason }), halt: { ...facts, from, time: at } };
  return accept(before, next, [session(next, 'continue', 'wait'), { type: 'operator.notify', why: 'halted', text: facts.reason }]);
}

function openGate(state: RunState, name: 'development' | 'testing', subject: Subject, at: string): RunState {
  const round = state.gateRounds[name] + 1;
  return { ...state, gate: { name, round, openedAt: at, subject }, gateRounds: { ...state.gateRounds, [name]: round } };
}

function mergeArtifacts(old: readonly ArtifactRecord[], fresh: readonly ArtifactRecord[]): ArtifactRecord[] {
  const names = new Set(fresh.map((a) => a.name));
  return [...old.filter((a) => !names.has(a.name)), ...fresh];
}

function isWork(stage: Stage): stage is WorkStage {
  return stage !== 'halted' && stage !== 'ready-for-testing';
}

function session(state: RunState, kind: 'continue' | 'fresh', prompt: PromptKind): Effect {
  return { type: 'session.enter', stage: state.stage, session: kind, prompt };
}

function gateNotice(state: RunState): Effect {
  return { type: 'operator.notify', why: 'gate', text: `${state.task.id} waits for ${state.gate === null ? 'a decision' : state.tokens[state.gate.name]}` };
}

function accept(before: RunState, state: RunState, effects: readonly Effect[]): Verdict {
  const automation: Effect[] = before.stage === state.stage ? [] : [{ type: 'automation.fire', from: before.stage, to: state.stage }];
  return { ok: true, state, effects: [...effects, ...automation] };
}

function keep(state: RunState): Verdict {
  return { ok: true, state, effects: [] };
}

function refuse(rejection: Rejection): Verdict {
  return { ok: false, rejection };
}

function wrongStage(state: RunState, what: string): Verdict {
  return refuse(reject('stage.wrong', `${what} does not belong to stage ${state.stage}`, 'run: lattice status'));
}

function approvalMissing(state: RunState, gate: 'development' | 'testing'): Verdict | null {
  if (validApproval(state, gate) !== undefined) return null;
  return refuse(reject('gate.stale', `there is no approval in force for the ${gate} gate`, 'a person has to approve first'));
}

function noSuchGate(state: RunState, gate: string, round: number): Verdict {
  const last = state.approvals.findLast((a) => a.gate === gate && a.round === round);
  if (last !== undefined) {
    return refuse(reject('gate.already-decided', `${last.operator.name} approved this gate at ${last.time}`, 'nothing was changed'));
  }
  const back = state.feedback.findLast((f) => f.gate === gate && f.round === round);
  if (back !== undefined) {
    return refuse(reject('gate.already-decided', `${back.operator} sent this gate back at ${back.time}`, 'nothing was changed'));
  }
  if (state.gate !== null) {
    return refuse(reject('gate.stale', `the ${state.gate.name} gate waits in round ${state.gate.round}, not ${gate} in round ${round}`, 'look at what waits now'));
  }
  return refuse(reject('gate.not-open', `no gate waits; the run is in ${state.stage}`, 'see: gatehouse show RUN'));
}
