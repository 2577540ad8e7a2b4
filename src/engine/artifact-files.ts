// The artifacts folder of a run, and exact copies of every version that the engine recorded.
import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ArtifactName, artifactNames } from '../core/stage.ts';
import type { ArtifactRecord, RunState } from '../core/state.ts';
import type { WorkStage } from '../core/stage.ts';
import { makePrivateDir, writeFileAtomic } from '../platform/atomic-file.ts';
import type { RunPaths } from '../platform/paths.ts';
import { sha256 } from './canonical.ts';
import { readUntrusted } from '../platform/untrusted-file.ts';

/** Above what a contract allows; read at all, so that the check can say what is wrong. */
const maxBytes = 1024 * 1024;

export interface ArtifactOnDisk {
  readonly name: ArtifactName;
  readonly data: Buffer;
  readonly text: string;
  readonly sha256: string;
  /** When it was written last; epoch milliseconds. */
  readonly changedMs: number;
}

type Paths = Pick<RunPaths, 'artifacts' | 'versions'>;

/** Null when it is not there, or is no plain file of a sensible size. */
export async function readArtifact(paths: Paths, name: ArtifactName): Promise<ArtifactOnDisk | null> {
  const read = await readUntrusted(join(paths.artifacts, name), maxBytes);
  if (!read.ok) return null;
  const { data, changedMs } = read;
  return { name, data, text: data.toString('utf8'), sha256: sha256(data), changedMs };
}

export async function readArtifacts(paths: Paths): Promise<Map<ArtifactName, ArtifactOnDisk>> {
  const all = await Promise.all(artifactNames.map((name) => readArtifact(paths, name)));
  return new Map(all.flatMap((found) => (found === null ? [] : [[found.name, found]])));
}

/** `artifacts/idea.md`: how an artifact is named in every record. */
export function artifactPath(name: string): string {
  return `artifacts/${name}`;
}

/** The record of a version, whose exact content is kept from now on. */
export async function recordArtifact(
  paths: Paths,
  found: ArtifactOnDisk,
  stage: WorkStage,
  time: string,
): Promise<ArtifactRecord> {
  await keepVersion(paths, found.data);
  return {
    name: found.name,
    path: artifactPath(found.name),
    sha256: found.sha256,
    sizeBytes: found.data.length,
    stage,
    time,
  };
}

export async function keepVersion(paths: Paths, data: Buffer): Promise<string> {
  const hash = sha256(data);
  const path = join(paths.versions, hash);
  const there = await readUntrusted(path, maxBytes);
  if (there.ok && sha256(there.data) === hash) return hash;
  await makePrivateDir(paths.versions);
  await writeFileAtomic(path, data);
  return hash;
}

export async function readVersion(paths: Paths, hash: string): Promise<Buffer | null> {
  const read = await readUntrusted(join(paths.versions, hash), maxBytes);
  return read.ok && sha256(read.data) === hash ? read.data : null;
}

export async function writeArtifact(paths: Paths, fileName: string, text: string): Promise<void> {
  await replaceArtifact(paths, fileName, text);
}

/** A folder that the agent has put in its place is not in the way: a rename goes over a file or a link only. */
async function replaceArtifact(paths: Paths, name: string, data: string | Uint8Array): Promise<void> {
  const path = join(paths.artifacts, name);
  if ((await lstat(path).catch(() => null))?.isDirectory()) await rm(path, { recursive: true, force: true });
  await writeFileAtomic(path, data);
}

/** Recorded artifacts that are not as they were recorded. */
export async function changedArtifacts(
  paths: Paths,
  state: RunState,
  except: readonly string[],
): Promise<ArtifactRecord[]> {
  const changed: ArtifactRecord[] = [];
  for (const record of state.artifacts) {
    if (except.includes(record.name)) continue;
    const present = await readArtifact(paths, record.name);
    if (present?.sha256 !== record.sha256) changed.push(record);
  }
  return changed;
}

/** Puts the recorded versions back. Names those that could not be. */
export async function putBackArtifacts(paths: Paths, records: readonly ArtifactRecord[]): Promise<string[]> {
  const lost: string[] = [];
  for (const record of records) {
    const kept = await readVersion(paths, record.sha256);
    if (kept === null) lost.push(record.name);
    else await replaceArtifact(paths, record.name, kept);
  }
  return lost;
}
