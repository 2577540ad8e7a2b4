// state.json and journal.jsonl as they belong together, while the engine may be writing them.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { RunPaths } from '../../platform/paths.ts';

export interface StateAndJournal {
  readonly state: Buffer | null;
  readonly journal: Buffer | null;
}

const attempts = 20;
const pauseMs = 25;

/** The engine writes the journal first, then the state. When the state stays the same around it, both fit. */
export async function readStateAndJournal(place: Pick<RunPaths, 'state' | 'journal'>): Promise<StateAndJournal> {
  let found: StateAndJournal = { state: null, journal: null };
  for (let attempt = 0; attempt < attempts; attempt++) {
    const journal = await read(place.journal);
    const state = await read(place.state);
    const again = await read(place.journal);
    found = { state, journal };
    if (same(journal, again) && isWhole(journal)) return found;
    await delay(pauseMs);
  }
  return found;
}

function isWhole(journal: Buffer | null): boolean {
  return journal === null || journal.length === 0 || journal.at(-1) === 0x0a;
}

function same(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

async function read(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
