// journal.jsonl: one line per decision, each sealed and chained to the one before. Pure: text in, verdict out.
// The chain alone shows that nothing was changed in the middle; the seal shows who wrote it, to whoever has the key.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { RunEvent } from '../core/event.ts';
import type { RunState } from '../core/state.ts';
import { canonical, sha256 } from './canonical.ts';

export interface JournalEntry {
  /** From 1. */
  readonly seq: number;
  readonly time: string;
  /** What was decided; the first entry of a run has `run.created`. */
  readonly event: RunEvent | RunCreated;
  /** The whole state afterwards. */
  readonly state: RunState;
  readonly prev: string;
  readonly hash: string;
  readonly seal: string;
}

export interface RunCreated {
  readonly type: 'run.created';
  readonly at: string;
  /** The home notes how far this journal goes: a home that knows nothing of it has lost that note. */
  readonly noted?: true;
}

const lineSchema = z.strictObject({
  seq: z.number().int().positive(),
  time: z.string(),
  event: z.looseObject({ type: z.string() }),
  state: z.looseObject({}),
  prev: z.string(),
  hash: z.string(),
  seal: z.string(),
});

/** Before the first entry. */
const genesis = '0'.repeat(64);

export function makeEntry(
  key: Buffer,
  before: Pick<JournalEntry, 'seq' | 'hash'> | null,
  facts: Pick<JournalEntry, 'time' | 'event' | 'state'>,
): JournalEntry {
  const prev = before?.hash ?? genesis;
  const body = { seq: (before?.seq ?? 0) + 1, ...facts };
  const hash = hashOf(prev, body);
  return { ...body, prev, hash, seal: sealOf(key, hash) };
}

export function formatEntry(entry: JournalEntry): string {
  return `${canonical(entry)}\n`;
}

export interface ChainVerdict {
  /** Entries up to the first fault. */
  readonly entries: readonly JournalEntry[];
  /** Bytes of the text that those entries take. */
  readonly soundBytes: number;
  /** An append that was cut off: the last line has no end. It was never relied on. */
  readonly torn: boolean;
  readonly fault: {
    readonly line: number;
    readonly kind: 'unreadable' | 'chain' | 'seal';
    readonly message: string;
  } | null;
}

/** Works without the key; with it the seals are checked as well. */
export function verifyChain(text: string, key?: Buffer): ChainVerdict {
  const entries: JournalEntry[] = [];
  let soundBytes = 0;
  const lines = text.split('\n');
  const tail = lines.pop() ?? '';
  for (const [index, line] of lines.entries()) {
    const entry = readLine(line);
    const fault = entry === null ? ('unreadable' as const) : faultOf(entry, entries.at(-1) ?? null, key);
    if (entry === null || fault !== null) {
      const message = {
        unreadable: 'is not an entry',
        chain: 'breaks the chain',
        seal: 'was not sealed by the engine',
      };
      const kind = fault ?? 'unreadable';
      return {
        entries,
        soundBytes,
        torn: false,
        fault: { line: index + 1, kind, message: `line ${index + 1} ${message[kind]}` },
      };
    }
    entries.push(entry);
    soundBytes += Buffer.byteLength(line) + 1;
  }
  return { entries, soundBytes, torn: tail !== '', fault: null };
}

function readLine(line: string): JournalEntry | null {
  try {
    const parsed = lineSchema.safeParse(JSON.parse(line));
    // The shape of event and state is vouched for by hash and seal; whoever relies on a state parses it.
    return parsed.success ? (parsed.data as unknown as JournalEntry) : null;
  } catch {
    return null;
  }
}

function faultOf(entry: JournalEntry, before: JournalEntry | null, key: Buffer | undefined): 'chain' | 'seal' | null {
  const { seq, time, event, state } = entry;
  if (seq !== (before?.seq ?? 0) + 1 || entry.prev !== (before?.hash ?? genesis)) return 'chain';
  if (entry.hash !== hashOf(entry.prev, { seq, time, event, state })) return 'chain';
  if (key !== undefined && !sameText(entry.seal, sealOf(key, entry.hash))) return 'seal';
  return null;
}

function hashOf(prev: string, body: Pick<JournalEntry, 'seq' | 'time' | 'event' | 'state'>): string {
  return sha256(prev + canonical(body));
}

function sealOf(key: Buffer, hash: string): string {
  return createHmac('sha256', key).update(hash).digest('hex');
}

function sameText(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

/** Reviews on record. The state has them too; this is what they are checked against. */
export function countReviews(entries: readonly JournalEntry[]): number {
  let count = 0;
  for (const { event, state } of entries) {
    if (event.type === 'state.restored') count = state.reviews.rounds.length;
    if (event.type === 'stage.completed' && event.outcome.stage === 'review') count++;
  }
  return count;
}
