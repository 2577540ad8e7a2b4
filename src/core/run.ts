// What clients are told about a run: one row of the grid, and everything behind it.
import type { RecordPolicy } from './record-policy.ts';
import type { Activity } from './activity.ts';
import type { RuntimeName } from './config.ts';
import type { Decision } from './decision.ts';
import type { ErrorBody } from './error.ts';
import type { Stage } from './stage.ts';
import type { Gate, RunState } from './state.ts';
import type { Task } from './task.ts';

export interface RunSummary {
  readonly id: string;
  readonly task: Pick<Task, 'id' | 'title' | 'labels' | 'priority'>;
  readonly runtime: RuntimeName;
  readonly agent: string | null;
  readonly stage: Stage;
  /** 1-10. */
  readonly stageNumber: number;
  readonly activity: Activity;
  readonly activityReason: string;
  /** What brings a session that is not there back; empty when nothing has to. */
  readonly remedy: string;
  readonly pendingToken: string | null;
  /** Open ones only. */
  readonly decisions: readonly {
    id: string;
    question: string;
    options: readonly { id: string; text: string }[];
    recommended: string;
  }[];
  readonly reviewCount: number;
  readonly reviewLimit: number;
  readonly needsMe: boolean;
  /** Why this run needs a person, in a few words; empty when it does not. */
  readonly needsMeReason: string;
  /** ISO time at which the stage was entered. */
  readonly since: string;
  readonly halt: string | null;
  /** What the footer on the screen claims against the state, if it does. */
  readonly disputed: string | null;
  readonly sandbox: 'bwrap' | 'hooks' | 'none';
  readonly recording: 'recording' | 'stopped' | 'missing';
  /** The program is of a version that nothing here was tried with; null when it was. */
  readonly runtimeWarning: string | null;
  /** How changes of artifacts are noticed: at once, or every few seconds where the system has no watch left. */
  readonly changes: 'watched' | 'rescanned';
  readonly worktree: string;
  readonly dir: string;
  /** Last line of the screen, inert. */
  readonly lastLine: string;
  /** ISO time of the start of the run. */
  readonly startedAt: string;
}

/** One reason for the activity shown: what a source says, and whether it decided. */
export interface ActivityNote {
  readonly source: 'state' | 'event' | 'process' | 'title' | 'screen';
  readonly says: string;
  readonly at: string | null;
  readonly decided: boolean;
}

export interface SessionRecord {
  readonly number: number;
  readonly runtimeSession: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly exit: {
    readonly code: number | null;
    readonly signal: string | null;
    readonly note?: string;
    /** It ended before its program had reported anything: it did not take up the conversation. */
    readonly unheard?: true;
  } | null;
  readonly stage: Stage;
  /** Which entry of a stage it was started for (`state.entry`). */
  readonly entry: number;
  readonly kind: 'first' | 'resumed' | 'fresh';
  /** A review by a conversation of its own leaves the one that implements alone. */
  readonly conversation: 'main' | 'review';
  /** Why it does not go on with the conversation before it, when it should have. */
  readonly note?: string;
  readonly writes: 'scratch' | 'product';
}

/** In a word or two: the signal, the exit code, or what is known better. */
export function howEnded({ note, signal, code }: NonNullable<SessionRecord['exit']>): string {
  return note ?? signal ?? `exit ${code ?? '?'}`;
}

export interface RunDetail extends RunSummary {
  readonly state: RunState | null;
  /** Set when state.json cannot be trusted: which check failed, and what to do. */
  readonly stateError: ErrorBody | null;
  readonly gate: Gate | null;
  /** The line that would open the pending gate with the recommended options; an example, never a default. */
  readonly exampleLine: string | null;
  readonly allDecisions: readonly Decision[];
  readonly why: readonly ActivityNote[];
  readonly artifacts: readonly ArtifactInfo[];
  readonly sessions: readonly SessionRecord[];
  /** What the last refusals said to the agent, newest first. */
  readonly refusals: readonly { readonly at: string; readonly verb: string; readonly error: ErrorBody }[];
  /** The dialog that is on the session's screen now, with its own choices. */
  readonly dialog: DialogInfo | null;
  /** What of the output is recorded. */
  readonly recordPolicy: RecordPolicy;
  /** Memory and processes that the run may use, and who keeps it to them; null when nothing is set. */
  readonly limits: string | null;
  readonly holderPid: number | null;
  readonly sessionPid: number | null;
}

export interface DialogInfo {
  /** Tells this dialog from the next one; an answer names it. */
  readonly id: string;
  readonly name: string;
  /** The program is unknown; its words look like such a dialog. */
  readonly guessed: boolean;
  /** Inert text, many lines. */
  readonly text: string;
  readonly choices: readonly { readonly key: string; readonly label: string }[];
}

export interface ArtifactInfo {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Is it the version the engine recorded. */
  readonly recorded: 'same' | 'changed' | 'not-recorded' | 'missing';
}
