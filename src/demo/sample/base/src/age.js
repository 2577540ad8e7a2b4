const dayMs = 24 * 60 * 60 * 1000;

/** Days since a cache was used last. */
export function ageInDays(lastUsed, now) {
  return Math.round((now.getTime() - new Date(lastUsed).getTime()) / dayMs);
}

export function isOlderThan(entry, limitMs, now) {
  return ageInDays(entry.lastUsed, now) >= limitMs / dayMs;
}
