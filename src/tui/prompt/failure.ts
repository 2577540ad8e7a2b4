import { inertLine } from '../../core/inert.ts';
import { toErrorBody } from '../../core/error.ts';

/** What went wrong and what to do, in one line. */
export function failureText(error: unknown): string {
  const { message, hint } = toErrorBody(error);
  return inertLine(hint === '' ? message : `${message} (${hint})`);
}

/** The request may or may not have been carried out: the answer never came. */
export function isConnectionLoss(error: unknown): boolean {
  const { code } = toErrorBody(error);
  return code === 'host.unreachable';
}
