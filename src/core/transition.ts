// The workflow's rules: what an event means in a state. Pure: no clock, no file system, no process.
import type { RunEvent, StageOutcome } from './event.ts';
import { approved, represented, sentBack, staled } from './gate-rules.ts';
import { continued, granted, halted } from './halt-rules.ts';
import { reject } from './rejection.ts';
import { reviewed, toReview, voidReview } from './review-rules.ts';
import { stageRules } from './stage.ts';
import type { FileHash, RunState } from './state.ts';
import {
  type Of,
  type Step,
  type Verdict,
  accept,
  approvalMissing,
  enter,
  gateNotice,
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
      return evidenceRecorded(state, event);
    case 'baseline.synced':
      return synced(state, event);
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
    case 'session.stopped':
      return keep(state);
    case 'delivery.progressed':
      return state.stage === 'submit' ? keep({ ...state, delivery: event.delivery }) : wrongStage(state, 'delivery');
    case 'delivery.completed':
      return delivered(state, event);
    case 'state.restored':
      return keep(event.state);
  }
}

/** Skills of the active stage that were not read since it was entered, or not in the version that is there now. */
export function unreadSkills(state: RunState, present: readonly { name: string; sha256: string }[] = []): string[] {
  if (!isWork(state.stage)) return [];
  const read = state.skillsRead.filter((r) => r.entry === state.entry);
  return stageRules[state.stage].skills.filter((name) => {
    const now = present.find((p) => p.name === name);
    return !read.some((r) => r.name === name && (now === undefined || now.sha256 === r.sha256));
  });
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

function evidenceRecorded(state: RunState, event: Of<'evidence.recorded'>): Verdict {
  if (!isWork(state.stage) || stageRules[state.stage].actor !== 'agent') return wrongStage(state, 'recording evidence');
  if (event.evidence.stage !== state.stage) return wrongStage(state, `evidence of stage ${event.evidence.stage}`);
  if (event.evidence.id !== nextEvidenceId(state)) {
    return refuse(
      reject('evidence.invalid', `${event.evidence.id} is not the next id`, `it is ${nextEvidenceId(state)}`),
    );
  }
  return keep({ ...state, evidence: [...state.evidence, event.evidence] });
}

export function nextEvidenceId(state: RunState): string {
  return `E${state.evidence.length + 1}`;
}

function synced(state: RunState, event: Of<'baseline.synced'>): Verdict {
  if (state.stage !== 'review' && state.stage !== 'patch') return wrongStage(state, 'syncing with the baseline');
  return keep({
    ...state,
    sync: { commit: event.commit, time: event.at, conflicts: [...event.conflicts], entry: state.entry },
    product: event.tree,
  });
}

function completed(state: RunState, event: Of<'stage.completed'>): Verdict {
  const outcome = event.outcome;
  if (state.stage !== outcome.stage) return wrongStage(state, `leaving ${outcome.stage}`);
  const unread = unreadSkills(state, event.skills);
  if (unread.length > 0) return refuse(skillUnread(state, unread));
  const base = { ...state, artifacts: mergeArtifacts(state.artifacts, event.artifacts) };
  const files = event.artifacts.map(({ path, sha256 }) => ({ path, sha256 }));
  return leave(base, state, outcome, event.at, files);
}

function skillUnread(state: RunState, unread: readonly string[]) {
  return reject(
    'skill.unread',
    `stage ${state.stage} cannot be left before ${unread.join(', ')} was read in it, in the present version`,
    `run: lattice skill ${unread[0]}`,
  );
}

function leave(base: RunState, before: RunState, outcome: StageOutcome, at: string, files: FileHash[]): Verdict {
  const step = (reason: string): Step => ({ actor: 'agent', at, reason, files });
  switch (outcome.stage) {
    case 'diagnose': {
      const next = enter(base, 'draft', step('diagnosis complete'));
      return accept(before, next, [session(next, 'continue', 'proceed')]);
    }
    case 'draft':
      return drafted(base, before, outcome, step('proposal complete'));
    case 'implement':
    case 'patch': {
      const unapproved = approvalMissing(base, 'development');
      if (unapproved) return unapproved;
      const authors =
        outcome.session === null || base.authors.includes(outcome.session)
          ? base.authors
          : [...base.authors, outcome.session];
      const changed = { ...base, product: outcome.tree, authors };
      return toReview(changed, before, step(outcome.stage === 'patch' ? 'patch complete' : 'implementation complete'));
    }
    case 'review':
      return reviewed(base, before, outcome, step(''));
    case 'verify':
      return verified(base, before, outcome, step);
  }
}

function drafted(
  base: RunState,
  before: RunState,
  outcome: Extract<StageOutcome, { stage: 'draft' }>,
  step: Step,
): Verdict {
  const withIdea = {
    ...base,
    decisions: [...outcome.decisions],
    userFacing: outcome.userFacing,
    visible: outcome.visible,
  };
  const next = openGate(enter(withIdea, 'await-development', step), 'development', outcome.subject, step.at);
  return accept(before, next, [session(next, 'continue', 'wait'), gateNotice(next)]);
}

function verified(
  base: RunState,
  before: RunState,
  outcome: Extract<StageOutcome, { stage: 'verify' }>,
  step: (reason: string) => Step,
): Verdict {
  const { at } = step('');
  if (!outcome.passed) {
    const ids = outcome.failures.map((f) => f.id).join(', ');
    const failed = {
      ...base,
      toAnswer: [...outcome.failures],
      verification: { status: 'failed' as const, tree: null, time: at },
    };
    const next = enter(failed, 'patch', step(`verification failed: ${ids}`));
    return accept(before, next, [session(next, 'continue', 'blocked')]);
  }
  const stale = voidReview(base, outcome.subject.tree);
  if (stale) return stale;
  const passed = {
    ...base,
    delivery: outcome.delivery,
    verification: { status: 'passed' as const, tree: outcome.subject.tree, time: at },
  };
  const next = openGate(enter(passed, 'await-testing', step('behaviour verified')), 'testing', outcome.subject, at);
  return accept(before, next, [session(next, 'continue', 'wait'), gateNotice(next)]);
}

function delivered(state: RunState, event: Of<'delivery.completed'>): Verdict {
  if (state.stage !== 'submit') return wrongStage(state, 'delivery');
  const unapproved = approvalMissing(state, 'testing');
  if (unapproved) return unapproved;
  const unread = unreadSkills(state);
  if (unread.length > 0) return refuse(skillUnread(state, unread));
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
