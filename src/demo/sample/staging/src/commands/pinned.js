import { readStore } from '../store.js';

/** The caches that a clean never clears. */
export function run({ options, out }) {
  const pinned = readStore(options.store).entries.filter((entry) => entry.pinned);
  for (const entry of pinned) out.write(`${entry.name}\n`);
  out.write(`${pinned.length} pinned\n`);
}
