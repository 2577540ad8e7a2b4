// The evidence folder. The agent can write there too, so every file gets a name of its own that cannot be there before, and
// its hash is on record: a file that changed afterwards proves nothing.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Evidence } from '../core/state.ts';
import type { RunPaths } from '../platform/paths.ts';
import { sha256 } from './canonical.ts';
import { readUntrusted } from '../platform/untrusted-file.ts';

/** Full text of a command is kept up to this; a program that prints for ever must not fill the disk. */
export const maxOutputBytes = 16 * 1024 * 1024;
/** Images and logs that a person will look at. */
export const maxFileBytes = 32 * 1024 * 1024;

type Paths = Pick<RunPaths, 'evidence'>;

export interface NewEvidenceFile {
  /** Name below evidence/. */
  readonly name: string;
  write(data: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** O_EXCL and O_NOFOLLOW: a link that waits under this name is not written through. */
export async function createEvidenceFile(paths: Paths, id: string, extension: string): Promise<NewEvidenceFile> {
  const name = `${id}-${randomBytes(3).toString('hex')}${extension}`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const file = await open(join(paths.evidence, name), flags, 0o600);
  return {
    name,
    write: async (data) => {
      await file.appendFile(data);
    },
    close: async () => {
      await file.sync();
      await file.close();
    },
  };
}

/** Evidence whose file is not what was recorded. */
export async function changedEvidence(paths: Paths, records: readonly Evidence[]): Promise<Evidence[]> {
  const changed: Evidence[] = [];
  for (const evidence of records) if (!(await isIntact(paths, evidence))) changed.push(evidence);
  return changed;
}

async function isIntact(paths: Paths, evidence: Evidence): Promise<boolean> {
  if (evidence.file === null) return true;
  const read = await readUntrusted(join(paths.evidence, evidence.file), maxFileBytes);
  return read.ok && sha256(read.data) === evidence.sha256;
}
