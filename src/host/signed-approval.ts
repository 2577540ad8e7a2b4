// Whether an approval is signed as config.json wants it. What a signature says is bound to exactly one gate of one run.
import { approvalNamespace, approvalPayload } from '../core/approval-payload.ts';
import type { Config } from '../core/config.ts';
import { type Rejection, reject } from '../core/rejection.ts';
import type { ApproveRequest, Pending } from '../engine/api.ts';
import { configuredFile } from '../platform/load-config.ts';
import { verifySsh } from '../platform/ssh-signature.ts';

export type SignatureVerdict =
  | { readonly ok: true; readonly request: ApproveRequest }
  | { readonly ok: false; readonly rejection: Rejection };

export interface ApprovalToCheck {
  readonly approvals: Config['approvals'];
  /** Relative paths of config.json start here. */
  readonly home: string;
  readonly run: string;
  readonly request: ApproveRequest;
  /** What waits now; without it there is nothing that a signature could be for. */
  readonly pending: Pending | null;
}

/**
 * Refuses what is unsigned or not validly signed; else gives the request that may go on. It then names what was signed, so
 * that the engine compares exactly that with what is there; and it carries no signature that nobody has checked.
 */
export async function refuseUnsigned(check: ApprovalToCheck): Promise<SignatureVerdict> {
  const { approvals, request, pending, run } = check;
  const { signature } = request.operator;
  if (approvals.signature === 'off' || pending === null) return { ok: true, request: unsigned(request) };
  if (signature === null) {
    return approvals.signature === 'accept'
      ? { ok: true, request }
      : refused('approvals must be signed and this one is not', `gatehouse approve ${run} 'LINE' --sign`);
  }
  if (approvals.allowedSigners === undefined)
    return refused('config.json does not say whose signatures count', 'set "approvals.allowedSigners"');
  const shown = request.shown ?? { round: pending.round, subject: pending.subject };
  const verdict = await verifySsh({
    allowedSigners: configuredFile(check.home, approvals.allowedSigners),
    principal: signature.principal,
    namespace: approvalNamespace,
    text: approvalPayload({ run, gate: pending.gate, line: request.line, ...shown }),
    armored: signature.armored,
  });
  if (!verdict.ok) {
    return refused(
      `the signature as ${signature.principal} is not valid: ${verdict.reason}`,
      'look at what waits now and sign that, with a key of the allowed signers file',
    );
  }
  return { ok: true, request: { ...request, shown } };
}

function unsigned(request: ApproveRequest): ApproveRequest {
  return { ...request, operator: { ...request.operator, signature: null } };
}

function refused(message: string, hint: string): SignatureVerdict {
  return { ok: false, rejection: reject('gate.signature-required', message, hint) };
}
