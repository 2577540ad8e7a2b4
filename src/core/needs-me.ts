// Does this run need a person, and why. One rule for the grid, `ls --needs-me` and notifications.
import type { Activity } from './activity.ts';
import type { Stage } from './stage.ts';

export interface NeedFacts {
  readonly stage: Stage;
  readonly pendingToken: string | null;
  readonly halt: string | null;
  readonly stateError: string | null;
  readonly disputed: string | null;
  readonly activity: Activity;
  readonly activityReason: string;
  readonly activitySince: number;
  /** The operator has ended the session on purpose. */
  readonly stopped: boolean;
  /** The host will start the session again on its own. */
  readonly restartPending: boolean;
  readonly now: number;
}

/** An agent that ended its turn in a stage of its own gets this long before a person is asked to look. */
export const idleGraceMs = 30_000;

/** Empty when nobody is needed. */
export function needsMeReason(facts: NeedFacts): string {
  if (facts.stateError !== null) return 'state error';
  if (facts.stage === 'halted') return 'halted';
  if (facts.pendingToken !== null) return 'decision';
  if (facts.stage === 'ready-for-testing' || facts.stopped) return '';
  if (facts.disputed !== null) return 'disputed';
  switch (facts.activity) {
    case 'blocked':
      return 'asks';
    case 'lost':
      return facts.restartPending ? '' : 'lost';
    case 'exited':
      return facts.restartPending ? '' : 'ended early';
    case 'idle':
      return facts.now - facts.activitySince >= idleGraceMs ? 'idle' : '';
    case 'unknown':
      return facts.activityReason.startsWith('start failed') ? 'start failed' : '';
    case 'starting':
    case 'working':
      return '';
  }
}
