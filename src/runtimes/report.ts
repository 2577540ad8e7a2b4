// Folds a runtime's events into the one report that an activity is judged by. Safe against late and foreign events.
import type { RuntimeReport } from '../core/activity.ts';
import type { RuntimeEvent } from './event.ts';
import { troubleName } from './trouble.ts';

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
      // Without a prompt it may be the same turn, tried again.
      return { kind: 'working', text: 'turn', ...(event.prompt === null ? troubleOf(before) : {}) };
    case 'tool-called':
      // With several calls at once, one may wait for a person while the others go on.
      return before?.kind === 'blocked' ? null : { kind: 'working', text: `${event.name} ${event.summary}`.trim() };
    case 'tool-finished':
    case 'answered':
      return { kind: 'working', text: event.type === 'answered' ? 'answered' : `${event.name} done` };
    case 'asked':
      return { kind: 'blocked', text: event.text };
    case 'turn-ended':
      if (before?.trouble !== undefined && !event.interrupted)
        return { kind: 'failed', text: before.trouble.text, trouble: before.trouble };
      return { kind: 'idle', text: event.interrupted ? 'interrupted' : 'turn ended' };
    case 'session-ended':
      return { kind: 'ended', text: event.reason };
    case 'error':
      return before?.kind === 'working' || before?.kind === 'failed' ? failing(before, event) : null;
    case 'usage':
      // An answer: the trouble is over.
      return before?.kind === 'working' && before.trouble !== undefined && event.usage.outputTokens > 0
        ? { kind: 'working', text: 'answer' }
        : null;
  }
}

function troubleOf(before: RuntimeReport | null): Pick<RuntimeReport, 'trouble'> {
  return before?.trouble === undefined ? {} : { trouble: before.trouble };
}

/** The turn goes on until its end is told. */
function failing(before: RuntimeReport, event: Extract<RuntimeEvent, { type: 'error' }>): Kind {
  const { text, status, at } = event;
  const trouble = { name: troubleName(text, status), text, since: before.trouble?.since ?? at };
  return { kind: before.kind, text, trouble };
}
