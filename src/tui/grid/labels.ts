// Words and symbols for the state of a run, the same everywhere in the console.
import { age } from '../../core/activity.ts';
import { inertLine } from '../../core/inert.ts';
import type { RunSummary } from '../../core/run.ts';
import { isDone, isStuck } from '../run-feed.ts';
import type { Style, Theme } from '../text/theme.ts';

/** As in core/stage.ts, which is not imported: its schemas would be loaded before the first key. */
const stageCount = 10;

export function markOf(run: RunSummary, theme: Theme): string {
  if (run.needsMe) return theme.attention('!');
  if (isDone(run)) return theme.good('✓');
  if (isStuck(run)) return theme.bad('×');
  return ' ';
}

const activitySymbols: Readonly<Record<RunSummary['activity'], string>> = {
  starting: '◌',
  working: '●',
  idle: '○',
  blocked: '■',
  exited: '-',
  lost: '×',
  unknown: '?',
};

export function activityOf(run: RunSummary, theme: Theme): string {
  return activityStyle(run, theme)(`${activitySymbols[run.activity]} ${run.activity}`);
}

function activityStyle(run: RunSummary, theme: Theme): Style {
  switch (run.activity) {
    case 'working':
      return theme.live;
    case 'blocked':
      return theme.attention;
    case 'lost':
      return theme.bad;
    case 'exited':
      return isDone(run) ? theme.quiet : theme.bad;
    case 'unknown':
      return theme.bad;
    case 'starting':
    case 'idle':
      return theme.quiet;
  }
}

/** `cells` wide: how far the run is, out of ten stages. */
export function stageBar(run: RunSummary, cells: number, theme: Theme): string {
  const done = isDone(run) ? stageCount : run.stageNumber;
  const full = Math.round((done / stageCount) * cells);
  const style =
    run.halt !== null
      ? theme.bad
      : isDone(run)
        ? theme.good
        : run.pendingToken !== null
          ? theme.attention
          : theme.accent;
  return style('━'.repeat(full)) + theme.quiet('┄'.repeat(cells - full));
}

export function stageNumberOf(run: RunSummary): string {
  return `${run.stageNumber}/${stageCount}`;
}

/** The name a person uses: a gate is called a gate. */
export function stageWord(run: RunSummary): string {
  if (run.stage === 'await-development') return 'gate 1';
  if (run.stage === 'await-testing') return 'gate 2';
  if (run.stage === 'ready-for-testing') return 'ready';
  return run.stage;
}

export function stageStyle(run: RunSummary, theme: Theme): Style {
  if (run.stage === 'halted') return theme.bad;
  if (isDone(run)) return theme.good;
  return run.pendingToken === null ? (text) => text : theme.attention;
}

/** What stands in the way: the token, or what else the run waits for. */
export function waitsFor(run: RunSummary): string {
  if (run.pendingToken !== null) return run.pendingToken;
  if (run.halt !== null) return `halted: ${run.halt}`;
  if (run.disputed !== null) return `disputed: ${run.disputed}`;
  return run.needsMe ? needOf(run) : '';
}

/** Why a person is needed; for a dialog also which. */
export function needOf(run: RunSummary): string {
  return run.activity === 'blocked' ? `${run.needsMeReason}: ${run.activityReason}` : run.needsMeReason;
}

export function priorityOf(run: RunSummary, theme: Theme): string {
  const { priority } = run.task;
  if (priority === 'urgent') return theme.bad(priority);
  return priority === 'high' ? theme.attention(priority) : theme.quiet(priority);
}

/** A name out of config.json may hold anything. */
export function agentOf(run: RunSummary): string {
  return inertLine(run.agent ?? run.runtime);
}

export function reviewsOf(run: RunSummary, theme: Theme): string {
  const text = `${run.reviewCount}/${run.reviewLimit}`;
  if (run.reviewCount === 0) return theme.quiet(text);
  return run.reviewCount >= run.reviewLimit - 1 ? theme.bad(text) : text;
}

export function sandboxOf(run: RunSummary, theme: Theme): string {
  return run.sandbox === 'bwrap' ? theme.quiet('bwrap') : theme.bad(run.sandbox === 'hooks' ? 'no box' : 'OPEN');
}

/** Coarse on purpose: the text changes once a minute, so that a quiet console writes nothing. */
export function stageAge(run: RunSummary, now: number): string {
  const ms = now - Date.parse(run.since);
  return ms < 60_000 ? '<1m' : age(ms);
}
