// What brings a session that is not there back: the run by itself, a decision that is due anyway, or a command. One rule
// for the rows of console and CLI.
import type { Activity } from './activity.ts';
import type { Stage } from './stage.ts';

export interface RemedyFacts {
  readonly run: string;
  readonly stage: Stage;
  readonly activity: Activity;
  readonly pendingToken: string | null;
  readonly stateError: string | null;
  /** The host will start the session again on its own. */
  readonly restartPending: boolean;
}

/** Empty when nothing has to be done, or when something else than the session is what is wrong. */
export function remedyFor(facts: RemedyFacts): string {
  const isGone = facts.activity === 'exited' || facts.activity === 'lost';
  if (!isGone || facts.stateError !== null || facts.stage === 'ready-for-testing' || facts.stage === 'halted')
    return '';
  if (facts.restartPending) return 'it is started again by itself in a moment';
  if (facts.pendingToken !== null) return 'your decision starts it again';
  return `gatehouse resume ${facts.run} continues it`;
}
