// Commit messages and the like: said in one place, so that a run reads the same everywhere.
import { inertLine } from '../core/inert.ts';
import { type RunState, validApproval } from '../core/state.ts';

/** git cuts subjects at about this in its own lists. */
const subjectLength = 72;

export function commitMessage(state: RunState): string {
  const title = inertLine(`${state.task.id}: ${state.task.title}`);
  const subject = title.length <= subjectLength ? title : `${title.slice(0, subjectLength - 3).trimEnd()}...`;
  const approvals = (['development', 'testing'] as const).flatMap((gate) => {
    const approval = validApproval(state, gate);
    return approval === undefined ? [] : [`Approved-${gate}: ${inertLine(approval.operator.name)}, ${approval.time}`];
  });
  return `${subject}\n\nTask: ${state.task.id}\nRun: ${state.run}\n${approvals.map((line) => `${line}\n`).join('')}`;
}

export function mergeMessage(state: RunState): string {
  return `Merge ${inertLine(state.task.id)}: ${inertLine(state.task.title)}\n\nRun: ${state.run}\n`;
}
