// Copies one file of a run into the folder from which the bundle is packed, masked where it holds secrets.
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readlink, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Mask, maskBytes } from './masking.ts';
import type { BundledFile } from './manifest.ts';

/** Larger files are masked in pieces of whole lines, so that a recording of any length fits into memory. */
const pieceBytes = 16 * 1024 * 1024;

export interface Staging {
  /** Where the run's files are. */
  readonly from: string;
  readonly to: string;
  /** Null leaves secrets as they are. */
  readonly mask: Mask | null;
}

/** @returns null when it is no plain file any more. */
export async function stageFile(staging: Staging, path: string): Promise<BundledFile | null> {
  const source = await openPlain(staging.from, path);
  if (source === null) return null;
  try {
    return await stage(staging, path, pieces(source));
  } finally {
    await source.close();
  }
}

/** The same for content that was read already. */
export function stageBytes(staging: Staging, path: string, bytes: Buffer): Promise<BundledFile> {
  return stage(staging, path, [bytes]);
}

async function stage(
  { to, mask }: Staging,
  path: string,
  content: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<BundledFile> {
  const target = join(to, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const file = await open(target, 'wx', 0o600);
  const before = { hash: createHash('sha256'), sizeBytes: 0 };
  const after = { hash: createHash('sha256'), sizeBytes: 0 };
  let masked = false;
  try {
    for await (const piece of content) {
      const changed = mask === null ? null : maskBytes(path, piece, mask);
      masked ||= changed !== null;
      const written = changed ?? piece;
      before.hash.update(piece);
      before.sizeBytes += piece.length;
      after.hash.update(written);
      after.sizeBytes += written.length;
      await file.writeFile(written);
    }
  } finally {
    await file.close();
  }
  return {
    path,
    sizeBytes: after.sizeBytes,
    sha256: after.hash.digest('hex'),
    original: masked ? { sha256: before.hash.digest('hex'), sizeBytes: before.sizeBytes } : null,
  };
}

/**
 * Neither through a link nor into a pipe that would wait for ever. A folder on the way may have been exchanged for a link
 * since it was listed, so what was opened has to be where it was looked for.
 */
async function openPlain(folder: string, path: string): Promise<FileHandle | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(join(folder, path), flags).catch(() => null);
  if (file === null) return null;
  const [opened, real] = await Promise.all([readlink(`/proc/self/fd/${file.fd}`), realpath(folder)]);
  if (opened === join(real, path) && (await file.stat()).isFile()) return file;
  await file.close();
  return null;
}

/** Up to the size it has now, what is appended meanwhile is left; cut behind the last line of a piece where there is one. */
async function* pieces(file: FileHandle): AsyncGenerator<Buffer> {
  const { size } = await file.stat();
  let rest: Buffer = Buffer.alloc(0);
  for (let at = 0; at < size; ) {
    const buffer = Buffer.alloc(Math.min(pieceBytes, size - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const all = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const end = at < size ? all.lastIndexOf(0x0a) + 1 || all.length : all.length;
    rest = all.subarray(end);
    yield all.subarray(0, end);
  }
  if (rest.length > 0) yield rest;
}
