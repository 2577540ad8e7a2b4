// The part of a recording between two offsets, as it happened. Reads in pieces; a torn last line ends it.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isCastCode, parseEvent, parseHeader, parseSize } from '../recording/cast.ts';

export type RecordedStep =
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'resize'; readonly cols: number; readonly rows: number };

export async function* recordedBetween(path: string, from: number, to: number): AsyncGenerator<RecordedStep> {
  if (to <= from) return;
  const lines = createInterface({
    input: createReadStream(path, { start: from, end: to - 1 }),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    if (from === 0 && parseHeader(line) !== null) continue;
    const event = parseEvent(line);
    if (event === null || !isCastCode(event.code)) continue;
    if (event.code === 'o') yield { kind: 'output', text: event.data };
    const size = event.code === 'r' ? parseSize(event.data) : null;
    if (size !== null) yield { kind: 'resize', ...size };
  }
}
