// What the runtime of one run has told about itself. Keeps the newest word; an event of an earlier start of the
// program, or one that arrives out of order, changes nothing.
import type { RuntimeReport } from '../core/activity.ts';
import type { RuntimeEvent } from '../runtimes/event.ts';
import { type ReportState, noReport, reportAfter } from '../runtimes/report.ts';

/** Enough to confirm a message; the transcript has the rest. */
const keptEvents = 200;
/** A program that was started with a prompt says that it is there, then that it works: no flash of idle in between. */
const settleMs = 3_000;

export class Reports {
  private state: ReportState = noReport;
  /** When the program said that it has started, and nothing since. */
  private onlyStartedAt: number | null = null;
  private readonly events: RuntimeEvent[] = [];
  private marker: string | null = null;
  private listeners = new Set<(event: RuntimeEvent) => void>();
  /** The last thing it said or did, in one line; more telling than the last row of its screen. */
  says: string | null = null;

  get report(): RuntimeReport | null {
    return this.state.report;
  }

  /** The report that an activity is judged by. Some programs end a failed turn and begin it anew in the same moment. */
  settled(now: number): RuntimeReport | null {
    const { report } = this.state;
    if (report?.kind === 'failed' && now - report.at < settleMs) return { ...report, kind: 'working' };
    return this.onlyStartedAt !== null && now - this.onlyStartedAt < settleMs ? null : report;
  }

  get idle(): boolean {
    return this.report?.kind === 'idle' || this.report?.kind === 'ended';
  }

  /** The program has told more than that it ends. */
  get heard(): boolean {
    return this.events.some(({ type }) => type !== 'session-ended');
  }

  /** The turn is over, done or not: a message would begin the next. */
  turnIsOver(now: number): boolean {
    return this.idle || this.settled(now)?.kind === 'failed';
  }

  /** A program was started: what an earlier one said does not hold for it. `marker` tells their events apart. */
  begin(marker: string): void {
    if (this.marker === marker) return;
    this.marker = marker;
    this.state = noReport;
    this.onlyStartedAt = null;
    this.events.length = 0;
    this.says = null;
  }

  onEvent(listener: (event: RuntimeEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** @returns false for an event that came too late to count. */
  take(event: RuntimeEvent): boolean {
    if (this.marker !== null && event.marker !== null && event.marker !== this.marker) return false;
    const { sequence } = this.state;
    if (event.sequence !== null && sequence !== null && event.sequence <= sequence) return false;
    this.events.push(event);
    if (this.events.length > keptEvents) this.events.shift();
    this.says = lineOf(event) ?? this.says;
    this.state = reportAfter(this.state, event, this.marker);
    this.onlyStartedAt = event.type === 'session-started' ? event.at : null;
    for (const listener of this.listeners) listener(event);
    return true;
  }

  since(at: number): RuntimeEvent[] {
    return this.events.filter((event) => event.at >= at);
  }
}

function lineOf(event: RuntimeEvent): string | null {
  switch (event.type) {
    case 'tool-called':
      return event.summary === '' ? event.name : `${event.name}: ${event.summary}`;
    case 'asked':
    case 'error':
      return event.text;
    case 'turn-ended':
      return event.lastMessage?.split('\n').find((line) => line.trim() !== '') ?? null;
    case 'turn-started':
    case 'tool-finished':
    case 'answered':
    case 'session-started':
    case 'session-ended':
    case 'usage':
      return null;
  }
}
