// What came of one attack in one mode.
import type { Observation, Verdict } from './attack.ts';

export type Mode = 'bwrap' | 'hooks';

export interface Seen {
  readonly observation: Observation;
  readonly what: readonly string[];
}

export interface Outcome {
  readonly id: string;
  readonly title: string;
  readonly where: 'direct' | 'product';
  readonly mode: Mode;
  readonly verdict: Verdict;
  readonly seen: readonly Seen[];
  /** Last words of the session, for whoever looks into a failure. */
  readonly output: string;
}
