// Which runs the grid shows, in which order. Pure.
import type { RunSummary } from '../../core/run.ts';
import { isDone, isStuck } from '../run-feed.ts';

export const views = ['all', 'needs me', 'gates', 'stuck', 'done'] as const;
export type View = (typeof views)[number];

export const orders = ['attention', 'task', 'stage', 'age', 'priority'] as const;
export type Order = (typeof orders)[number];

export interface Arrangement {
  readonly view: View;
  readonly order: Order;
  readonly filter: string;
}

export function arrange(runs: readonly RunSummary[], how: Arrangement): RunSummary[] {
  const needle = how.filter.toLowerCase();
  return runs
    .filter((run) => inView(run, how.view) && (needle === '' || matches(run, needle)))
    .toSorted((a, b) => compare(a, b, how.order));
}

export function matches(run: RunSummary, needle: string): boolean {
  const { task } = run;
  const text = [
    task.id,
    task.title,
    ...task.labels,
    task.priority,
    run.runtime,
    run.stage,
    run.activity,
    run.id,
    run.lastLine,
  ];
  return text.some((part) => part.toLowerCase().includes(needle));
}

function inView(run: RunSummary, view: View): boolean {
  switch (view) {
    case 'all':
      return true;
    case 'needs me':
      return run.needsMe;
    case 'gates':
      return run.pendingToken !== null;
    case 'stuck':
      return isStuck(run);
    case 'done':
      return isDone(run);
  }
}

function compare(a: RunSummary, b: RunSummary, order: Order): number {
  return byOrder(a, b, order) || byNumber.compare(a.task.id, b.task.id) || compareText(a.id, b.id);
}

/** TB-9 before TB-10. */
const byNumber = new Intl.Collator('en', { numeric: true });

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function byOrder(a: RunSummary, b: RunSummary, order: Order): number {
  switch (order) {
    case 'attention': {
      const difference = urgency(a) - urgency(b);
      if (difference !== 0) return difference;
      // Whoever has waited longest comes first; the rest stay where they are.
      return a.needsMe ? compareText(a.since, b.since) : 0;
    }
    case 'task':
      return 0;
    case 'stage':
      return stageRank(b) - stageRank(a);
    case 'age':
      return compareText(a.since, b.since);
    case 'priority':
      return priorityRank(a) - priorityRank(b);
  }
}

function urgency(run: RunSummary): number {
  if (run.needsMe) return 0;
  if (isDone(run)) return 3;
  return isStuck(run) ? 1 : 2;
}

function stageRank(run: RunSummary): number {
  // Past the last of the ten.
  return run.stage === 'ready-for-testing' ? run.stageNumber + 1 : run.stageNumber;
}

function priorityRank(run: RunSummary): number {
  return ['urgent', 'high', 'normal', 'low'].indexOf(run.task.priority);
}
