import type { Subject } from './state.ts';

export function sameSubject(a: Subject, b: Subject): boolean {
  return subjectDifference(a, b).length === 0;
}

/** Names of files (or `tree`) that differ between what was shown and what is there. */
export function subjectDifference(shown: Subject, present: Subject): string[] {
  const names = new Set([...shown.files, ...present.files].map((f) => f.path));
  const hash = (s: Subject, path: string) => s.files.find((f) => f.path === path)?.sha256;
  const files = [...names].filter((path) => hash(shown, path) !== hash(present, path));
  return shown.tree === present.tree ? files : [...files, 'tree'];
}
