import type { ErrorBody, ErrorCode } from './error.ts';

/** One thing that is wrong with an artifact, precise enough to act on. `line` is 1-based, null for the whole file. */
export interface Problem {
  readonly file: string;
  readonly line: number | null;
  readonly rule: string;
  readonly message: string;
}

/** A refused request: an expected outcome, a value. Its `details` carry the problems. */
export interface Rejection extends ErrorBody {
  readonly problems: readonly Problem[];
}

export function reject(code: ErrorCode, message: string, hint: string, problems: readonly Problem[] = []): Rejection {
  return { code, message, hint, problems };
}
