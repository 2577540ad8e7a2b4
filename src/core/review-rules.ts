// Reviews: who may judge, what was judged, and how often. The count is that of the rounds on record.
import type { StageOutcome } from './event.ts';
import { reject } from './rejection.ts';
import { type RunState, reviewCount } from './state.ts';
import { type Step, type Verdict, accept, enter, halt, refuse, session } from './verdict.ts';

/** A completed change goes to review, unless no review is left: then a person has to grant one. */
export function toReview(base: RunState, before: RunState, step: Step): Verdict {
  const { count, limit } = reviewCount(base);
  if (count >= limit) {
    return halt(base, before, step.at, {
      code: 'review-limit',
      reason: `review cap reached: ${limit} reviews are used and the changed product needs another`,
      hint: 'grant another round (gatehouse grant RUN), or stop the run and take it over',
      evidence: null,
    });
  }
  const next = enter(base, 'review', step);
  return accept(before, next, [session(next, base.reviewSession === 'fresh' ? 'fresh' : 'continue', 'proceed')]);
}

export function reviewed(
  base: RunState,
  before: RunState,
  outcome: Extract<StageOutcome, { stage: 'review' }>,
  step: Step,
): Verdict {
  const refusal = reviewRefusal(base, outcome.round);
  if (refusal) return refusal;
  const { count, limit } = reviewCount(base);
  const round = { ...outcome.round, round: count + 1, time: step.at };
  const blockers = round.findings.filter((f) => f.severity === 'blocking');
  const withRound = {
    ...base,
    reviews: { ...base.reviews, rounds: [...base.reviews.rounds, round] },
    toAnswer: blockers.length === 0 ? [] : [...round.findings],
  };
  if (blockers.length === 0) {
    const next = enter(withRound, 'verify', { ...step, reason: `review ${round.round} found no blocker` });
    return accept(before, next, [session(next, 'continue', 'proceed')]);
  }
  const found = `review ${round.round} found ${blockers.map((f) => f.id).join(', ')} blocking`;
  if (round.round >= limit) {
    return halt(withRound, before, step.at, {
      code: 'review-limit',
      reason: `review cap reached: ${found}, and ${limit} reviews are used`,
      hint: 'read the reports; grant another round (gatehouse grant RUN), or stop the run and take it over',
      evidence: null,
    });
  }
  const next = enter(withRound, 'patch', { ...step, reason: found });
  return accept(before, next, [session(next, 'continue', 'blocked')]);
}

/** What is verified and delivered must be the tree that the last review judged and passed. */
export function voidReview(state: RunState, tree: string | null): Verdict | null {
  const last = state.reviews.rounds.at(-1);
  if (last !== undefined && last.verdict === 'pass' && last.tree === tree) return null;
  const judged = last === undefined ? 'no review' : `review ${last.round} judged tree ${last.tree.slice(0, 12)}`;
  return refuse(
    reject(
      'stage.incomplete',
      `${judged}, but the tree is ${tree?.slice(0, 12) ?? 'unknown'} now: that review is void`,
      'put the tree back, or write `Result: fail` with what changed, so that it is patched and reviewed again',
    ),
  );
}

type Round = Extract<StageOutcome, { stage: 'review' }>['round'];

function reviewRefusal(state: RunState, round: Round): Verdict | null {
  const { count, limit } = reviewCount(state);
  const incomplete = (message: string, hint: string) => refuse(reject('stage.incomplete', message, hint));
  if (count >= limit)
    return refuse(reject('review.limit', `all ${limit} reviews are used`, 'a person can grant another round'));
  if (state.sync?.entry !== state.entry) {
    return incomplete(
      'the baseline was not synced before this review',
      'run: lattice sync, then judge the tree it reports',
    );
  }
  if (round.tree !== state.product) {
    return incomplete(
      `the report judges tree ${round.tree.slice(0, 12)}, but the product is ${state.product?.slice(0, 12) ?? 'unknown'}`,
      'judge the present tree',
    );
  }
  const blocked = round.findings.some((f) => f.severity === 'blocking');
  if (blocked !== (round.verdict === 'blocked')) {
    return incomplete('the verdict contradicts the findings', 'blocked exactly when a finding is blocking');
  }
  if (!blocked && state.sync.conflicts.length > 0) {
    return incomplete(
      `the baseline could not be merged: ${state.sync.conflicts.join(', ')}`,
      'write a blocking finding for each conflicted file; conflicts are solved in patch',
    );
  }
  return state.reviewSession === 'fresh' ? notIndependent(state, round.session) : null;
}

function notIndependent(state: RunState, session: string | null): Verdict | null {
  if (session !== null && !state.authors.includes(session)) return null;
  return refuse(
    reject(
      'stage.incomplete',
      session === null
        ? 'it is not known which session judged; a clean-room review needs one of its own'
        : 'the session that judged is one that wrote the change; a clean-room review needs one of its own',
      'end your turn; the review continues in a fresh session',
    ),
  );
}
