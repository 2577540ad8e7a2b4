// Signs an approval with the operator's SSH key, before it leaves the operator's terminal.
import { type ApprovalFacts, approvalNamespace, approvalPayload } from '../core/approval-payload.ts';
import { GatehouseError } from '../core/error.ts';
import type { Gate } from '../core/state.ts';
import { exec } from '../platform/exec.ts';
import { isLiteralKey, signWithSsh } from '../platform/ssh-signature.ts';

export interface SignRequest {
  readonly run: string;
  /** As it was shown: its name, round and subject are signed. */
  readonly gate: Pick<Gate, 'name' | 'round' | 'subject'>;
  readonly line: string;
  /** Of config.json; else git's `user.signingKey`. */
  readonly key?: string | undefined;
}

export interface SigningIdentity {
  /** The name under which allowed signers are looked up: git's `user.email`. */
  readonly principal: string;
  /** A file, or a public key itself. */
  readonly key: string;
}

export interface ApprovalSignature {
  readonly principal: string;
  readonly armored: string;
}

/** Who would sign, and with which key. @throws GatehouseError `gate.signature-required` when one of both is not known. */
export async function signingIdentity(configuredKey?: string): Promise<SigningIdentity> {
  const principal = await gitSetting('user.email');
  if (principal === '') throw cannot('git does not know your address', 'git config --global user.email ADDRESS');
  return { principal, key: configuredKey ?? (await gitKey()) };
}

export async function signIfAsked(request: SignRequest): Promise<ApprovalSignature> {
  return signAs(await signingIdentity(request.key), request);
}

/** `atTerminal: false` where the terminal is taken: a passphrase is then asked for by an agent or a window, or not at all. */
export async function signAs(
  { principal, key }: SigningIdentity,
  { run, gate, line }: SignRequest,
  { atTerminal = true }: { readonly atTerminal?: boolean } = {},
): Promise<ApprovalSignature> {
  const facts: ApprovalFacts = { run, gate: gate.name, round: gate.round, line, subject: gate.subject };
  const signed = await signWithSsh({
    key,
    namespace: approvalNamespace,
    text: approvalPayload(facts),
    atTerminal,
  });
  if (!signed.ok) throw cannot(signed.reason, 'name a key in config.json (approvals.key) or in git (user.signingKey)');
  return { principal, armored: signed.armored };
}

async function gitKey(): Promise<string> {
  const key = await gitSetting('user.signingKey', '--path');
  const format = await gitSetting('gpg.format');
  if (key === '' || (format !== 'ssh' && !isLiteralKey(key) && !key.includes('/'))) {
    throw cannot(
      key === '' ? 'there is no key to sign with' : `git signs with ${format || 'openpgp'}, not with an SSH key`,
      'name a key in config.json (approvals.key), or: git config --global gpg.format ssh; git config --global user.signingKey FILE',
    );
  }
  return key;
}

async function gitSetting(name: string, type?: '--path'): Promise<string> {
  const asked = await exec('git', ['config', ...(type === undefined ? [] : [type]), '--get', name], {
    timeoutMs: 5_000,
  });
  return asked.exitCode === 0 ? asked.stdout.trim() : '';
}

function cannot(why: string, hint: string): GatehouseError {
  return new GatehouseError('gate.signature-required', `the approval cannot be signed: ${why}`, hint);
}
