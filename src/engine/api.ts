// What the host gets from the engine: requests and answers as plain values.
import type { ErrorBody } from '../core/error.ts';
import type { Rejection } from '../core/rejection.ts';
import type { Approval, Operator, Subject } from '../core/state.ts';
import type { Stage } from '../core/stage.ts';

export type Answer<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly rejection: Rejection };

/** Everything `lattice` asks but `hook`, which is the host's. */
export type AskMethod = 'status' | 'skill' | 'check' | 'advance' | 'evidence.run' | 'evidence.add' | 'sync' | 'footer';

/** As src/protocol/lattice.ts has checked them. */
export interface AskParams {
  readonly status: Record<string, never>;
  readonly skill: { readonly name: string };
  readonly check: Record<string, never>;
  readonly advance: Record<string, never>;
  readonly 'evidence.run': {
    readonly argv: readonly string[];
    readonly cwd: string;
    readonly env?: Readonly<Record<string, string>> | undefined;
  };
  readonly 'evidence.add': {
    readonly file: string;
    readonly kind?: 'image' | 'log' | 'api' | 'source' | undefined;
    readonly pair?: string | undefined;
    readonly cwd: string;
  };
  readonly sync: Record<string, never>;
  readonly footer: Record<string, never>;
}

export type AskAnswer = Answer<{ readonly result: { readonly text: string; readonly exitCode?: number } }>;

export interface Refusal {
  /** ISO time. */
  readonly at: string;
  readonly verb: string;
  readonly error: ErrorBody;
}

/** What waits at the open gate, or would be approved now. */
export interface Pending {
  readonly gate: 'development' | 'testing';
  readonly round: number;
  readonly subject: Subject;
}

export interface ApproveRequest {
  readonly line: string;
  readonly operator: Operator;
  /** What the operator was shown; without it, what the engine presented last. */
  readonly shown?: { readonly round: number; readonly subject: Subject } | undefined;
}

export interface FeedbackRequest {
  readonly text: string;
  readonly operator: Operator;
  readonly round?: number | undefined;
}

export type ApproveAnswer = Answer<{ readonly approval: Approval; readonly stage: Stage }>;
export type StageAnswer = Answer<{ readonly stage: Stage }>;

export interface ArtifactContent {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  /** Inert. */
  readonly text: string;
  /** The version that was presented at the gate before, when it differs. Inert. */
  readonly previous: string | null;
  readonly recorded: 'same' | 'changed' | 'not-recorded' | 'missing';
}

export interface DiffAnswer {
  readonly from: string;
  readonly tree: string;
  readonly stat: string;
  /** Unified diff, inert, capped. */
  readonly text: string;
  readonly truncated: number;
}
