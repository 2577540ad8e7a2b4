// The one coded error of the product. Errors cross sockets, so they are recognised by `code`, never by class.
// Expected outcomes (a refused transition, a launch failure, a merge conflict) are values; see rejection.ts.

/** Every code, with what it means. Each is provoked in test/error-codes.test.ts. */
export const errorCodes = {
  'usage.invalid': 'the command line or the request is malformed',
  'run.unknown': 'no run has this id',
  'run.exists': 'a run for this task is already there',
  'run.ended': 'the run has ended; nothing can be done to it',
  'run.busy': 'the run is in the middle of something that must finish first',
  'run.not-live': 'no session of this run is alive',
  'run.halted': 'the run waits for a person',
  'task.unreadable': 'the task file cannot be read or lacks a required field',
  'repo.unusable': 'the repository cannot carry a run (no commits, dirty, no test command, no branch)',
  'policy.invalid': 'the repository policy file does not parse',
  'config.invalid': 'config.json does not parse; it is left as it is',
  'home.unusable': 'a folder that a home needs cannot be made or written',
  'runtime.missing': 'the agent program is not installed or too old',
  'runtime.launch-failed': 'the agent program did not start',
  'sandbox.unavailable': 'a sandbox is required and cannot be made here',
  'gate.not-open': 'no gate waits for a decision',
  'gate.token-mismatch': 'the line is not the exact token',
  'gate.choices-incomplete': 'a decision has no choice, an unknown option or more than one',
  'gate.stale': 'what was shown is not what is there now',
  'gate.already-decided': 'somebody else decided this gate first',
  'gate.signature-required': 'approvals must be signed and this one is not, or not validly',
  'stage.wrong': 'the request does not belong to the active stage',
  'stage.incomplete': 'the stage owes something',
  'skill.unknown': 'no skill has this name',
  'skill.unread': 'the skill of this stage was not read in its present version',
  'review.limit': 'the review limit is reached',
  'state.missing': 'state.json is not there',
  'state.unreadable': 'state.json does not parse or has an unknown version',
  'state.inconsistent': 'state.json contradicts itself, its artifacts or its journal',
  'state.foreign': 'state.json was not written by the engine',
  'message.refused': 'the text cannot be typed into the session now',
  'message.not-submitted': 'the text was typed but the session did not take it',
  'evidence.invalid': 'the evidence cannot be accepted',
  'delivery.failed': 'delivery could not be completed; nothing is half-done',
  'host.unreachable': 'the background process does not answer',
  'host.locked': 'another host of this home is alive',
  'disk.full': 'the disk is full',
  'terminal.unusable': 'standard input and output are not a terminal that the console can work on',
  'file.unreadable': 'a file cannot be read or is not what it should be',
  internal: 'a fault of Gatehouse itself',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** What an error looks like on a socket and in `--json`. `message` says what is wrong, `hint` what to do. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint: string;
  readonly details?: unknown;
}

export class GatehouseError extends Error {
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, hint: string, options: { details?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GatehouseError';
    this.code = code;
    this.hint = hint;
    this.details = options.details;
  }

  static from(body: ErrorBody): GatehouseError {
    return new GatehouseError(body.code, body.message, body.hint, { details: body.details });
  }
}

/** Any thrown value as an error body; what is not ours becomes `internal` with its message kept. */
export function toErrorBody(thrown: unknown): ErrorBody {
  if (isOurs(thrown)) {
    const { code, message, hint, details } = thrown;
    return { code, message, hint, ...(details === undefined ? {} : { details }) };
  }
  if ((thrown as NodeJS.ErrnoException)?.code === 'ENOSPC') {
    return {
      code: 'disk.full',
      message: 'the disk is full',
      hint: 'free some space and do it again; nothing was changed',
    };
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { code: 'internal', message, hint: 'see host.log (`gatehouse host logs`) and report it' };
}

/** By its code: a bundled part of the product has a class of its own. */
function isOurs(thrown: unknown): thrown is GatehouseError {
  const code: unknown =
    thrown instanceof Error && thrown.name === 'GatehouseError' ? Reflect.get(thrown, 'code') : null;
  return typeof code === 'string' && Object.hasOwn(errorCodes, code);
}
