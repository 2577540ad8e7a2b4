// Who made what is in a bundle: the engine's seals, with the key of a home; operators' signatures, with the signers file.
import { approvalNamespace, approvalPayload } from '../../core/approval-payload.ts';
import { verifySsh } from '../../platform/ssh-signature.ts';
import type { BundleCheck, Contents } from './contents.ts';
import { readStateFile } from './check-record.ts';

export interface Means {
  /** The engine's key of this home, if there is one. */
  readonly key: Buffer | null;
  /** An allowed signers file. */
  readonly signers: string | null;
}

export async function checkSeals(contents: Contents, { key }: Means): Promise<BundleCheck> {
  const open = (says: string): BundleCheck => ({ name: 'seals', verdict: 'open', says });
  const text = contents.texts.get('journal.jsonl');
  if (key === null || text === undefined) return open('who wrote the journal shows only in the home that has the key');
  if (contents.manifest.files.some((file) => file.path === 'journal.jsonl' && file.original !== null))
    return open('the journal is masked');
  const { verifyChain } = await import('../../engine/journal.ts');
  const { entries, fault } = verifyChain(text, key);
  if (fault === null)
    return { name: 'seals', verdict: 'ok', says: `the engine of this home sealed all ${entries.length} entries` };
  if (fault.kind !== 'seal') return open('there is no sound journal to look at');
  // Another home's bundle fails at once; one that fails later was continued by somebody else.
  return fault.line === 1
    ? open('the engine of this home did not write it; another may have')
    : { name: 'seals', verdict: 'failed', says: `journal.jsonl: ${fault.message}` };
}

export async function checkSignatures(contents: Contents, { signers }: Means): Promise<BundleCheck | null> {
  const read = readStateFile(contents);
  if (typeof read === 'string') return null;
  const { run, approvals } = read.state;
  const signed = approvals.filter((approval) => approval.operator.signature !== null);
  if (signers === null) {
    const says = `${signed.length} approvals are signed; --signers FILE checks them`;
    return signed.length === 0 ? null : { name: 'signatures', verdict: 'open', says };
  }
  for (const approval of approvals) {
    const label = `${approval.gate} round ${approval.round} by ${approval.operator.name}`;
    const { signature } = approval.operator;
    if (signature === null) return { name: 'signatures', verdict: 'failed', says: `${label} is not signed` };
    const verdict = await verifySsh({
      allowedSigners: signers,
      principal: signature.principal,
      namespace: approvalNamespace,
      text: approvalPayload({ ...approval, run }),
      armored: signature.armored,
    });
    if (!verdict.ok) return { name: 'signatures', verdict: 'failed', says: `${label}: ${verdict.reason}` };
  }
  return { name: 'signatures', verdict: 'ok', says: `${signed.length} approvals are signed by allowed signers` };
}
