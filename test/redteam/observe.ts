// Looks at everything that an attack may not change. What it sees is compared before and after.
import { createHash } from 'node:crypto';
import { type Stats, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import type { Site } from '../sandbox/support/site.ts';
import { git } from '../sandbox/support/site.ts';
import type { Observation } from './attack.ts';

export type View = ReadonlyMap<Observation, ReadonlyMap<string, string>>;

export interface Difference {
  readonly observation: Observation;
  /** Paths, shortened. */
  readonly what: readonly string[];
}

const switches = ['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/modprobe', '/proc/sys/vm/overcommit_memory'];

/** `tracked`: the worktree's product as it was at the start. */
export function observe(site: Site, tracked: readonly string[], approved: string, outside: string): View {
  const { run, home, clone } = site;
  const ofTheRun = [run.artifacts, run.evidence, run.runtime, run.stores, run.worktree, run.sandbox];
  return new Map<Observation, ReadonlyMap<string, string>>([
    ['product', product(run.worktree, tracked)],
    ['artifact', new Map([[approved, fingerprint(approved)]])],
    ['git', new Map([...tree(join(clone, '.git')), ['pointer', fingerprint(join(run.worktree, '.git'))]])],
    ['clone', tree(clone, [join(clone, '.git')])],
    ['remote', tree(site.origin)],
    ['home', tree(home.home, ofTheRun)],
    ['user', tree(site.userHome, [clone])],
    ['outside', filesBeside(outside)],
    ['machine', new Map(switches.map((path) => [path, fingerprint(path)]))],
  ]);
}

export function differences(before: View, after: View): Difference[] {
  const found: Difference[] = [];
  for (const [observation, then] of before) {
    const now = after.get(observation) ?? new Map<string, string>();
    const paths = new Set([...then.keys(), ...now.keys()]);
    const what = [...paths].filter((path) => then.get(path) !== now.get(path));
    if (what.length > 0) found.push({ observation, what: what.slice(0, 5) });
  }
  return found;
}

/** The file and what else begins with its name. */
export function filesBeside(path: string): Map<string, string> {
  const names = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)));
  return new Map(names.map((name) => [name, fingerprint(join(dirname(path), name))]));
}

export function trackedPaths(worktree: string): string[] {
  return git(worktree, 'ls-files', '-z').split('\0').filter(Boolean);
}

function product(worktree: string, tracked: readonly string[]): Map<string, string> {
  const folders = new Set(tracked.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? path));
  const found = new Map(tracked.map((path) => [path, fingerprint(join(worktree, path))]));
  for (const folder of folders) {
    found.set(folder, fingerprint(join(worktree, folder)));
    for (const [path, print] of tree(join(worktree, folder))) found.set(join(folder, path), print);
  }
  return found;
}

export function tree(root: string, without: readonly string[] = []): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    if (without.includes(path)) return;
    found.set(relative(root, path), fingerprint(path));
    if (kind(path) !== 'folder') return;
    for (const name of readdirSync(path)) visit(join(path, name));
  };
  visit(root);
  return found;
}

function kind(path: string): 'folder' | 'file' | 'link' | 'other' | 'nothing' {
  const stats = lstatQuietly(path);
  if (stats === undefined) return 'nothing';
  if (stats.isDirectory()) return 'folder';
  if (stats.isSymbolicLink()) return 'link';
  return stats.isFile() ? 'file' : 'other';
}

/** A parent that is a file now is as good as nothing there. */
function lstatQuietly(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

const largestRead = 64 * 1024 * 1024;

/** Kind, mode and content; never reads pipes, sockets or devices. */
export function fingerprint(path: string): string {
  switch (kind(path)) {
    case 'file': {
      const { mode: bits, size } = lstatSync(path);
      const mode = bits.toString(8);
      // A hole of terabytes is told by its size.
      if (size > largestRead) return `file ${mode} ${size} bytes`;
      return `file ${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`;
    }
    case 'link':
      return `link ${readlinkSync(path)}`;
    case 'folder':
      return `folder ${lstatSync(path).mode.toString(8)}`;
    case 'other':
      return 'other';
    case 'nothing':
      return 'nothing';
  }
}
