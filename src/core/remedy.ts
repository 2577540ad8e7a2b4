// What brings a session back that is not there, or that waits: the run by itself, a decision that is due anyway, or a
// command. One rule for the rows of console and CLI.
import type { Activity, Unblock } from './activity.ts';
import type { Stage } from './stage.ts';

export interface RemedyFacts {
  readonly run: string;
  readonly stage: Stage;
  readonly activity: Activity;
  readonly unblock: Unblock | null;
  readonly pendingToken: string | null;
  readonly stateError: string | null;
  /** The host will start the session again on its own. */
  readonly restartPending: boolean;
}

/** Empty when nothing has to be done, or when something else than the session is what is wrong. */
export function remedyFor(facts: RemedyFacts): string {
  if (facts.activity === 'blocked' && facts.unblock !== null) return unblockedBy[facts.unblock](facts.run);
  const isGone = facts.activity === 'exited' || facts.activity === 'lost';
  if (!isGone || facts.stateError !== null || facts.stage === 'ready-for-testing' || facts.stage === 'halted')
    return '';
  if (facts.restartPending) return 'it is started again by itself in a moment';
  if (facts.pendingToken !== null) return 'your decision starts it again';
  return `gatehouse resume ${facts.run} continues it`;
}

const unblockedBy: Readonly<Record<Unblock, (run: string) => string>> = {
  answer: (run) => `gatehouse answer ${run} shows the choices and takes one`,
  attach: (run) => `gatehouse attach ${run}: it is answered there`,
  message: (run) => `mend it (gatehouse attach ${run}) or wait, then: gatehouse send ${run} TEXT`,
};
