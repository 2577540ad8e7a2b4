// Where the decision is taken: what waits, what is asked, and the whole text of it. Pure but for cached fetches.
import type { RunDetail, RunSummary } from '../../core/run.ts';
import { inertLine, inertText } from '../../core/inert.ts';
import { decisionRows, rule } from '../grid/facts.ts';
import { fit, truncate, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import { dialogRows } from '../prompt/answer-prompt.ts';
import { changeRows } from '../prompt/change-rows.ts';
import { diffStyle } from './diff-rows.ts';
import { evidenceRow, artifactRows } from './items.ts';
import { pairRows } from './image-rows.ts';
import type { ImageCache } from './images.ts';
import type { RunData } from './run-data.ts';

/** Of each output; the rest is a key away, under Evidence. */
const excerptLines = 5;

export function decisionTabRows(
  data: RunData,
  images: ImageCache,
  size: { cols: number; rows: number },
  theme: Theme,
  live: readonly string[] | null,
): readonly string[] {
  const { run, detail } = data;
  if (detail === null) return ['', data.failure === null ? theme.quiet(' reading...') : theme.bad(` ${data.failure}`)];
  const head = waitRows(run, detail, size.cols, theme);
  const names = documentsFor(run, detail);
  const pictures =
    detail.gate?.name === 'testing'
      ? pairRows(detail, images, { cols: size.cols, rows: Math.max(16, Math.floor(size.rows * 0.55)) }, theme)
      : [];
  const tests = detail.gate?.name === 'testing' ? verificationRows(detail, theme) : [];
  const screen =
    detail.gate === null && live !== null
      ? [rule('screen', size.cols, theme), ...live.map((row) => fit(row, size.cols)), '']
      : [];
  if (names.length === 0) return [...head, ...screen, theme.quiet(' no artifact yet: the agent is at work')];
  return [
    ...head,
    ...screen,
    ...tests,
    ...pictures,
    ...names.flatMap((name) => [
      rule(name, size.cols, theme),
      ...changedRows(data, name, size.cols, theme),
      ...artifactRows(data, name, size.cols, theme),
    ]),
    ...(detail.gate?.name === 'development' ? foundRows(detail, size.cols, theme) : []),
  ];
}

function waitRows(run: RunSummary, detail: RunDetail, cols: number, theme: Theme): string[] {
  const rows: string[] = [];
  if (detail.stateError !== null) {
    rows.push(
      ...wrap(
        `State error: ${inertLine(detail.stateError.message)}. ${inertLine(detail.stateError.hint)}`,
        cols - 1,
      ).map((line) => ` ${theme.bad(line)}`),
      '',
    );
  }
  if (detail.state?.halt) {
    rows.push(` ${theme.bad('HALTED')} ${theme.quiet(`in ${detail.state.halt.from}`)}`);
    rows.push(...wrap(inertLine(detail.state.halt.reason), cols - 2).map((line) => `  ${theme.bad(line)}`));
    rows.push(
      ...wrap(`What you can do: ${inertLine(detail.state.halt.hint)}`, cols - 2).map(
        (line) => `  ${theme.attention(line)}`,
      ),
      '',
    );
  }
  if (detail.dialog !== null) {
    rows.push(
      ...dialogRows(detail.dialog, cols, theme),
      '',
      theme.quiet(
        detail.dialog.choices.length > 0
          ? '   Enter answers it here; a attaches to the session'
          : '   a attaches to the session: it is answered there',
      ),
      '',
    );
  } else if (run.activity === 'blocked') {
    rows.push(
      ...wrap(`blocked: ${inertLine(run.activityReason)}`, cols - 1).map((line) => ` ${theme.attention(line)}`),
    );
    rows.push(...wrap(inertLine(run.remedy), cols - 3).map((line) => `   ${theme.quiet(line)}`), '');
  }
  if (detail.gate === null) {
    if (rows.length === 0)
      rows.push(` ${theme.quiet(`stage ${run.stageNumber}/10 ${run.stage}: nothing to decide at the moment`)}`, '');
    return rows;
  }
  const what = detail.gate.name === 'development' ? 'May development start?' : 'May it be submitted for testing?';
  rows.push(
    ` ${theme.attention(what)}  ${theme.quiet('opens with')} ${theme.attention(inertLine(run.pendingToken ?? ''))}  ${theme.quiet(`round ${detail.gate.round}`)}`,
  );
  rows.push(
    theme.quiet(` t types the token · T sends it back${detail.gate.name === 'testing' ? ' · d diff · s images' : ''}`),
    '',
  );
  const decisions = decisionRows(run, cols, theme);
  if (decisions.length > 0) rows.push(...decisions, '');
  if (detail.state?.delivery?.compareLink)
    rows.push(` ${theme.quiet('compare')} ${inertLine(detail.state.delivery.compareLink)}`, '');
  return rows;
}

function verificationRows(detail: RunDetail, theme: Theme): string[] {
  const evidence = (detail.state?.evidence ?? []).filter((each) => each.stage === 'verify' && each.kind === 'command');
  return evidence.length === 0
    ? []
    : [theme.quiet(' verified by'), ...evidence.map((each) => `  ${evidenceRow(each, theme)}`), ''];
}

/** What the diagnosis rests on, with the beginning of each output. */
function foundRows(detail: RunDetail, cols: number, theme: Theme): string[] {
  const evidence = (detail.state?.evidence ?? []).filter((each) => each.stage === 'diagnose');
  if (evidence.length === 0) return [];
  const rows = evidence.flatMap((each) => [
    ` ${evidenceRow(each, theme)}`,
    ...inertText(each.excerpt)
      .trimEnd()
      .split('\n')
      .slice(0, excerptLines)
      .map((line) => theme.quiet(truncate(`      ${line}`, cols))),
  ]);
  return ['', rule('evidence', cols, theme), ...rows];
}

function documentsFor(run: RunSummary, detail: RunDetail): string[] {
  const names = detail.artifacts.map((artifact) => artifact.name);
  // The first gate approves both by their hashes.
  if (detail.gate?.name === 'development') return ['idea.md', 'diagnosis.md'].filter((name) => names.includes(name));
  const wanted = ['await-testing', 'submit', 'ready-for-testing'].includes(run.stage)
    ? ['ship-summary.md', 'verification.md', 'idea.md']
    : run.stage === 'patch' || run.stage === 'verify' || detail.state?.halt?.code === 'review-limit'
      ? ['review-report.md', 'idea.md']
      : ['idea.md', 'diagnosis.md'];
  const first = wanted.find((name) => names.includes(name)) ?? names[0];
  return first === undefined ? [] : [first];
}

/** When it was presented before: what is different now comes first. */
function changedRows(data: RunData, name: string, cols: number, theme: Theme): string[] {
  const fetched = data.artifact(name);
  if (fetched === undefined || 'failure' in fetched || fetched.value.previous === null) return [];
  const rows = changeRows('changed since it was presented before', fetched.value.previous, fetched.value.text);
  return [
    ...rows
      .slice(0, 40)
      .flatMap((row) => wrap(inertLine(row), cols - 2))
      .map((row) => ` ${diffStyle(row, theme)(row)}`),
    ...(rows.length > 40 ? [theme.quiet(` ... ${rows.length - 40} more changed lines`)] : []),
    theme.quiet('─'.repeat(Math.min(cols, 60))),
  ];
}
