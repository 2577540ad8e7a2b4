// Writes files into folders that an agent can write. It may have put a link where we are about to write, and a write
// through it would change the operator's files; so nothing on the way is a link, and the file is always a new one.
import { lstat, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

/** `path` lies below `root`, and what is above `root` is trusted. Whatever stands in the way is removed. */
export async function writeBelow(root: string, path: string, data: string | Uint8Array, mode = 0o600): Promise<void> {
  await makeFolderBelow(root, dirname(path));
  await rm(path, { recursive: true, force: true });
  // Exclusive creation follows no link.
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(data);
    await file.chmod(mode);
  } finally {
    await file.close();
  }
}

/** The same for a folder; what is in it stays. */
export async function makeFolderBelow(root: string, path: string): Promise<void> {
  const way = relative(root, path);
  if (way === '') return;
  const steps = way.split(sep);
  if (steps[0] === '..') throw new Error(`${path} is not below ${root}`);
  let folder = root;
  for (const step of steps) {
    folder = join(folder, step);
    if (await isFolder(folder)) continue;
    await rm(folder, { force: true });
    await mkdir(folder, { mode: 0o700 });
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch {
    return false;
  }
}
