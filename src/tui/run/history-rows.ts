// How the run came to where it is: transitions, approvals, feedback, reviews, sessions. Pure.
import { deliveryFacts } from '../../core/delivery-facts.ts';
import { type RunDetail, howEnded } from '../../core/run.ts';
import type { RunState, TransitionRecord } from '../../core/state.ts';
import { inertLine } from '../../core/inert.ts';
import { localTime } from '../../core/local-time.ts';
import { rule } from '../grid/facts.ts';
import { fit, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';

export function historyRows(detail: RunDetail, cols: number, theme: Theme): string[] {
  const { state } = detail;
  if (state === null) return ['', theme.bad(' state.json cannot be trusted; the journal beside it has the history')];
  return [
    rule('transitions', cols, theme),
    ...state.history.toReversed().flatMap((record) => transitionRows(record, cols, theme)),
    ...approvalRows(state, cols, theme),
    ...feedbackRows(state, cols, theme),
    ...reviewRows(state, cols, theme),
    ...deliveryRows(state, cols, theme),
    ...sessionRows(detail, cols, theme),
  ];
}

function transitionRows(record: TransitionRecord, cols: number, theme: Theme): string[] {
  const way = `${record.from ?? 'start'} → ${theme.bold(record.to)}`;
  const who = record.actor === 'operator' ? theme.attention(record.actor) : record.actor;
  const rows = [` ${theme.quiet(localTime(record.time))}  ${fit(way, 38)} ${fit(who, 9)}`];
  rows.push(...indent(inertLine(record.reason), 22, cols));
  if (record.approval !== null) {
    rows.push(
      ...indent(
        theme.attention(`${inertLine(record.approval.line)} by ${inertLine(record.approval.operator)}`),
        22,
        cols,
      ),
    );
  }
  for (const file of record.files) {
    rows.push(...indent(theme.quiet(`${inertLine(file.path)} sha256 ${file.sha256.slice(0, 12)}`), 22, cols));
  }
  return rows;
}

function approvalRows(state: RunState, cols: number, theme: Theme): string[] {
  if (state.approvals.length === 0) return [];
  const rows = ['', rule('approvals', cols, theme)];
  for (const approval of state.approvals) {
    const stale =
      approval.staleSince === null
        ? theme.good('in force')
        : theme.bad(`stale since ${localTime(approval.staleSince)}`);
    rows.push(` ${theme.quiet(localTime(approval.time))}  ${approval.gate} round ${approval.round}  ${stale}`);
    const signed =
      approval.operator.signature === null
        ? 'not signed'
        : `signed by ${inertLine(approval.operator.signature.principal)}`;
    rows.push(
      ...indent(
        `${theme.attention(inertLine(approval.line))} by ${inertLine(approval.operator.name)} (${inertLine(approval.operator.user)}, ${approval.operator.tty ?? 'no terminal'}, ${signed})`,
        22,
        cols,
      ),
    );
    for (const file of approval.subject.files)
      rows.push(...indent(theme.quiet(`${inertLine(file.path)} sha256 ${file.sha256.slice(0, 12)}`), 22, cols));
    if (approval.subject.tree !== null)
      rows.push(...indent(theme.quiet(`tree ${approval.subject.tree.slice(0, 12)}`), 22, cols));
  }
  return rows;
}

function feedbackRows(state: RunState, cols: number, theme: Theme): string[] {
  if (state.feedback.length === 0) return [];
  const rows = ['', rule('sent back', cols, theme)];
  for (const feedback of state.feedback) {
    rows.push(
      ` ${theme.quiet(localTime(feedback.time))}  ${feedback.gate} round ${feedback.round} by ${inertLine(feedback.operator)}`,
    );
    rows.push(...feedback.text.split('\n').flatMap((line) => indent(inertLine(line), 22, cols)));
  }
  return rows;
}

function reviewRows(state: RunState, cols: number, theme: Theme): string[] {
  if (state.reviews.rounds.length === 0) return [];
  const { limit, granted } = state.reviews;
  const rows = [
    '',
    rule(
      `reviews ${state.reviews.rounds.length} of ${limit + granted}${granted > 0 ? ` (${granted} granted)` : ''}`,
      cols,
      theme,
    ),
  ];
  for (const round of state.reviews.rounds) {
    const verdict = round.verdict === 'pass' ? theme.good('pass') : theme.bad('blocked');
    rows.push(
      ` ${theme.quiet(localTime(round.time))}  round ${round.round} ${verdict} ${theme.quiet(`tree ${round.tree.slice(0, 12)}`)}`,
    );
    for (const finding of round.findings) {
      const style = finding.severity === 'blocking' ? theme.bad : theme.quiet;
      rows.push(
        ...indent(
          `${finding.id} ${style(finding.severity)} ${inertLine(finding.title)}${finding.place === null ? '' : theme.quiet(` ${inertLine(finding.place)}`)}`,
          22,
          cols,
        ),
      );
    }
  }
  return rows;
}

function deliveryRows(state: RunState, cols: number, theme: Theme): string[] {
  const { delivery } = state;
  if (delivery === null) return [];
  return [
    '',
    rule('delivery', cols, theme),
    ...deliveryFacts(delivery).flatMap(([name, value]) =>
      indent(`${theme.quiet(fit(name, 14))} ${inertLine(value)}`, 1, cols),
    ),
  ];
}

function sessionRows(detail: RunDetail, cols: number, theme: Theme): string[] {
  if (detail.sessions.length === 0) return [];
  const rows = ['', rule('sessions', cols, theme)];
  for (const session of detail.sessions) {
    const end =
      session.endedAt === null
        ? detail.sessionPid === null
          ? theme.bad('its end was not seen')
          : theme.live('alive')
        : `ended ${localTime(session.endedAt)} ${session.exit === null ? '' : howEnded(session.exit)}`;
    rows.push(
      ...indent(
        `${session.number}  ${theme.quiet(localTime(session.startedAt))}  ${fit(session.kind, 8)} ${fit(session.stage, 18)} writes ${fit(session.writes, 8)} ${end}`,
        1,
        cols,
      ),
      ...(session.note === undefined ? [] : indent(`without memory: ${inertLine(session.note)}`, 4, cols)),
    );
  }
  return rows;
}

function indent(text: string, by: number, cols: number): string[] {
  const lead = ' '.repeat(Math.min(by, Math.max(1, cols - 40)));
  return wrap(text, Math.max(8, cols - lead.length)).map((line) => lead + line);
}
