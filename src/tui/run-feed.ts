// What the console knows about all runs: the rows the host sent last, and whether they are still fresh.
import type { RunSummary } from '../core/run.ts';
import type { OperatorEvent } from '../protocol/operator.ts';

export type Link =
  /** No host is needed: a recording is played. */
  | { readonly state: 'none' }
  | { readonly state: 'connecting' }
  | { readonly state: 'connected' }
  | { readonly state: 'lost'; readonly since: number; readonly reason: string };

export interface Counts {
  readonly all: number;
  readonly needsMe: number;
  readonly gates: number;
  readonly working: number;
  readonly stuck: number;
  readonly done: number;
}

/** More than this share of the runs changing their activity at once is no coincidence: a detector broke or the machine slept. */
const flipShare = 0.5;
const flipWindowMs = 5_000;
/** Below this a "fleet" is too small for the share to mean anything. */
const flipMinimum = 6;

export class RunFeed {
  private readonly runs = new Map<string, RunSummary>();
  private flips: { run: string; to: string; at: number }[] = [];
  private lastFlip: { text: string; at: number } | null = null;
  private cachedCounts: Counts | null = null;
  private readonly listeners = new Set<() => void>();
  link: Link = { state: 'connecting' };
  /** Changes with every change of a row. */
  version = 0;

  /** Rows or the connection changed. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  setLink(link: Link): void {
    this.link = link;
    this.announce();
  }

  list(): RunSummary[] {
    return [...this.runs.values()];
  }

  get(id: string): RunSummary | undefined {
    return this.runs.get(id);
  }

  /** What is not in a complete list is not there any more. */
  replaceAll(runs: readonly RunSummary[]): void {
    this.runs.clear();
    for (const run of runs) this.runs.set(run.id, run);
    this.flips = [];
    this.cachedCounts = null;
    this.announce();
  }

  apply(event: OperatorEvent & { event: 'runs.changed' }, now: number): void {
    for (const run of event.changed) {
      const before = this.runs.get(run.id);
      if (before !== undefined && before.activity !== run.activity && isUnexplained(before, run))
        this.flips.push({ run: run.id, to: run.activity, at: now });
      this.runs.set(run.id, run);
    }
    for (const id of event.removed) this.runs.delete(id);
    this.cachedCounts = null;
    this.watchForFlip(now);
    this.announce();
  }

  /** A line about the whole fleet that a person must know before believing the rows. */
  banner(now: number): string | null {
    if (this.link.state === 'lost') {
      return `HOST LOST: ${this.link.reason}. The rows below are as of then; runs go on. Trying again...`;
    }
    if (this.lastFlip !== null && now - this.lastFlip.at < 60_000) return this.lastFlip.text;
    const rescanned = this.list().filter((run) => run.changes === 'rescanned').length;
    if (rescanned > 0) {
      return `No file watches left: artifacts of ${rescanned} of ${this.runs.size} runs are looked at every few seconds (gatehouse doctor)`;
    }
    return null;
  }

  counts(): Counts {
    this.cachedCounts ??= count(this.list());
    return this.cachedCounts;
  }

  private announce(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }

  private watchForFlip(now: number): void {
    this.flips = this.flips.filter((flip) => now - flip.at < flipWindowMs);
    if (this.runs.size < flipMinimum) return;
    for (const to of new Set(this.flips.map((flip) => flip.to))) {
      const runs = new Set(this.flips.filter((flip) => flip.to === to).map((flip) => flip.run));
      if (runs.size <= this.runs.size * flipShare) continue;
      this.lastFlip = {
        text: `${runs.size} of ${this.runs.size} runs turned "${to}" within ${flipWindowMs / 1000} s: do not trust it before looking at one (e)`,
        at: now,
      };
    }
  }
}

export function isDone(run: RunSummary): boolean {
  return run.stage === 'ready-for-testing';
}

/** Nothing moves, and it is neither done nor simply waiting at a gate. */
export function isStuck(run: RunSummary): boolean {
  if (isDone(run)) return false;
  if (run.halt !== null || run.stage === 'halted' || run.disputed !== null) return true;
  return ['blocked', 'exited', 'lost', 'unknown'].includes(run.activity);
}

function count(runs: readonly RunSummary[]): Counts {
  const of = (test: (run: RunSummary) => boolean) => runs.filter(test).length;
  return {
    all: runs.length,
    needsMe: of((run) => run.needsMe),
    gates: of((run) => run.pendingToken !== null),
    working: of((run) => run.activity === 'working'),
    stuck: of(isStuck),
    done: of(isDone),
  };
}

/** A run that starts, waits at its gate or has ended changes for a reason of its own, however many do so at once. */
function isUnexplained(before: RunSummary, run: RunSummary): boolean {
  const over = run.stage === 'halted' || run.stage === 'ready-for-testing';
  return before.activity !== 'starting' && run.pendingToken === null && !over;
}
