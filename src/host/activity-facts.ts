// Gathers what is known about a run's activity; core/activity.ts weighs it.
import type { ActivityEvidence, ActivityVerdict } from '../core/activity.ts';
import type { ActivityNote } from '../core/run.ts';
import type { Dialog, ScreenView } from '../runtimes/screen-view.ts';
import { usualDialogName } from '../runtimes/usual-words.ts';
import type { RunContext } from './run-context.ts';

/** So many rows may belong to a question. */
const questionRows = 12;
/** Of a dialog, in a row; all of it is shown with the run. */
const longestReason = 240;

export function activityFacts(run: RunContext): ActivityEvidence {
  const { session, reports, adapter, feed } = run;
  const view = feed.view();
  const dialog = session.alive ? adapter.dialog(view) : null;
  const trouble = session.alive ? adapter.trouble(view) : null;
  return {
    stage: run.state?.stage ?? 'initialize',
    holder: holderFact(run),
    session: sessionFacts(run),
    report: reports.settled(Date.now()),
    reporterExpected: adapter.reports,
    dialog:
      dialog === null
        ? null
        : { name: dialogName(dialog), text: inOneLine(dialog.text), choices: dialog.choices.length },
    trouble: trouble === null ? null : { ...trouble, text: inOneLine(trouble.text) },
    cpuBusy: run.processes.cpuBusy,
    titleHint: session.alive ? adapter.titleHint(view.title) : null,
    lastOutputAt: feed.lastOutputAt,
    lastLine: feed.lastLine(),
    looksLike: session.alive && !session.ready ? usualDialogName(lastWords(view)) : null,
    startDeadlineMs: run.parts.config.startDeadlineSeconds * 1_000,
    now: Date.now(),
  };
}

function lastWords({ rows }: ScreenView): string {
  return rows
    .filter((row) => row.trim() !== '')
    .slice(-questionRows)
    .join('\n');
}

function dialogName({ name, guessed }: Dialog): string {
  return guessed === true ? `${name} (it looks like it)` : name;
}

function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= longestReason ? line : `${line.slice(0, longestReason - 1)}…`;
}

function holderFact({ session, record }: RunContext): ActivityEvidence['holder'] {
  if (session.holder === 'unreachable') return session.holder;
  const last = record.sessions.at(-1);
  // Where the end of the last session is on record, nothing was lost with the holder.
  const isGone = session.holder === 'dead' || session.holder === 'none';
  return isGone && last !== undefined && last.endedAt === null ? 'dead' : 'alive';
}

/** What an earlier host has written down of a session that this one has not seen. */
function recordedSession(record: RunContext['record']): ActivityEvidence['session'] {
  const last = record.sessions.at(-1);
  if (last === undefined) return { status: 'none' };
  if (last.endedAt === null) return { status: 'alive', startedAt: Date.parse(last.startedAt), ready: true };
  const { code = null, signal = null, note = null, unheard = false } = last.exit ?? {};
  return { status: 'exited', code, signal, note: record.stopped ? 'stopped by the operator' : note, unheard };
}

function sessionFacts({ session, record }: RunContext): ActivityEvidence['session'] {
  if (session.exit !== null)
    return {
      status: 'exited',
      code: session.exit.code,
      signal: session.exit.signal,
      note: record.stopped ? 'stopped by the operator' : session.endNote,
      unheard: record.sessions.at(-1)?.exit?.unheard ?? false,
    };
  if (session.pid === null) return recordedSession(record);
  return { status: 'alive', startedAt: session.startedAt, ready: session.ready };
}

/** Every source with what it says, in the order in which they count. */
export function explainActivity(e: ActivityEvidence, verdict: ActivityVerdict): ActivityNote[] {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const onScreen = e.dialog ?? e.trouble;
  const notes: ActivityNote[] = [
    { source: 'state', says: `stage ${e.stage}`, at: null, decided: false },
    {
      source: 'event',
      says:
        e.report === null
          ? 'no event from the runtime'
          : `${e.report.kind}${e.report.text === '' ? '' : `: ${e.report.text}`}`,
      at: at(e.report?.at ?? null),
      decided: verdict.source === 'event',
    },
    { source: 'process', says: processSays(e), at: null, decided: verdict.source === 'process' },
    {
      source: 'title',
      says: e.titleHint ?? 'nothing',
      at: null,
      decided: verdict.source === 'screen' && onScreen === null,
    },
    {
      source: 'screen',
      says: onScreen === null ? 'no dialog' : `${onScreen.name}: ${onScreen.text}`,
      at: at(e.lastOutputAt),
      decided: verdict.source === 'screen' && onScreen !== null,
    },
  ];
  return notes;
}

function processSays(e: ActivityEvidence): string {
  if (e.holder !== 'alive') return `holder ${e.holder}`;
  switch (e.session.status) {
    case 'none':
      return 'no session was started';
    case 'alive':
      return e.session.ready ? 'alive and ready' : 'alive, not ready yet';
    case 'exited':
      return `ended: ${e.session.signal ?? `exit code ${e.session.code ?? '?'}`}`;
  }
}
