import { structuredPatch } from 'diff';

/** What changed between two texts, as the lines of a small diff. */
export function changeRows(name: string, before: string, after: string): string[] {
  const patch = structuredPatch(name, name, before, after, '', '', { context: 1 });
  return [`${name}:`, ...patch.hunks.flatMap((hunk) => [`@@ line ${hunk.newStart}`, ...hunk.lines])];
}
