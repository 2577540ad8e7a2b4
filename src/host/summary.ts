// What clients are shown of a run, made from its parts. Pure.
import type { ActivityVerdict } from '../core/activity.ts';
import { exampleLine } from '../core/approval-line.ts';
import type { ErrorBody } from '../core/error.ts';
import { inertLine, inertText } from '../core/inert.ts';
import { needsMeReason } from '../core/needs-me.ts';
import { remedyFor } from '../core/remedy.ts';
import type { ActivityNote, ArtifactInfo, RunDetail, RunSummary } from '../core/run.ts';
import { stageNumber } from '../core/stage.ts';
import { type RunState, openDecisions, pendingToken, reviewCount, reviewLimit } from '../core/state.ts';
import type { RunPaths } from '../platform/paths.ts';
import type { Dialog } from '../runtimes/screen-view.ts';
import type { LaunchRecord } from './launch-record.ts';

export interface SummaryFacts {
  readonly record: LaunchRecord;
  readonly paths: RunPaths;
  readonly state: RunState | null;
  readonly stateError: ErrorBody | null;
  readonly activity: ActivityVerdict;
  /** Epoch milliseconds at which this activity began. */
  readonly activitySince: number;
  readonly restartPending: boolean;
  readonly disputed: string | null;
  readonly sandbox: RunSummary['sandbox'];
  readonly recording: RunSummary['recording'];
  readonly changes: RunSummary['changes'];
  readonly lastLine: string;
  readonly now: number;
}

export function summarise(f: SummaryFacts): RunSummary {
  const { record, state } = f;
  const reviews = state === null ? { count: 0, limit: reviewLimit } : reviewCount(state);
  const token = state === null || f.stateError !== null ? null : pendingToken(state);
  const halt = f.stateError === null ? (state?.halt?.reason ?? null) : `state error: ${f.stateError.message}`;
  const stage = f.stateError === null ? (state?.stage ?? 'initialize') : 'halted';
  const need = needsMeReason({
    stage,
    pendingToken: token,
    halt,
    stateError: f.stateError?.message ?? null,
    disputed: f.disputed,
    activity: f.activity.activity,
    activityReason: f.activity.reason,
    activitySince: f.activitySince,
    stopped: record.stopped,
    restartPending: f.restartPending,
    now: f.now,
  });
  const { id, title, labels, priority } = record.task;
  return {
    id: record.run,
    task: { id, title: inertLine(title), labels: labels.map(inertLine), priority },
    runtime: record.runtime,
    agent: record.agent,
    stage,
    stageNumber: state === null ? 1 : stageNumber(state.stage, state.halt?.from ?? null),
    activity: f.activity.activity,
    activityReason: inertLine(f.activity.reason),
    remedy: remedyFor({
      run: record.run,
      stage,
      activity: f.activity.activity,
      unblock: f.activity.unblock ?? null,
      pendingToken: token,
      stateError: f.stateError?.message ?? null,
      restartPending: f.restartPending,
    }),
    pendingToken: token,
    decisions: state === null ? [] : openDecisions(state).map(showDecision),
    reviewCount: reviews.count,
    reviewLimit: reviews.limit,
    needsMe: need !== '',
    needsMeReason: need,
    since: state?.since ?? record.createdAt,
    halt: halt === null ? null : inertLine(halt),
    disputed: f.disputed === null ? null : inertLine(f.disputed),
    sandbox: f.sandbox,
    recording: f.recording,
    runtimeWarning: f.record.runtimeWarning,
    changes: f.changes,
    worktree: f.paths.worktree,
    dir: f.paths.dir,
    lastLine: inertLine(f.lastLine),
    startedAt: record.createdAt,
  };
}

export interface DetailFacts extends SummaryFacts {
  readonly why: readonly ActivityNote[];
  readonly artifacts: readonly ArtifactInfo[];
  readonly refusals: RunDetail['refusals'];
  readonly limits: string | null;
  readonly dialog: Dialog | null;
  readonly holderPid: number | null;
  readonly sessionPid: number | null;
}

export function describe(f: DetailFacts): RunDetail {
  const { state } = f;
  const gate = f.stateError === null ? (state?.gate ?? null) : null;
  return {
    ...summarise(f),
    state,
    stateError: f.stateError,
    gate,
    exampleLine: state === null || gate === null ? null : exampleLine(gate.name, state.tokens, openDecisions(state)),
    allDecisions: state?.decisions ?? [],
    why: f.why,
    artifacts: f.artifacts,
    sessions: f.record.sessions,
    refusals: f.refusals,
    dialog: f.dialog === null ? null : showDialog(f.dialog),
    recordPolicy: f.record.record,
    limits: f.limits,
    holderPid: f.holderPid,
    sessionPid: f.sessionPid,
  };
}

function showDialog({ id, name, guessed = false, text, choices }: Dialog): RunDetail['dialog'] {
  return {
    id,
    name: inertLine(name),
    guessed,
    text: inertText(text),
    choices: choices.map(({ key, label }) => ({ key, label: inertLine(label) })),
  };
}

function showDecision(d: ReturnType<typeof openDecisions>[number]): RunSummary['decisions'][number] {
  return {
    id: d.id,
    question: inertLine(d.question),
    options: d.options.map((o) => ({ id: o.id, text: inertLine(o.text) })),
    recommended: d.recommended,
  };
}
