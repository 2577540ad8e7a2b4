// heads.jsonl: which entry of its journal each run of a home reached last. state.json and journal.jsonl can be put back
// together to an earlier pair that is sound in itself; this file then knows more than they do. It is one file for all runs,
// and each line is sealed together with the line before it: lines can only be cut off from its end, and that contradicts
// every other run that has gone on since. Who can put back the whole home is not noticed.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { appendDurable, readTextIfThere, writeFileAtomic } from '../platform/atomic-file.ts';
import { SerialQueue } from '../platform/serial-queue.ts';
import { canonical } from './canonical.ts';
import type { JournalEntry } from './journal.ts';

export type Head = Pick<JournalEntry, 'seq' | 'hash'>;

/** One run's part of it. */
export interface RunHeads {
  known(): Head | null;
  /** Durable when it returns. */
  note(head: Head): Promise<void>;
}

const lineSchema = z.strictObject({
  run: z.string(),
  seq: z.number().int().positive(),
  hash: z.string(),
  seal: z.string(),
});
type Line = z.infer<typeof lineSchema>;

/** More lines than this for each run are written anew as one for each. */
const linesPerRun = 50;

export class HeadLedger {
  readonly #path: string;
  readonly #key: Buffer;
  readonly #heads: Map<string, Head>;
  readonly #queue = new SerialQueue();
  #lastSeal: string;

  private constructor(path: string, key: Buffer, lines: readonly Line[]) {
    this.#path = path;
    this.#key = key;
    this.#heads = new Map(lines.map(({ run, seq, hash }) => [run, { seq, hash }]));
    this.#lastSeal = lines.at(-1)?.seal ?? '';
  }

  static async open(path: string, key: Buffer): Promise<HeadLedger> {
    const text = (await readTextIfThere(path)) ?? '';
    const lines = soundLines(text, key);
    const ledger = new HeadLedger(path, key, lines);
    const isWhole = lines.length === text.split('\n').length - 1 && (text === '' || text.endsWith('\n'));
    if (!isWhole || lines.length > ledger.#heads.size * linesPerRun) await ledger.#writeAnew();
    return ledger;
  }

  of(run: string): RunHeads {
    return {
      known: () => this.#heads.get(run) ?? null,
      note: (head) => this.#queue.run(() => this.#note(run, head)),
    };
  }

  async #note(run: string, { seq, hash }: Head): Promise<void> {
    const line = sealed(this.#key, this.#lastSeal, { run, seq, hash });
    await appendDurable(this.#path, `${canonical(line)}\n`);
    this.#lastSeal = line.seal;
    this.#heads.set(run, { seq, hash });
  }

  async #writeAnew(): Promise<void> {
    this.#lastSeal = '';
    const lines: string[] = [];
    for (const [run, { seq, hash }] of this.#heads) {
      const line = sealed(this.#key, this.#lastSeal, { run, seq, hash });
      this.#lastSeal = line.seal;
      lines.push(`${canonical(line)}\n`);
    }
    await writeFileAtomic(this.#path, lines.join(''));
  }
}

/** Up to the first line that is torn or was not written by the engine. */
function soundLines(text: string, key: Buffer): Line[] {
  const lines: Line[] = [];
  for (const raw of text.split('\n').slice(0, -1)) {
    const line = readLine(raw);
    if (line === null || !isSealed(line, lines.at(-1)?.seal ?? '', key)) break;
    lines.push(line);
  }
  return lines;
}

function readLine(raw: string): Line | null {
  try {
    return lineSchema.safeParse(JSON.parse(raw)).data ?? null;
  } catch {
    return null;
  }
}

function isSealed(line: Line, before: string, key: Buffer): boolean {
  const { run, seq, hash } = line;
  const [given, due] = [line.seal, sealed(key, before, { run, seq, hash }).seal];
  return given.length === due.length && timingSafeEqual(Buffer.from(given), Buffer.from(due));
}

function sealed(key: Buffer, before: string, facts: Omit<Line, 'seal'>): Line {
  return {
    ...facts,
    seal: createHmac('sha256', key)
      .update(before + canonical(facts))
      .digest('hex'),
  };
}
