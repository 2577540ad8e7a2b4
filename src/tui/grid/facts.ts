// What a person wants to know about the selected run before opening it. Pure: a run gives lines for the strip below the
// grid or, in a wide window, for the pane beside it.
import type { RunDetail, RunSummary } from '../../core/run.ts';
import { inertLine } from '../../core/inert.ts';
import { cellWidth, fit, truncate, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import * as label from './labels.ts';

export function stripRows(run: RunSummary, cols: number, theme: Theme): string[] {
  return [
    rule(`${run.task.id} ${inertLine(run.task.title)}`, cols, theme),
    truncate(` ${needLine(run, theme)}`, cols),
    truncate(` ${label.activityOf(run, theme)} ${theme.quiet(inertLine(reasonAndRemedy(run)))}`, cols),
    truncate(` ${theme.quiet('last:')} ${inertLine(run.lastLine)}`, cols),
  ];
}

export function paneRows(
  run: RunSummary,
  detail: RunDetail | null,
  preview: readonly string[] | null,
  size: { cols: number; rows: number },
  theme: Theme,
): string[] {
  const inner = size.cols - 2;
  const wrapped = (text: string, indent = 1) =>
    wrap(text, inner - indent).map((line) => `${' '.repeat(indent)}${line}`);
  const rows = [
    rule(run.task.id, size.cols, theme),
    ...wrapped(inertLine(run.task.title)).map(theme.bold),
    ` ${label.stageNumberOf(run)} ${label.stageBar(run, 20, theme)} ${label.stageStyle(run, theme)(run.stage)}`,
    ` ${label.priorityOf(run, theme)} ${theme.quiet('·')} ${label.agentOf(run)} ${theme.quiet('·')} ${label.sandboxOf(run, theme)} ${theme.quiet('· reviews')} ${label.reviewsOf(run, theme)} ${theme.quiet('·')} ${run.recording}`,
    '',
    ...(run.runtimeWarning === null ? [] : wrapped(inertLine(run.runtimeWarning)).map(theme.attention)),
    ...(run.needsMe && run.halt === null ? wrapped(inertLine(`! ${label.needOf(run)}`)).map(theme.attention) : []),
    ...(run.pendingToken === null ? [] : [` ${theme.quiet('token')} ${theme.attention(inertLine(run.pendingToken))}`]),
    ...(run.halt === null ? [] : wrapped(`! halted: ${inertLine(run.halt)}`).map(theme.bad)),
    ...(detail?.state?.halt ? wrapped(inertLine(detail.state.halt.hint)).map(theme.quiet) : []),
    ...(run.disputed === null ? [] : wrapped(`disputed: ${inertLine(run.disputed)}`).map(theme.bad)),
    ...decisionRows(run, inner, theme),
    '',
    ` ${label.activityOf(run, theme)}`,
    ...wrapped(inertLine(reasonAndRemedy(run)), 3).map(theme.quiet),
    ...(detail === null ? [] : refusalRows(detail, inner, theme)),
    '',
    ` ${theme.quiet('worktree')} ${truncate(inertLine(run.worktree), inner - 10)}`,
  ];
  return [...rows, ...previewRows(preview, size, size.rows - rows.length, theme)].map((row) => fit(row, size.cols));
}

/** What blocks it stands with the need already. */
function reasonAndRemedy(run: RunSummary): string {
  const reason = run.activity === 'blocked' && run.needsMe ? [] : [`because ${run.activityReason}`];
  return [...reason, ...(run.remedy === '' ? [] : [run.remedy])].join('; ');
}

export function decisionRows(run: Pick<RunSummary, 'decisions'>, cols: number, theme: Theme): string[] {
  if (run.decisions.length === 0) return [];
  const rows = [` ${theme.quiet('decisions')}`];
  for (const decision of run.decisions) {
    const question = wrap(inertLine(decision.question), cols - 5);
    question.forEach((line, index) => rows.push(`  ${index === 0 ? theme.bold(decision.id) : ' '} ${line}`));
    for (const option of decision.options) {
      const best = option.id === decision.recommended;
      const text = `${inertLine(option.text)}${best ? ' (recommended)' : ''}`;
      wrap(text, cols - 8).forEach((line, index) => {
        rows.push(`     ${index === 0 ? theme.bold(option.id) : ' '} ${best ? theme.good(line) : line}`);
      });
    }
  }
  return rows;
}

export function needLine(run: RunSummary, theme: Theme): string {
  const parts: string[] = [];
  if (run.needsMe && run.halt === null) parts.push(theme.attention(`! ${inertLine(label.needOf(run))}`));
  if (run.pendingToken !== null) parts.push(theme.attention(inertLine(run.pendingToken)));
  if (run.halt !== null) parts.push(theme.bad(`! halted: ${inertLine(run.halt)}`));
  if (run.disputed !== null) parts.push(theme.bad(`disputed: ${inertLine(run.disputed)}`));
  if (run.decisions.length > 0) {
    const choices = run.decisions.map(
      (d) => `${d.id}${d.options.map((o) => (o.id === d.recommended ? `${o.id}*` : o.id)).join('/')}`,
    );
    parts.push(`choose ${choices.join(' ')}`);
  }
  return parts.length === 0 ? theme.quiet('needs nobody at the moment') : parts.join(theme.quiet(' · '));
}

function refusalRows(detail: RunDetail, cols: number, theme: Theme): string[] {
  const [last] = detail.refusals;
  if (last === undefined) return [];
  return wrap(`last refusal (${last.verb}): ${inertLine(last.error.message)}`, cols - 3).map(
    (line) => `   ${theme.quiet(line)}`,
  );
}

function previewRows(preview: readonly string[] | null, size: { cols: number }, room: number, theme: Theme): string[] {
  if (preview === null || room < 4) return [];
  const height = room - 1;
  const used = preview.slice(0, preview.findLastIndex((row) => row.trim() !== '') + 1);
  return [rule('screen', size.cols, theme), ...used.slice(-height).map((row) => fit(row, size.cols))];
}

export function rule(text: string, cols: number, theme: Theme): string {
  const head = truncate(`── ${text} `, cols);
  return (
    theme.quiet(head.slice(0, 3)) +
    theme.bold(head.slice(3)) +
    theme.quiet('─'.repeat(Math.max(0, cols - cellWidth(head))))
  );
}
