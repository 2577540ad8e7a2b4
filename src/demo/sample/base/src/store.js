import { readFileSync } from 'node:fs';

/** The caches of one machine: `{ home, entries: [{ name, path, bytes, lastUsed, pinned }] }`. */
export function readStore(path) {
  if (path === undefined) throw new Error('--store FILE is missing');
  const store = JSON.parse(readFileSync(path, 'utf8'));
  if (!Array.isArray(store.entries)) throw new Error(`${path} has no entries`);
  return store;
}
