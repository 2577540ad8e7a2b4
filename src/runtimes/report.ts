// Folds a runtime's events into the one report that an activity is judged by. Safe against late and foreign events.
import type { RuntimeReport } from '../core/activity.ts';
import type { RuntimeEvent } from './event.ts';

export interface ReportState {
  readonly report: RuntimeReport | null;
  /** The conversation that spoke last. */
  readonly session: string | null;
  readonly sequence: number | null;
}

export const noReport: ReportState = { report: null, session: null, sequence: null };

/** `marker` is that of the session that is alive now; an event of an earlier start says nothing about it. */
export function reportAfter(state: ReportState, event: RuntimeEvent, marker: string | null): ReportState {
  if (marker !== null && event.marker !== null && event.marker !== marker) return state;
  if (event.sequence !== null && state.sequence !== null && event.sequence < state.sequence) return state;
  if (state.report !== null && event.at < state.report.at) return state;
  const next = kindAfter(state.report, event);
  return {
    session: event.session ?? state.session,
    sequence: event.sequence ?? state.sequence,
    report: next === null ? state.report : { ...next, at: event.at },
  };
}

export function activityReport(events: readonly RuntimeEvent[], marker: string | null = null): RuntimeReport | null {
  return events.reduce((state, event) => reportAfter(state, event, marker), noReport).report;
}

type Kind = Omit<RuntimeReport, 'at'>;

/** null: the event says nothing about what the runtime does now. */
function kindAfter(before: RuntimeReport | null, event: RuntimeEvent): Kind | null {
  switch (event.type) {
    case 'session-started':
      return { kind: 'idle', text: 'session started' };
    case 'turn-started':
      return { kind: 'working', text: 'turn' };
    case 'tool-called':
      // With several calls at once, one may wait for a person while the others go on.
      return before?.kind === 'blocked' ? null : { kind: 'working', text: `${event.name} ${event.summary}`.trim() };
    case 'tool-finished':
    case 'answered':
      return { kind: 'working', text: event.type === 'answered' ? 'answered' : `${event.name} done` };
    case 'asked':
      return { kind: 'blocked', text: event.text };
    case 'turn-ended':
      return { kind: 'idle', text: event.interrupted ? 'interrupted' : 'turn ended' };
    case 'session-ended':
      return { kind: 'ended', text: event.reason };
    case 'usage':
    case 'error':
      return null;
  }
}
