import type { RunState } from '../core/state.ts';

/** What a replay can jump to: the stage, and at a gate what a person decided. */
export function markerOf(state: RunState, stage: string): string {
  const last = state.history.at(-1);
  const approval = last?.to === stage ? last.approval : null;
  return approval === null || approval === undefined
    ? `stage ${stage}`
    : `gate opened with ${approval.line}: stage ${stage}`;
}
