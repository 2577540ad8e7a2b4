// Why this status: which evidence spoke, and which one decided. Pure.
import type { RunDetail, RunSummary } from '../../core/run.ts';
import { inertLine } from '../../core/inert.ts';
import { localTime } from '../../core/local-time.ts';
import { activityOf } from '../grid/labels.ts';
import { needLine, rule } from '../grid/facts.ts';
import { fit, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';

export function whyRows(run: RunSummary, detail: RunDetail | null, cols: number, theme: Theme): string[] {
  const rows = [
    rule('status', cols, theme),
    ...wrap(`${activityOf(run, theme)} because ${inertLine(run.activityReason)}`, cols - 1).map((line) => ` ${line}`),
    ...wrap(needLine(run, theme), cols - 1).map((line) => ` ${line}`),
    ...(run.remedy === '' ? [] : wrap(inertLine(run.remedy), cols - 1).map((line) => ` ${theme.attention(line)}`)),
  ];
  if (detail === null) return rows;
  if (detail.stateError !== null) {
    rows.push('', rule('state error', cols, theme));
    rows.push(...block(`${detail.stateError.message}. ${detail.stateError.hint}`, cols, theme.bad));
  }
  if (detail.state?.halt) {
    const { halt } = detail.state;
    rows.push(
      '',
      rule('halted', cols, theme),
      ...block(halt.reason, cols, theme.bad),
      ...block(`What you can do: ${halt.hint}`, cols, theme.attention),
    );
    if (halt.evidence !== null) rows.push(...block(`kept as ${halt.evidence}`, cols, theme.quiet));
  }
  rows.push('', rule('evidence, in the order in which it is weighed', cols, theme));
  for (const note of detail.why) {
    const mark = note.decided ? theme.attention('▸ decided') : '         ';
    const at = note.at === null ? '' : theme.quiet(` ${localTime(note.at)}`);
    rows.push(...wrap(` ${mark} ${fit(note.source, 8)} ${inertLine(note.says)}${at}`, cols - 1));
  }
  if (detail.refusals.length > 0) {
    rows.push('', rule('last refusals', cols, theme));
    for (const refusal of detail.refusals) {
      rows.push(
        ` ${theme.quiet(localTime(refusal.at))} lattice ${inertLine(refusal.verb)}: ${theme.bad(refusal.error.code)}`,
      );
      rows.push(...block(`${refusal.error.message}. ${refusal.error.hint}`, cols, (text) => text));
    }
  }
  rows.push('', rule('where', cols, theme));
  const facts: [string, string][] = [
    ['run', run.id],
    ['folder', run.dir],
    ['worktree', run.worktree],
    ['recording', run.recording],
    ['sandbox', sandboxText(run)],
    ['runtime', run.agent === null ? run.runtime : `${run.runtime} as ${run.agent}`],
    ['processes', `holder ${detail.holderPid ?? 'none'}, session ${detail.sessionPid ?? 'none'}`],
  ];
  rows.push(...facts.map(([name, value]) => ` ${theme.quiet(fit(name, 10))} ${inertLine(value)}`));
  return rows;
}

function sandboxText(run: RunSummary): string {
  if (run.sandbox === 'bwrap') return 'bubblewrap: the file system is read-only but for this run';
  return run.sandbox === 'hooks'
    ? "not sandboxed: only the runtime's hooks and the comparison with the baseline guard it (see gatehouse doctor)"
    : 'not sandboxed: only the comparison with the baseline guards it (see gatehouse doctor)';
}

function block(text: string, cols: number, style: (text: string) => string): string[] {
  return wrap(inertLine(text), Math.max(8, cols - 3)).map((line) => `  ${style(line)}`);
}
