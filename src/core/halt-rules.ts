// A halted run waits for a person. What may halt it, and where each act of a person leads.
import { reject } from './rejection.ts';
import type { WorkStage } from './stage.ts';
import { type Finding, type RunState, reviewCount, validApproval } from './state.ts';
import { type Of, type Verdict, accept, enter, halt, keep, refuse, session } from './verdict.ts';

export function halted(state: RunState, event: Of<'run.halted'>): Verdict {
  if (state.stage === 'halted') return keep(state);
  const isDelivery = event.halt.code === 'delivery-conflict' || event.halt.code === 'delivery-failed';
  // A delivery that has begun ends by itself, one way or the other; a push cannot be stopped half-way.
  if (state.stage === 'submit' && !isDelivery) {
    return refuse(reject('run.busy', 'the run is being delivered', 'wait until that has ended'));
  }
  return halt(state, state, event.at, event.halt);
}

export function granted(state: RunState, event: Of<'round.granted'>): Verdict {
  const was = state.halt;
  if (was?.code !== 'review-limit') {
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
  const step = {
    actor: 'operator' as const,
    at: event.at,
    reason: `${event.operator.name} granted review ${limit + 1}`,
  };
  // A review that blocked leads to a patch; a finished change that found no review left can be judged at once.
  if (was.from === 'review') {
    const next = enter(more, 'patch', step);
    return accept(state, next, [session(next, 'continue', 'blocked')]);
  }
  const next = enter(more, 'review', step);
  return accept(state, next, [session(next, state.reviewSession === 'fresh' ? 'fresh' : 'continue', 'proceed')]);
}

/** Stages after a completed change, from which a person may send the run back to `patch`. */
const patchable: readonly WorkStage[] = ['review', 'patch', 'verify', 'await-testing', 'submit'];

export function continued(state: RunState, event: Of<'run.continued'>): Verdict {
  const was = state.halt;
  if (was === null) return refuse(reject('usage.invalid', 'the run is not halted', 'see: gatehouse show RUN'));
  if (was.code === 'review-limit') {
    return refuse(
      reject('review.limit', 'the review limit stopped this run', 'grant another round: gatehouse grant RUN'),
    );
  }
  const step = {
    actor: 'operator' as const,
    at: event.at,
    reason: `${event.operator.name} let it go on after: ${was.reason}`,
  };
  if (event.to === 'patch') {
    if (!patchable.includes(was.from) || validApproval(state, 'development') === undefined) {
      return refuse(
        reject('stage.wrong', `from ${was.from} the run cannot go to patch`, 'let it go on where it stood'),
      );
    }
    const approvals = state.approvals.map((a) =>
      a.gate === 'testing' ? { ...a, staleSince: a.staleSince ?? event.at } : a,
    );
    const toAnswer = was.from === 'patch' ? state.toAnswer : [haltFinding(state)];
    const next = enter({ ...state, halt: null, gate: null, approvals, toAnswer }, 'patch', step);
    return accept(state, next, [session(next, 'continue', 'blocked')]);
  }
  // A gate that was open when the run halted waits again, with what was presented then.
  const next = enter({ ...state, halt: null }, was.from, step);
  if (was.from === 'submit') return accept(state, next, [{ type: 'delivery.start' }]);
  // Without a worktree there is nothing to work in yet.
  if (was.from === 'initialize') return accept(state, next, []);
  return accept(state, next, [
    session(
      next,
      was.from === 'review' && state.reviewSession === 'fresh' ? 'fresh' : 'continue',
      next.gate === null ? 'proceed' : 'wait',
    ),
  ]);
}

function haltFinding(state: RunState): Finding {
  const number = state.history.filter((h) => h.to === 'halted').length;
  return { id: `D${number}`, severity: 'blocking', title: state.halt?.reason ?? '', place: null };
}
