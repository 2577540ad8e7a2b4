// Looks at a worktree through an index of our own: the agent's index, HEAD and files are not touched.
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DiffText, FileChange, LineCounts } from '../core/repository.ts';
import { must, type Place } from './place.ts';

const kinds: Readonly<Record<string, FileChange['kind']>> = { A: 'added', D: 'deleted' };
/** How a tree names a repository inside the repository. */
const gitlinkMode = '160000';
/** Unified diffs are read on a screen; one file more than this is data. */
const statWidth = 100;

/** Hash of the tree of everything that is not ignored. Only files whose stat changed are read again. */
export async function treeOf(place: Place): Promise<string> {
  const call = { indexFile: place.index };
  const before = await stateOfIndex(place.index);
  const added = await place.git(['add', '--all', '--', '.'], call);
  if (!added.ok) {
    // A torn or foreign index is no loss: it is a cache.
    await rm(place.index, { force: true });
    await rm(`${place.index}.lock`, { force: true });
    await must(place.git(['read-tree', 'HEAD'], call), 'read the tree of HEAD');
    await must(place.git(['add', '--all', '--', '.'], call), 'look at the worktree');
  }
  // git leaves the index alone when nothing changed, and then the tree is the one that was written last.
  const after = await stateOfIndex(place.index);
  const last = written.get(place.index);
  if (after !== null && after === before && last?.state === after) return last.tree;
  const tree = await must(place.git(['write-tree'], call), 'write the tree of the worktree');
  // Writing the tree may itself note something in the index.
  const state = await stateOfIndex(place.index);
  if (state !== null) written.set(place.index, { state, tree });
  return tree;
}

/** The tree that was written last from an index, by the index's path. */
const written = new Map<string, { readonly state: string; readonly tree: string }>();

async function stateOfIndex(path: string): Promise<string | null> {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.ino}.${found.size}.${found.mtimeNs}.${found.ctimeNs}`;
}

export async function changesBetween(place: Place, from: string, to: string): Promise<FileChange[]> {
  if (from === to) return [];
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--raw', '--no-abbrev', '--no-commit-id', from, to];
  const fields = (await must(place.clone(args), 'compare two trees')).split('\0');
  const changes: FileChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, newMode, , , status = ''] = (fields[at] ?? '').split(' ');
    const change = { kind: kinds[status] ?? 'modified', path: fields[at + 1] ?? '' };
    changes.push(newMode === gitlinkMode ? { ...change, isRepository: true } : change);
  }
  return changes;
}

export async function diffText(place: Place, from: string, to: string, maxBytes: number): Promise<DiffText> {
  const range = ['--no-ext-diff', '--no-textconv', '--no-color', from, to];
  const stat = await must(place.clone(['diff', `--stat=${statWidth}`, ...range]), 'count the differences');
  const { stdout } = await place.clone(['diff', '--find-renames', ...range]);
  const whole = Buffer.from(stdout);
  if (whole.length <= maxBytes) return { stat, text: stdout, truncated: 0 };
  const kept = whole.subarray(0, whole.lastIndexOf(10, maxBytes) + 1).toString('utf8');
  return { stat, text: kept, truncated: countLines(stdout) - countLines(kept) };
}

export async function lineCountsBetween(place: Place, from: string, to: string): Promise<LineCounts[]> {
  const args = ['diff', '--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', from, to];
  const lines = (await must(place.clone(args), 'count the differences')).split('\0').filter((line) => line !== '');
  const count = (text: string | undefined) => (text === undefined || text === '-' ? null : Number(text));
  return lines.map((line) => {
    const [added, removed, ...path] = line.split('\t');
    return { path: path.join('\t'), added: count(added), removed: count(removed) };
  });
}

export async function topFolders(place: Place, treeish: string): Promise<string[]> {
  const listed = await must(place.clone(['ls-tree', '-d', '-z', '--name-only', treeish]), 'list the folders');
  return listed.split('\0').filter((name) => name !== '');
}

/** What git ignores in the worktree; a folder of which nothing is tracked is one entry and ends with a slash. */
export async function ignoredEntries(place: Place): Promise<string[]> {
  const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '--directory', '-z'];
  const listed = await must(place.git(args), 'list what is ignored');
  return listed.split('\0').filter((entry) => entry !== '');
}

export async function fileText(place: Place, treeish: string, path: string): Promise<string | null> {
  const blob = await place.clone(['cat-file', 'blob', `${treeish}:${path}`]);
  return blob.ok ? blob.stdout : null;
}

/** Lines of a file; the last one counts also without a newline. */
export function countLines(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

export async function unresolvedIn(place: Place, tree: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const text = await fileText(place, tree, path);
    if (text !== null && /^(?:<{7}|>{7}|\|{7})(?: |$)/m.test(text)) found.push(path);
  }
  return found;
}

/** Puts the worktree back to a tree. What is new is moved aside: nobody's work is deleted. */
export async function restoreTree(place: Place, tree: string, aside: string): Promise<void> {
  const present = await treeOf(place);
  for (const change of await changesBetween(place, tree, present)) {
    if (change.kind !== 'added') continue;
    await mkdir(dirname(join(aside, change.path)), { recursive: true, mode: 0o700 });
    await rename(join(place.worktree, change.path), join(aside, change.path));
  }
  const call = { indexFile: place.index };
  await must(place.git(['read-tree', '--reset', '-u', tree], call), 'put the worktree back');
}
