// The workflow's rules: what an event means in a state. Pure: no clock, no file system, no process.
import type { RunEvent, StageOutcome } from './event.ts';
import { approved, represented, sentBack, staled } from './gate-rules.ts';
import { reject } from './rejection.ts';
import { stageRules } from './stage.ts';
import { type FileHash, type RunState, reviewCount, validApproval } from './state.ts';
import {
  type Of,
  type Step,
  type Verdict,
  accept,
  approvalMissing,
  enter,
  gateNotice,
  halt,
  isWork,
  keep,
  mergeArtifacts,
  openGate,
  refuse,
  session,
  wrongStage,
} from './verdict.ts';

export type { Verdict } from './verdict.ts';

export function transition(state: RunState, event: RunEvent): Verdict {
  if (state.stage === 'ready-for-testing' && event.type !== 'state.restored') {
    return refuse(
      reject('run.ended', 'this run is ready for testing and has ended', 'start a new run for further work'),
    );
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
      reject(
        'stage.wrong',
        `${event.read.name} does not belong to stage ${state.stage}`,
        `the skills of this stage: ${own}`,
      ),
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
      reject(
        'skill.unread',
        `stage ${state.stage} cannot be left before ${unread.join(', ')} was read in it`,
        `run: lattice skill ${unread[0]}`,
      ),
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
      const withIdea = {
        ...base,
        decisions: [...outcome.decisions],
        userFacing: outcome.userFacing,
        visible: outcome.visible,
      };
      const next = openGate(
        enter(withIdea, 'await-development', step('proposal complete')),
        'development',
        outcome.subject,
        at,
      );
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
      const next = openGate(
        enter(verified, 'await-testing', step('behaviour verified')),
        'testing',
        outcome.subject,
        at,
      );
      return accept(before, next, [session(next, 'continue', 'wait'), gateNotice(next)]);
    }
  }
}

function reviewed(
  base: RunState,
  before: RunState,
  outcome: Extract<StageOutcome, { stage: 'review' }>,
  at: string,
  files: FileHash[],
): Verdict {
  const { count, limit } = reviewCount(base);
  if (count >= limit)
    return refuse(reject('review.limit', `all ${limit} reviews are used`, 'a person can grant another round'));
  if (base.sync?.entry !== base.entry) {
    return refuse(
      reject(
        'stage.incomplete',
        'the baseline was not synced before this review',
        'run: lattice sync, then judge the tree it reports',
      ),
    );
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

function granted(state: RunState, event: Of<'round.granted'>): Verdict {
  if (state.halt?.code !== 'review-limit') {
    return refuse(
      reject(
        'usage.invalid',
        'another round can be granted only when the review limit has stopped the run',
        'see: gatehouse show RUN',
      ),
    );
  }
  const { limit } = reviewCount(state);
  const more = { ...state, halt: null, reviews: { ...state.reviews, granted: state.reviews.granted + 1 } };
  const next = enter(more, 'patch', {
    actor: 'operator',
    at: event.at,
    reason: `${event.operator.name} granted review ${limit + 1}`,
  });
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
    return refuse(
      reject('review.limit', 'the review limit stopped this run', 'grant another round: gatehouse grant RUN'),
    );
  }
  const to = event.to === 'patch' ? 'patch' : was.from;
  if (to === 'patch' && validApproval(state, 'development') === undefined) {
    return refuse(reject('stage.wrong', 'there is no approval to change product code', 'continue where the run stood'));
  }
  const withdrawn =
    to === 'patch'
      ? state.approvals.map((a) => (a.gate === 'testing' ? { ...a, staleSince: a.staleSince ?? event.at } : a))
      : state.approvals;
  const cleared = { ...state, halt: null, approvals: withdrawn };
  const entered = enter(cleared, to, {
    actor: 'operator',
    at: event.at,
    reason: `${event.operator.name} let it go on after: ${was.reason}`,
  });
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
