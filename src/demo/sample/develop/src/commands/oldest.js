import { sortEntries } from '../sort.js';
import { readStore } from '../store.js';

/** The cache that was not used for the longest time. */
export function run({ options, out }) {
  const [first] = sortEntries(readStore(options.store).entries, 'age');
  out.write(first === undefined ? 'no caches\n' : `${first.name}, last used ${first.lastUsed.slice(0, 10)}\n`);
}
