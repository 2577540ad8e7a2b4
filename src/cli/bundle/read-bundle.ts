// Reads a bundle without unpacking it: nothing of a file that came from somewhere touches the disk.
import { createHash } from 'node:crypto';
import { type ReadEntry, list } from 'tar';
import { GatehouseError } from '../../core/error.ts';
import { manifestName } from './manifest.ts';

/** Whose text is looked into; of all others only the hash counts. */
const texts = [manifestName, 'state.json', 'journal.jsonl', 'run.json'];
/** Far above any real journal; a crafted archive must not fill the memory. */
const longestTextBytes = 256 * 1024 * 1024;

export interface BundleEntry {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export interface ReadBundle {
  /** By path below the run's folder. */
  readonly entries: ReadonlyMap<string, BundleEntry>;
  readonly texts: ReadonlyMap<string, string>;
  /** What does not belong into a bundle: links, other folders, a file twice. */
  readonly strangers: readonly string[];
  readonly folder: string;
}

export async function readBundle(file: string): Promise<ReadBundle> {
  const entries = new Map<string, BundleEntry>();
  const found = new Map<string, string>();
  const strangers: string[] = [];
  let folder: string | null = null;
  const onReadEntry = (entry: ReadEntry): void => {
    const [top = '', ...rest] = entry.path.replace(/^\.\//, '').split('/');
    folder ??= top;
    const path = rest.join('/');
    // Other tools pack folders as entries of their own; they hold nothing.
    if (entry.type === 'Directory' && top === folder) {
      entry.resume();
      return;
    }
    const fits = entry.type === 'File' && top === folder && path !== '' && !rest.includes('..');
    if (!fits || entries.has(path)) {
      strangers.push(`${entry.path} (${entry.type})`);
      entry.resume();
      return;
    }
    // Its place is taken before its end is read: a second one of this name is seen at once.
    entries.set(path, { path, sizeBytes: 0, sha256: '' });
    const hash = createHash('sha256');
    const kept: Buffer[] | null = texts.includes(path) && entry.size <= longestTextBytes ? [] : null;
    let sizeBytes = 0;
    entry.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      sizeBytes += chunk.length;
      kept?.push(chunk);
    });
    entry.on('end', () => {
      entries.set(path, { path, sizeBytes, sha256: hash.digest('hex') });
      if (kept !== null) found.set(path, Buffer.concat(kept).toString('utf8'));
    });
  };
  try {
    await list({ file, strict: true, onReadEntry });
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = missing ? 'there is no such file' : `not a readable archive (${(cause as Error).message})`;
    throw new GatehouseError('file.unreadable', `${file}: ${why}`, 'name a file that gatehouse bundle has written', {
      cause,
    });
  }
  if (folder === null) {
    throw new GatehouseError(
      'file.unreadable',
      `${file}: not an archive with a run in it`,
      'name a file that gatehouse bundle has written',
    );
  }
  return { entries, texts: found, strangers, folder };
}
