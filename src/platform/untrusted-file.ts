// Reads files in folders that an agent can write. A link could lead to the operator's files and a pipe could block for ever,
// so neither is followed; and nothing is read to its end just because it is there.
import { constants } from 'node:fs';
import { open, readlink } from 'node:fs/promises';

export type UntrustedRead =
  | { readonly ok: true; readonly data: Buffer; readonly changedMs: number }
  | { readonly ok: false; readonly why: 'missing' | 'not-a-file' | 'too-large' };

/**
 * `within`: real paths of folders, one of which must hold what was opened. Asking where a path leads before it is opened is
 * not enough: a folder on the way can be exchanged for a link in between.
 */
export async function readUntrusted(
  path: string,
  maxBytes: number,
  within?: readonly string[],
): Promise<UntrustedRead> {
  let file;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return { ok: false, why: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'not-a-file' };
  }
  try {
    const facts = await file.stat();
    if (!facts.isFile()) return { ok: false, why: 'not-a-file' };
    if (within !== undefined) {
      const opened = await readlink(`/proc/self/fd/${file.fd}`);
      if (!within.some((folder) => opened.startsWith(`${folder}/`))) return { ok: false, why: 'not-a-file' };
    }
    if (facts.size > maxBytes) return { ok: false, why: 'too-large' };
    const buffer = Buffer.alloc(facts.size);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return { ok: true, data: buffer.subarray(0, length), changedMs: facts.mtimeMs };
  } finally {
    await file.close();
  }
}
