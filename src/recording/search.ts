// Finds text in what a session has printed.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import type { CastFile } from './reader.ts';

export interface SearchHit {
  /** Right after the output that completed the text. */
  readonly offset: number;
  readonly timeMs: number;
  readonly excerpt: string;
}

export interface SearchOptions {
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

const defaultLimit = 1_000;
const excerptChars = 60;

/** Ignores case. A text may be spread over several outputs; what a program paints in scattered pieces is not found. */
export async function searchRecording(file: CastFile, text: string, options: SearchOptions = {}): Promise<SearchHit[]> {
  const { limit = defaultLimit, signal } = options;
  const wanted = text.toLowerCase();
  const hits: SearchHit[] = [];
  if (wanted === '') return hits;
  let carried = '';
  for (const batch of file.batches()) {
    for (const { code, data, offset, end, timeMs } of batch) {
      if (code !== 'o') continue;
      const plain = carried + stripVTControlCharacters(data);
      const at = plain.toLowerCase().indexOf(wanted);
      if (at === -1) {
        // No hit is in there, so one that is found later ends in new text.
        carried = plain.slice(-(wanted.length + excerptChars));
        continue;
      }
      const excerpt = plain.slice(Math.max(0, at - excerptChars), at + wanted.length + excerptChars);
      hits.push({ offset: Math.max(offset, end), timeMs, excerpt: excerpt.replaceAll(/\s+/g, ' ').trim() });
      if (hits.length >= limit) return hits;
      carried = '';
    }
    signal?.throwIfAborted();
    await nextTurn();
  }
  return hits;
}
