// What happened: refusals, sessions, history.
import { type RunDetail, howEnded } from '../../core/run.ts';
import type { Problem } from '../../core/rejection.ts';
import { section } from './record.ts';
import { type Section, type View, clock, indent, inert, rows, when } from './section.ts';

const refusalsShown = 5;
const problemsShown = 10;

export function refusals(run: RunDetail, view: View): Section | null {
  const shown = run.refusals.slice(0, refusalsShown);
  const lines = shown.flatMap(({ at, verb, error }) => {
    const problems = (error.details as { problems?: readonly Problem[] } | undefined)?.problems ?? [];
    const left = problems.length - problemsShown;
    return [
      `${when(at, view.now)}, ${inert(verb)}: ${inert(error.message)} (${error.code})`,
      ...indent([
        ...problems.slice(0, problemsShown).map(problemLine),
        ...(left > 0 ? [`and ${left} more`] : []),
        inert(error.hint),
      ]),
    ];
  });
  return section(shown.length < run.refusals.length ? `Refusals, the last ${shown.length}` : 'Refusals', lines);
}

function problemLine(problem: Problem): string {
  const place = problem.line === null ? problem.file : `${problem.file}:${problem.line}`;
  return inert(`${place} ${problem.rule}: ${problem.message}`);
}

export function sessions(run: RunDetail): Section | null {
  const cells = run.sessions.map((each) => [
    String(each.number),
    each.kind,
    each.stage,
    `writes ${each.writes}`,
    clock(each.startedAt),
    each.endedAt === null ? 'not ended' : clock(each.endedAt),
    each.exit === null ? '' : howEnded(each.exit),
    each.runtimeSession === null ? '' : inert(each.runtimeSession, 60),
  ]);
  const notes = run.sessions.flatMap(({ number, note }) =>
    note === undefined ? [] : [`session ${number} began without memory: ${inert(note)}`],
  );
  return section('Sessions', [...rows(cells), ...notes]);
}

export function history(run: RunDetail): Section | null {
  const cells = (run.state?.history ?? []).map((step) => [
    clock(step.time),
    `${step.from ?? '-'} -> ${step.to}`,
    step.actor,
    inert(step.reason, 300),
  ]);
  return section('History', rows(cells));
}
