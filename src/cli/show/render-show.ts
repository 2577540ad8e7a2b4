// `gatehouse show`: one run as text, what needs a person first. Pure.
import type { RunDetail } from '../../core/run.ts';
import { plain } from '../paint.ts';
import { decision, dialog, halted, overview, stateError, why } from './overview.ts';
import { approvals, artifacts, delivery, evidence, feedback, reviews } from './record.ts';
import { type Section, type View, indent } from './section.ts';
import { history, refusals, sessions } from './trail.ts';

export function renderShow(run: RunDetail, view: View = { paint: plain, now: Date.now() }): string {
  const sections: (Section | null)[] = [
    overview(run, view),
    stateError(run, view),
    halted(run, view),
    dialog(run),
    decision(run, view),
    why(run, view),
    refusals(run, view),
    approvals(run, view),
    feedback(run, view),
    reviews(run, view),
    artifacts(run, view),
    evidence(run, view),
    delivery(run),
    sessions(run),
    history(run),
  ];
  return sections
    .filter((section) => section !== null)
    .map(({ title, lines }) => [view.paint.bold(title), ...indent(lines)].join('\n'))
    .join('\n\n');
}
