const keys = {
  name: (entry) => entry.name.toLowerCase(),
  size: (entry) => String(entry.bytes),
  age: (entry) => entry.lastUsed,
};

/** A sorted copy: names from A, the largest and the oldest first. */
export function sortEntries(entries, by) {
  const key = keys[by];
  if (key === undefined) throw new Error(`cannot sort by ${by}; one of ${Object.keys(keys).join(', ')}`);
  const direction = by === 'size' ? -1 : 1;
  return [...entries].sort((a, b) => {
    const left = key(a);
    const right = key(b);
    return left < right ? -direction : left > right ? direction : 0;
  });
}
