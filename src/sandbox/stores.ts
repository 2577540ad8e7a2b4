// A runtime's folder as a session sees it: the run's own folder in its place, with the operator's entries bound over it.
// Not the operator's folder with masks over single files: a mount over a file goes away as soon as somebody replaces that
// file by renaming, a link cannot be covered at all, and what is not there yet could be made.
import { lstat, mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { StoreFolder } from '../core/store-folder.ts';
import { makeFolderBelow, writeBelow } from '../platform/untrusted-folder.ts';
import type { PlannedStore, StoreMount } from './sandbox-plan.ts';

/** `runStores`: the folder of this run below which its own parts lie. Reads only. */
export async function planStore(store: StoreFolder, runStores: string): Promise<PlannedStore> {
  const ownFolder = join(runStores, store.path.replaceAll('/', '%'));
  const named = store.settings.filter((name) => typeof name === 'string');
  const patterns = store.settings.filter((name) => typeof name !== 'string');
  const spoken = new Set([...named, ...store.shared, ...store.own].map((name) => plain(name).split('/')[0]));
  const matching = (await readdir(store.path).catch((): string[] => [])).filter(
    (name) => !spoken.has(name) && patterns.some((pattern) => pattern.test(name)),
  );
  const found = (names: readonly string[], writable: boolean) =>
    Promise.all(names.map((name) => operatorsEntry(store.path, name, writable)));
  const settings = await Promise.all(
    named.map(async (name) => (await operatorsEntry(store.path, name, false)) ?? nothing(name)),
  );
  const own = store.own.map((name): StoreMount => {
    const source = join(ownFolder, plain(name));
    return { source, name: plain(name), kind: kindOf(name), writable: true };
  });
  const mounts = [...(await found(store.shared, true)), ...(await found(matching, false)), ...settings, ...own];
  return {
    base: store.rest === 'own' ? ownFolder : store.path,
    target: store.path,
    mounts: mounts.filter((mount) => mount !== null),
  };
}

export function storeWords({ base, target, mounts }: PlannedStore): string[] {
  return [
    '--bind',
    base,
    target,
    ...mounts.flatMap(({ source, name, writable }) => [
      writable ? '--bind' : '--ro-bind',
      source ?? join(base, name),
      join(target, name),
    ]),
  ];
}

/** Makes the places that are bound over, and what is empty. */
export async function prepareStore({ base, target, mounts }: PlannedStore): Promise<void> {
  await mkdir(base, { recursive: true, mode: 0o700 });
  for (const mount of mounts) {
    const { source, kind, writable } = mount;
    if (source !== null && writable && kind === 'folder') await mkdir(source, { recursive: true, mode: 0o700 });
    await (base === target ? makeOperatorsPlace(base, mount) : makeOwnPlace(base, mount));
  }
}

/** A session before this one could write there: nothing on the way is a link, and what shall be empty is made anew. */
async function makeOwnPlace(base: string, { source, name, kind }: StoreMount): Promise<void> {
  const place = join(base, name);
  await makeFolderBelow(base, dirname(place));
  if (source === null) await rm(place, { recursive: true, force: true });
  if (kind === 'folder') await makeFolderBelow(base, place);
  else if (!(await isFile(place))) await writeBelow(base, place, emptyText(name));
}

/** Nothing of the operator's is ever replaced. */
async function makeOperatorsPlace(base: string, { name, kind }: StoreMount): Promise<void> {
  const place = join(base, name);
  if ((await lstat(place).catch(() => null)) !== null) return;
  if (kind === 'folder') await mkdir(place, { recursive: true, mode: 0o700 });
  else await writeFile(place, emptyText(name), { flag: 'wx', mode: 0o600 });
}

/** What a program reads as no setting at all. */
function emptyText(name: string): string {
  return name.endsWith('.json') ? '{}\n' : '';
}

async function isFile(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isFile() === true;
}

/** As it is, or where its link leads. A folder that is written need not be there yet. */
async function operatorsEntry(folder: string, name: string, writable: boolean): Promise<StoreMount | null> {
  const path = join(folder, plain(name));
  const source = (await realpath(path).catch(() => null)) ?? path;
  const facts = await stat(source).catch(() => null);
  if (facts?.isDirectory() || (facts === null && writable && kindOf(name) === 'folder'))
    return { source, name: plain(name), kind: 'folder', writable };
  return facts?.isFile() ? { source, name: plain(name), kind: 'file', writable } : null;
}

function nothing(name: string): StoreMount {
  return { source: null, name: plain(name), kind: kindOf(name), writable: false };
}

function kindOf(name: string): StoreMount['kind'] {
  return name.endsWith('/') ? 'folder' : 'file';
}

function plain(name: string): string {
  return name.endsWith('/') ? join(dirname(name), basename(name)) : name;
}
