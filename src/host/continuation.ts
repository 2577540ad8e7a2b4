// With which conversation a session that is started goes on: its own, as long as that can be had. Else a new one takes
// over from state.json and the artifacts, and the record says why.
import type { RunState } from '../core/state.ts';
import type { LaunchRecord } from './launch-record.ts';
import type { SessionRequest } from './session-control.ts';

export type Continuation = Pick<SessionRequest, 'kind' | 'runtimeSession' | 'conversation' | 'note'>;

export interface ContinuationFacts {
  readonly record: Pick<LaunchRecord, 'sessions' | 'mainSession'>;
  readonly state: Pick<RunState, 'stage' | 'entry'>;
  /** A review is judged by a conversation of its own. */
  readonly freshReview: boolean;
  /** Can this runtime go on with a conversation at all. */
  readonly resumable: boolean;
}

/** A program that ends so often without a word when it is to go on with a conversation will not do it the next time. */
const refusalLimit = 2;

/** `isThere` tells whether the runtime still has a conversation; it is asked only about one that would be resumed. */
export async function chooseContinuation(
  facts: ContinuationFacts,
  isThere: (id: string) => Promise<boolean>,
): Promise<Continuation> {
  const conversation = facts.freshReview && facts.state.stage === 'review' ? 'review' : 'main';
  const before = earlier(facts, conversation);
  const isFirst = facts.record.sessions.length === 0;
  const anew = (note: string | null): Continuation => {
    return { kind: isFirst ? 'first' : 'fresh', runtimeSession: null, conversation, note };
  };
  if (!before.begun || !facts.resumable) return anew(null);
  const { id } = before;
  if (id === null) return anew('the session before it ended before its conversation had a name');
  if (refusals(facts.record, id) >= refusalLimit)
    return anew(`the program did not go on with conversation ${id}, ${refusalLimit} times`);
  if (!(await isThere(id))) return anew(`nothing is left of conversation ${id}`);
  return { kind: 'resumed', runtimeSession: id, conversation, note: null };
}

function earlier({ record, state }: ContinuationFacts, conversation: Continuation['conversation']) {
  const own = record.sessions.filter((each) => each.conversation === conversation);
  if (conversation === 'main') return { begun: own.length > 0, id: record.mainSession };
  // Each round of the review has a conversation of its own.
  const last = own.findLast((each) => each.entry === state.entry);
  return { begun: last !== undefined, id: last?.runtimeSession ?? null };
}

function refusals({ sessions }: ContinuationFacts['record'], id: string): number {
  const own = sessions.filter((each) => each.runtimeSession === id);
  const heard = own.findLastIndex((each) => each.exit?.unheard !== true);
  return own.slice(heard + 1).filter((each) => each.kind === 'resumed').length;
}
