// What an open gate was when the prompt read it, and what has become of it since.
import type { RunDetail } from '../../core/run.ts';
import type { GateName } from '../../core/stage.ts';
import type { RunState, Subject } from '../../core/state.ts';
import { sameSubject, subjectDifference } from '../../core/subject.ts';
import type { Desk } from '../screen.ts';
import { changeRows } from './change-rows.ts';
import type { PromptView } from './token-rows.ts';

/** Larger texts are compared by hash only; a diff of them would not fit a prompt anyway. */
const maxDiffChars = 200_000;

export interface ShownGate {
  readonly detail: RunDetail;
  readonly state: RunState;
  readonly gate: GateName;
  readonly round: number;
  readonly subject: Subject;
  /** Kept so that a later change can be shown as what it is. */
  readonly texts: ReadonlyMap<string, string>;
}

type Closed = Extract<PromptView, { state: 'closed' }>;
type Stale = Extract<PromptView, { state: 'stale' }>;

export async function readGate(desk: Desk, run: string): Promise<ShownGate | Closed> {
  const detail = await desk.request('run.show', { run });
  const { gate, state } = detail;
  if (gate === null || state === null)
    return { state: 'closed', why: detail.stateError?.message ?? `no gate is open; the run is in ${detail.stage}` };
  const texts = new Map<string, string>();
  for (const { path } of gate.subject.files) {
    const text = await textOf(desk, run, path);
    if (text !== null) texts.set(path, text);
  }
  return { detail, state, gate: gate.name, round: gate.round, subject: gate.subject, texts };
}

/** Null while an approval of what was shown would be one of what is there. */
export async function staleness(desk: Desk, run: string, shown: ShownGate): Promise<Stale | null> {
  const { gate } = await desk.request('run.show', { run });
  const stale = { state: 'stale' as const, changed: [], diff: [] };
  if (gate === null) return { ...stale, why: 'the gate is not open any more' };
  if (gate.round !== shown.round) return { ...stale, why: 'it was presented again' };
  if (sameSubject(shown.subject, gate.subject)) return null;
  const changed = subjectDifference(shown.subject, gate.subject);
  const diff = await changes(desk, run, shown, changed);
  return { state: 'stale', changed, diff, why: 'the content changed while you were reading' };
}

async function changes(desk: Desk, run: string, shown: ShownGate, paths: readonly string[]): Promise<string[]> {
  const rows: string[] = [];
  for (const path of paths) {
    const before = shown.texts.get(path);
    const after = await textOf(desk, run, path);
    if (before !== undefined && after !== null) rows.push(...changeRows(path, before, after));
  }
  return rows;
}

async function textOf(desk: Desk, run: string, path: string): Promise<string | null> {
  const name = path.split('/').at(-1) ?? path;
  try {
    const { text } = await desk.request('run.artifact', { run, name });
    return text.length > maxDiffChars ? null : text;
  } catch {
    return null;
  }
}
