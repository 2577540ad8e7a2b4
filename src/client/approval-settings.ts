// What config.json wants of approvals, and whoever signs them for a console.
import type { Config } from '../core/config.ts';
import { configuredFile, loadConfig } from '../platform/load-config.ts';
import { homePaths } from '../platform/paths.ts';
import { isLiteralKey } from '../platform/ssh-signature.ts';
import { type ApprovalSignature, type SignRequest, type SigningIdentity, signAs, signingIdentity } from './sign.ts';

export interface ApprovalSigner extends SigningIdentity {
  /** @throws GatehouseError `gate.signature-required` when there is no signature. */
  sign(request: Omit<SignRequest, 'key'>): Promise<ApprovalSignature>;
}

/** As in config.json, the key with its whole path. */
export async function approvalSettings(home: string): Promise<Config['approvals']> {
  const { config: path, home: folder } = homePaths(home);
  const { approvals } = await loadConfig(path);
  const { key } = approvals;
  return key === undefined || isLiteralKey(key) ? approvals : { ...approvals, key: configuredFile(folder, key) };
}

/** Null when config.json requires no signature. @throws GatehouseError when one is required and cannot be made. */
export async function requiredSigner(home: string): Promise<ApprovalSigner | null> {
  const approvals = await approvalSettings(home);
  if (approvals.signature !== 'require') return null;
  const identity = await signingIdentity(approvals.key);
  return { ...identity, sign: (request) => signAs(identity, request, { atTerminal: false }) };
}
