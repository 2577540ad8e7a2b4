// Reads a home folder and says what of it a session sees. Entries are listed one by one on a folder of the session's
// own, so that a secret that is saved anew by renaming, or saved for the first time, does not appear in a running session.
import type { Dirent, Stats } from 'node:fs';
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { hiddenInHome, sanitizedInHome } from './credentials.ts';
import { sanitize } from './sanitize.ts';
import type { CuratedEntry, CuratedFolder, MaskedPath, PlannedFile } from './sandbox-plan.ts';

export interface CuratedHome {
  readonly folders: readonly CuratedFolder[];
  /** Where secrets really are when the home only has links to them. */
  readonly masked: readonly MaskedPath[];
  readonly files: readonly PlannedFile[];
}

/** `copies`: folder for the files that are shown without their secrets. */
export async function curateHome(home: string, copies: string): Promise<CuratedHome> {
  const folders: CuratedFolder[] = [];
  const files: PlannedFile[] = [];
  await curate('');
  return { folders, files, masked: await linkedSecrets(home) };

  async function curate(relative: string): Promise<void> {
    const path = join(home, relative);
    const entries: CuratedEntry[] = [];
    folders.push({ path, entries });
    for (const item of await list(path)) {
      const below = join(relative, item.name);
      if (hidden.has(below)) continue;
      if (item.isSymbolicLink()) {
        const replaced = await replacement(below);
        entries.push(replaced ?? { kind: 'link', name: item.name, target: await readlink(join(path, item.name)) });
      } else if (item.isDirectory()) {
        if (parentsOfSecrets.has(below)) await curate(below);
        else entries.push({ kind: 'shown', name: item.name });
      } else if (item.isFile()) {
        entries.push((await replacement(below)) ?? { kind: 'shown', name: item.name });
      }
      // Sockets, pipes and devices in a home belong to the operator's own programs.
    }
  }

  async function replacement(relative: string): Promise<CuratedEntry | null> {
    const kind = sanitizedInHome[relative];
    if (kind === undefined) return null;
    const source = join(copies, relative.replaceAll('/', '%'));
    files.push({ path: source, content: sanitize(kind, await readFile(join(home, relative), 'utf8').catch(() => '')) });
    return { kind: 'replaced', name: relative.slice(relative.lastIndexOf('/') + 1), source };
  }
}

const hidden = new Set(hiddenInHome);

const parentsOfSecrets = new Set(
  [...hiddenInHome, ...Object.keys(sanitizedInHome)].flatMap((path) => {
    const parts = path.split('/');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
  }),
);

/** A secret that is a link (dotfiles in a repository) is hidden where it is, too. */
async function linkedSecrets(home: string): Promise<MaskedPath[]> {
  const masked: MaskedPath[] = [];
  const realHome = await realpath(home).catch(() => home);
  for (const relative of [...hiddenInHome, ...Object.keys(sanitizedInHome)]) {
    const real = await realpath(join(home, relative)).catch(() => null);
    if (real === null || real === join(realHome, relative) || `${realHome}/`.startsWith(`${real}/`)) continue;
    const kind = kindOf(await stat(real));
    if (kind !== null) masked.push({ path: real, kind });
  }
  return masked;
}

function kindOf(stats: Stats): MaskedPath['kind'] | null {
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : null;
}

async function list(path: string): Promise<Dirent[]> {
  return readdir(path, { withFileTypes: true }).catch(() => []);
}
