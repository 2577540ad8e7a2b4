// The sections of the run view. Each gives rows for a size and takes the keys it knows.
import type { InputEvent } from '../input/keys.ts';
import type { Hint, Size } from '../screen.ts';

const tabNames = [
  'decision',
  'diff',
  'artifacts',
  'evidence',
  'images',
  'history',
  'screen',
  'why',
  'timeline',
] as const;
export type TabName = (typeof tabNames)[number];

export interface Tab {
  readonly name: TabName;
  /** The title in the tab bar; `count` where a number helps. */
  label(): string;
  rows(size: Size): string[];
  input(event: InputEvent): boolean;
  hints(): readonly Hint[];
  /** True while it takes every key, as a search does. */
  busy(): boolean;
}

export const scrollHints: readonly Hint[] = [
  { key: 'j k', does: 'scroll' },
  { key: '/', does: 'search' },
];

const tabKeys: Readonly<Record<string, TabName>> = {
  d: 'diff',
  A: 'artifacts',
  s: 'images',
  l: 'timeline',
  e: 'why',
};

/** The section of a run that a key leads to, from everywhere. */
export function tabOfKey(key: string): TabName | null {
  return tabKeys[key] ?? null;
}
