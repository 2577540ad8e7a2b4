import { globToTest } from './glob.js';
import { isOlderThan } from './age.js';

/** Which caches a clean would clear, and how much space that frees. Pinned caches are never cleared. */
export function planClean(entries, { match, olderThanMs, now }) {
  const matches = match === undefined ? () => true : globToTest(match);
  const chosen = entries.filter(
    (entry) => matches(entry.name) && (olderThanMs === undefined || isOlderThan(entry, olderThanMs, now)),
  );
  const cleared = chosen.filter((entry) => !entry.pinned);
  const freedBytes = chosen.reduce((sum, entry) => sum + entry.bytes, 0);
  return { cleared, freedBytes };
}
