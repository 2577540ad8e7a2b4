// What can be said about a bundle offline. Each check says what it looked at.
import type { BundleCheck } from './contents.ts';
import { type BundledFile, type Manifest, manifestName, manifestSchema } from './manifest.ts';
import type { ReadBundle } from './read-bundle.ts';
import { type Means, checkSeals, checkSignatures } from './check-makers.ts';
import { checkApprovals, checkEvidence, checkJournal, checkReviews, checkState } from './check-record.ts';

export async function checkBundle(bundle: ReadBundle, means: Means): Promise<BundleCheck[]> {
  const manifest = readManifest(bundle);
  if (typeof manifest === 'string') return [{ name: 'manifest', verdict: 'failed', says: manifest }];
  const files = checkFiles(bundle, manifest);
  const originals = new Map(manifest.files.map((file) => [file.path, originalHash(file)]));
  const contents = { manifest, texts: bundle.texts, originals };
  const journal = await checkJournal(contents);
  const signatures = await checkSignatures(contents, means);
  return [
    files,
    journal.check,
    ...(await checkState(contents, journal.entries)),
    checkApprovals(contents),
    checkEvidence(contents),
    checkReviews(contents),
    checkMasking(manifest),
    await checkSeals(contents, means),
    ...(signatures === null ? [] : [signatures]),
  ];
}

function readManifest({ texts, folder }: ReadBundle): Manifest | string {
  const text = texts.get(manifestName);
  if (text === undefined) return `${manifestName} is not in it`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `${manifestName} does not parse: ${(error as Error).message}`;
  }
  const parsed = manifestSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return `${manifestName}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'invalid'}`;
  }
  return parsed.data.run === folder ? parsed.data : `it is of run ${parsed.data.run}, but its folder is ${folder}`;
}

function checkFiles({ entries, strangers }: ReadBundle, manifest: Manifest): BundleCheck {
  const failed = (says: string): BundleCheck => ({ name: 'files', verdict: 'failed', says });
  const [stranger] = strangers;
  if (stranger !== undefined) return failed(`${stranger} does not belong into a bundle`);
  const listed = new Set<string>();
  for (const file of manifest.files) {
    if (listed.has(file.path)) return failed(`${file.path} is listed twice`);
    listed.add(file.path);
    const entry = entries.get(file.path);
    if (entry === undefined) return failed(`${file.path} is listed but not there`);
    if (entry.sha256 !== file.sha256 || entry.sizeBytes !== file.sizeBytes)
      return failed(`${file.path} is not the file that was bundled: its sha256 is ${entry.sha256}`);
  }
  const extra = [...entries.keys()].find((path) => path !== manifestName && !listed.has(path));
  if (extra !== undefined) return failed(`${extra} is there but not listed`);
  return { name: 'files', verdict: 'ok', says: `${manifest.files.length} files have the sha256 of the manifest` };
}

function checkMasking({ files, masking }: Manifest): BundleCheck {
  const masked = files.filter((file) => file.original !== null).map((file) => file.path);
  if (masking === 'off') return { name: 'secrets', verdict: 'ok', says: 'not masked, as was asked for' };
  if (masked.length === 0) return { name: 'secrets', verdict: 'ok', says: 'none were found' };
  const says = `masked in ${masked.join(', ')}; for these the manifest's word stands for the original`;
  return { name: 'secrets', verdict: 'open', says };
}

function originalHash(file: BundledFile): string {
  return file.original?.sha256 ?? file.sha256;
}
