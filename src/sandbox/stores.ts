// A runtime's folder as a session sees it: the run's own folder in its place, with the operator's entries bound over it.
// Not the operator's folder with masks over single files: a mount over a file goes away as soon as somebody replaces that
// file by renaming, a link cannot be covered at all, and what is not there yet could be made.
import { lstat, mkdir, open, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PlannedStore, StoreMount } from './sandbox-plan.ts';

export interface StoreRequest {
  readonly path: string;
  readonly rest: 'own' | 'shared';
  readonly shared: readonly string[];
  readonly settings: readonly (string | RegExp)[];
  readonly own: readonly string[];
}

/** `runStores`: the folder of this run below which its own parts lie. Reads only. */
export async function planStore(store: StoreRequest, runStores: string): Promise<PlannedStore> {
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

/**
 * Makes the places that are bound over, and what is empty. A session before this one could write the run's own folder, so
 * whatever stands there in another form, a link above all, is taken away; in the operator's folder nothing ever is.
 */
export async function prepareStore({ base, target, mounts }: PlannedStore): Promise<void> {
  const isOurs = base !== target;
  await mkdir(base, { recursive: true, mode: 0o700 });
  for (const { source, name, kind, writable } of mounts) {
    if (source !== null && writable && kind === 'folder') await mkdir(source, { recursive: true, mode: 0o700 });
    const place = join(base, name);
    const there = await lstat(place).catch(() => null);
    if (isOurs && there !== null && (source === null || !isOfKind(there, kind))) {
      await rm(place, { recursive: true, force: true });
    } else if (there !== null) continue;
    if (kind === 'folder') await mkdir(place, { recursive: true, mode: 0o700 });
    else await makeEmpty(place);
  }
}

/** What a program reads as no setting at all. */
async function makeEmpty(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(path.endsWith('.json') ? '{}\n' : '');
  } finally {
    await file.close();
  }
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

function isOfKind(facts: { isDirectory(): boolean; isFile(): boolean }, kind: StoreMount['kind']): boolean {
  return kind === 'folder' ? facts.isDirectory() : facts.isFile();
}
