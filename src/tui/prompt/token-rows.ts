// How the token prompt looks. Pure. When the window is small the parts that a decision cannot do without stay: the run,
// what is approved, the decisions, the line, the answer.
import type { RunDetail, RunSummary } from '../../core/run.ts';
import type { Subject } from '../../core/state.ts';
import { inertLine } from '../../core/inert.ts';
import { localTime } from '../../core/local-time.ts';
import { decisionRows, rule } from '../grid/facts.ts';
import { diffStyle } from '../run/diff-rows.ts';
import type { Size } from '../screen.ts';
import { cellWidth, sliceCells, truncate, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';

export type PromptView =
  | { readonly state: 'reading' }
  | { readonly state: 'typing' }
  | { readonly state: 'signing' }
  | { readonly state: 'sending' }
  | { readonly state: 'recorded'; readonly stage: string; readonly time: string }
  | { readonly state: 'lost'; readonly line: string }
  | {
      readonly state: 'stale';
      readonly changed: readonly string[];
      readonly diff: readonly string[];
      readonly why: string;
    }
  | { readonly state: 'closed'; readonly why: string };

/** Who signs the approval with which key, or why nobody can. */
export type Signing = { readonly principal: string; readonly key: string } | { readonly impossible: string };

interface PromptContent {
  readonly run: RunSummary;
  readonly detail: RunDetail | null;
  readonly subject: Subject | null;
  readonly view: PromptView;
  readonly line: string;
  readonly message: { bad: boolean; text: string } | null;
  /** Null when no signature is required. */
  readonly signing: Signing | null;
}

export function tokenRows(
  content: PromptContent,
  size: Size,
  theme: Theme,
): { rows: string[]; fieldRow: number | null } {
  const cols = size.cols;
  const facts = [...headRows(content, cols, theme), ...subjectRows(content, cols, theme)];
  const decisions = content.detail === null ? [] : decisionRows(content.detail, cols, theme);
  const answer = answerRows(content, cols, theme);
  const typing = ['typing', 'signing', 'sending'].includes(content.view.state);
  const field = typing ? fieldRows(content, cols, theme) : [];
  const room = Math.max(0, size.rows - answer.length - field.length);
  const above = [...facts, ...(decisions.length > 0 ? ['', ...decisions] : []), ''];
  // The end of the decisions matters more than the file list when both do not fit.
  const shown = above.length <= room ? above : squeeze(facts, decisions, room, theme, cols);
  const rows = [...shown, ...field, ...answer].slice(0, size.rows);
  const fieldRow = content.view.state === 'typing' ? shown.length + field.length - 1 : null;
  return { rows, fieldRow: fieldRow !== null && fieldRow < size.rows ? fieldRow : null };
}

function headRows({ run, detail }: PromptContent, cols: number, theme: Theme): string[] {
  const gate = detail?.gate ?? null;
  const name =
    gate === null
      ? run.stage
      : gate.name === 'development'
        ? 'Gate 1: may development start?'
        : 'Gate 2: may it go to testing?';
  return [
    rule(name, cols, theme),
    truncate(` ${theme.bold(inertLine(run.task.id))} ${inertLine(run.task.title)}`, cols),
    truncate(
      theme.quiet(
        ` run ${run.id}${gate === null ? '' : ` · round ${gate.round} · open since ${localTime(gate.openedAt)}`}`,
      ),
      cols,
    ),
  ];
}

function subjectRows({ subject }: PromptContent, cols: number, theme: Theme): string[] {
  if (subject === null) return [];
  const files = subject.files.map((file) =>
    truncate(`   sha256 ${theme.accent(file.sha256.slice(0, 16))}  ${inertLine(file.path)}`, cols),
  );
  const tree =
    subject.tree === null
      ? []
      : [`   tree   ${theme.accent(subject.tree.slice(0, 16))}  the product as committed for review`];
  return [theme.quiet(' You approve exactly this:'), ...files, ...tree];
}

function fieldRows({ detail, line, signing }: PromptContent, cols: number, theme: Theme): string[] {
  const token = detail?.pendingToken ?? '';
  const choices = (detail?.decisions ?? []).map((d) => `${d.id}_`).join(' ');
  const form =
    choices === ''
      ? theme.attention(inertLine(token))
      : `${theme.attention(choices)} ${theme.attention(inertLine(token))}`;
  const how =
    choices === ''
      ? 'Type the token:'
      : 'Type one option letter for each decision, then the token, with single spaces:';
  return [
    ...wrap(how, cols - 2).map((row) => theme.quiet(` ${row}`)),
    ...wrap(form, cols - 4).map((row) => `   ${row}`),
    ...signingRows(signing, cols, theme),
    `${theme.accent(' >')} ${tail(line, cols - 4)}`,
  ];
}

function signingRows(signing: Signing | null, cols: number, theme: Theme): string[] {
  if (signing === null) return [];
  if ('impossible' in signing) {
    const text = `A signature is required, so nothing can be sent: ${signing.impossible}`;
    return wrap(text, cols - 2).map((row) => theme.bad(` ${row}`));
  }
  const text = `Enter signs it as ${inertLine(signing.principal)} with ${inertLine(signing.key)}`;
  return wrap(text, cols - 2).map((row) => theme.quiet(` ${row}`));
}

/** The end of a line that is longer than the field. */
function tail(line: string, cols: number): string {
  const width = cellWidth(line);
  return width <= cols ? line : sliceCells(line, width - cols, width);
}

function answerRows({ view, message, run }: PromptContent, cols: number, theme: Theme): string[] {
  const say = (style: (text: string) => string, text: string) => [
    '',
    ...wrap(text, cols - 2).map((row) => ` ${style(row)}`),
  ];
  switch (view.state) {
    case 'reading':
      return say(theme.quiet, 'reading what waits at the gate...');
    case 'signing':
      return say(theme.quiet, 'signing; a security key wants to be touched...');
    case 'sending':
      return say(theme.quiet, 'sent; waiting for the record...');
    case 'recorded':
      return say(theme.good, `✓ Recorded at ${localTime(view.time)}. ${run.task.id} goes on: ${view.stage}.`);
    case 'lost':
      return say(
        theme.bad,
        'The connection was lost after Enter: it is not known yet whether the approval is recorded. Reading the state as soon as the host answers...',
      );
    case 'closed':
      return say(theme.bad, `Nothing can be approved: ${inertLine(view.why)}`);
    case 'stale':
      return [
        ...say(
          theme.bad,
          `× Stale: ${view.why}${view.changed.length === 0 ? '' : ` (${view.changed.map(inertLine).join(', ')})`}. Nothing was approved. Go back, read it again, then press t.`,
        ),
        ...view.diff.map((row) => ` ${diffStyle(row, theme)(truncate(inertLine(row), cols - 2))}`),
      ];
    case 'typing':
      return message === null ? [] : say(message.bad ? theme.bad : theme.good, message.text);
  }
}

function squeeze(
  facts: readonly string[],
  decisions: readonly string[],
  room: number,
  theme: Theme,
  cols: number,
): string[] {
  if (room <= 2) return facts.slice(1, 1 + room);
  const keptFacts = facts.slice(0, Math.max(2, room - decisions.length - 1));
  const left = Math.max(0, room - keptFacts.length - 1);
  const kept = decisions.slice(0, left);
  const missing = facts.length - keptFacts.length + (decisions.length - kept.length);
  return [
    ...keptFacts,
    ...kept,
    truncate(
      theme.bad(` ... ${missing} more rows do not fit; make the window larger or read them in the run view`),
      cols,
    ),
  ];
}
