// A file of the evidence folder, as it was recorded. The agent can write there, too: what was exchanged since shows nothing,
// and a pipe in its place must not hold up the console.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Evidence } from '../../core/state.ts';
import { readUntrusted } from '../../platform/untrusted-file.ts';

/** What the engine takes in at the most. */
const maxBytes = 32 * 1024 * 1024;
/** A picture that would take minutes or gigabytes to decode is named, not shown. */
const maxPixels = 40_000_000;

export type EvidenceData = { readonly data: Buffer } | { readonly failure: string };

export function evidencePath(runDir: string, file: string): string {
  return join(runDir, 'evidence', file);
}

export async function readEvidence(
  path: string,
  { sha256, image }: Pick<Evidence, 'sha256' | 'image'>,
): Promise<EvidenceData> {
  if (image !== null && image.width * image.height > maxPixels)
    return { failure: `${image.width}x${image.height}: too large to draw here` };
  const read = await readUntrusted(path, maxBytes);
  if (!read.ok) return { failure: 'the file is not there as it was recorded' };
  if (createHash('sha256').update(read.data).digest('hex') !== sha256)
    return { failure: 'the file was changed after it was recorded; it is not shown' };
  return { data: read.data };
}
