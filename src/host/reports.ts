// What the runtime of one run has told about itself. Keeps the newest word; an event of an earlier start of the
// program, or one that arrives out of order, changes nothing.
import type { RuntimeReport } from '../core/activity.ts';
import type { RuntimeEvent } from '../runtimes/event.ts';

/** Enough to confirm a message; the transcript has the rest. */
const keptEvents = 200;

export class Reports {
  private last: RuntimeReport | null = null;
  private lastSequence = -1;
  private readonly events: RuntimeEvent[] = [];
  private marker: string | null = null;
  private listeners = new Set<(event: RuntimeEvent) => void>();
  lastMessage: string | null = null;
  /** The last thing it said or did, in one line; more telling than the last row of its screen. */
  says: string | null = null;

  get report(): RuntimeReport | null {
    return this.last;
  }

  get idle(): boolean {
    return this.last?.kind === 'idle' || this.last?.kind === 'ended';
  }

  /** A program was started: what an earlier one said does not hold for it. `marker` tells their events apart. */
  begin(marker: string | null): void {
    this.last = null;
    this.lastSequence = -1;
    this.marker = marker;
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
    if (event.sequence !== null) {
      if (event.sequence <= this.lastSequence) return false;
      this.lastSequence = event.sequence;
    }
    this.events.push(event);
    if (this.events.length > keptEvents) this.events.shift();
    if (event.type === 'turn-ended') this.lastMessage = event.lastMessage;
    this.says = lineOf(event) ?? this.says;
    const report = reportOf(event);
    if (report !== null) this.last = report;
    for (const listener of this.listeners) listener(event);
    return true;
  }

  since(at: number): RuntimeEvent[] {
    return this.events.filter((event) => event.at >= at);
  }
}

function reportOf(event: RuntimeEvent): RuntimeReport | null {
  const at = event.at;
  switch (event.type) {
    case 'turn-started':
    case 'tool-called':
    case 'tool-finished':
    case 'answered':
      return { kind: 'working', text: '', at };
    case 'asked':
      return { kind: 'blocked', text: event.text, at };
    case 'turn-ended':
      return { kind: 'idle', text: '', at };
    case 'session-ended':
      return { kind: 'ended', text: event.reason, at };
    case 'session-started':
    case 'usage':
    case 'error':
      return null;
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
