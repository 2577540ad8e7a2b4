// Owns state.json and journal.jsonl of one run. The journal is written first and made durable, then the state, then the
// home's note of how far the journal goes: whatever is killed when, the journal's last whole line is the truth. Anything
// that this order cannot explain is a state error with the failed check named; nothing is repaired but a line whose append
// was cut off, and a state or a note that lags one line behind.
import { open, rename, stat } from 'node:fs/promises';
import type { ErrorBody, ErrorCode } from '../core/error.ts';
import type { Operator, RunState } from '../core/state.ts';
import { stateContradiction } from '../core/state-check.ts';
import { appendDurable, readTextIfThere, writeFileAtomic } from '../platform/atomic-file.ts';
import type { Log } from '../platform/log.ts';
import type { RunPaths } from '../platform/paths.ts';
import { canonical } from './canonical.ts';
import type { Head, RunHeads } from './head-ledger.ts';
import { type ChainVerdict, type JournalEntry, countReviews, formatEntry, makeEntry, verifyChain } from './journal.ts';
import { readState, readStateFile } from './migrations.ts';

export type Loaded =
  | { readonly ok: true; readonly state: RunState; readonly head: Head; readonly entries: readonly JournalEntry[] }
  | { readonly ok: false; readonly error: ErrorBody; readonly vouched: RunState | null };

type Paths = Pick<RunPaths, 'state' | 'journal'>;

const restoreHint =
  'look at the run folder; `gatehouse restore RUN` goes back to the last state that the engine vouches for';

export class StateStore {
  readonly #paths: Paths;
  readonly #key: Buffer;
  readonly #log: Log;
  readonly #heads: RunHeads;
  #head: Head | null = null;
  /** Size and time of both files when we last wrote or read them: whoever else writes changes these. */
  #seen = '';

  constructor(paths: Paths, key: Buffer, heads: RunHeads, log: Log) {
    this.#paths = paths;
    this.#key = key;
    this.#heads = heads;
    this.#log = log;
  }

  /** The first entry of a new run. */
  async create(state: RunState): Promise<void> {
    await this.#write({ type: 'run.created', at: state.since, noted: true }, state);
  }

  async append(event: JournalEntry['event'], state: RunState): Promise<void> {
    await this.#write(event, state);
  }

  async load(): Promise<Loaded> {
    const text = await readTextIfThere(this.#paths.journal);
    if (text === null) return failed('state.missing', 'journal.jsonl is not there', null);
    const chain = verifyChain(text, this.#key);
    const vouched = lastVouched(chain);
    if (chain.fault !== null) {
      const code =
        chain.fault.kind === 'unreadable'
          ? 'state.unreadable'
          : chain.fault.kind === 'seal'
            ? 'state.foreign'
            : 'state.inconsistent';
      return failed(code, `journal.jsonl: ${chain.fault.message}`, vouched);
    }
    const last = chain.entries.at(-1);
    if (last === undefined) return failed('state.missing', 'journal.jsonl has no entry', null);
    const file = await readTextIfThere(this.#paths.state);
    const verdict = judge(file, chain.entries, last);
    if (!verdict.ok) return failed(verdict.code, verdict.message, vouched);
    const putBack = contradictsHead(chain.entries, last, this.#heads.known());
    if (putBack !== null) return failed('state.foreign', putBack, vouched);
    if (chain.torn) await this.#cutTornLine(chain.soundBytes);
    if (verdict.behind) {
      this.#log.warn('state.json was one decision behind its journal; brought forward', { seq: last.seq });
      await this.#writeState(verdict.state, last);
    }
    this.#head = { seq: last.seq, hash: last.hash };
    await this.#noteHead();
    this.#seen = await this.#look();
    return { ok: true, state: verdict.state, head: this.#head, entries: chain.entries };
  }

  /** Was either file written by anybody else since? Cheap; reads the files only when their stat changed. */
  async foreignEdit(state: RunState): Promise<ErrorBody | null> {
    const now = await this.#look();
    if (now === this.#seen) return null;
    const head = this.#head;
    const loaded = await new StateStore(this.#paths, this.#key, this.#heads, this.#log).load();
    if (!loaded.ok) return loaded.error;
    if (head === null || loaded.head.hash !== head.hash || canonical(loaded.state) !== canonical(state)) {
      const where = `entry ${loaded.head.seq} where this engine wrote entry ${head?.seq ?? 0}`;
      return errorBody('state.foreign', `state.json and journal.jsonl were put back or replaced: ${where}`);
    }
    this.#seen = now;
    return null;
  }

  /** Writes the state again after a person asked for it. What cannot be vouched for is kept beside, under another name. */
  async restore(state: RunState, operator: Operator, at: string): Promise<void> {
    const text = (await readTextIfThere(this.#paths.journal)) ?? '';
    const chain = verifyChain(text, this.#key);
    const suffix = at.replace(/[^0-9]/g, '');
    if (chain.fault !== null || chain.torn) {
      await writeFileAtomic(`${this.#paths.journal}.refused-${suffix}`, text);
      await writeFileAtomic(this.#paths.journal, Buffer.from(text).subarray(0, chain.soundBytes));
    }
    await rename(this.#paths.state, `${this.#paths.state}.refused-${suffix}`).catch(() => {});
    this.#head = chain.entries.at(-1) ?? null;
    await this.#write({ type: 'state.restored', operator, state, at }, state);
  }

  async #write(event: JournalEntry['event'], state: RunState): Promise<void> {
    // So that the note is never more than one entry behind, whatever failed the last time.
    if (this.#head !== null) await this.#noteHead();
    const entry = makeEntry(this.#key, this.#head, { time: event.at, event, state });
    const before = (await stat(this.#paths.journal).catch(() => null))?.size ?? 0;
    try {
      await appendDurable(this.#paths.journal, formatEntry(entry));
      await this.#writeState(state, entry);
    } catch (error) {
      // A full disk: the caller is told that nothing was decided, so nothing of it may stay behind.
      await truncateFile(this.#paths.journal, before).catch(() => {});
      this.#seen = await this.#look();
      throw error;
    }
    this.#head = { seq: entry.seq, hash: entry.hash };
    this.#seen = await this.#look();
    await this.#noteHead().catch((error: unknown) =>
      this.#log.warn('how far a journal goes could not be noted; the next decision does it', { error: String(error) }),
    );
  }

  async #noteHead(): Promise<void> {
    if (this.#head !== null && this.#heads.known()?.hash !== this.#head.hash) await this.#heads.note(this.#head);
  }

  async #writeState(state: RunState, head: Head): Promise<void> {
    const file = { state, head: head.hash, seq: head.seq };
    await writeFileAtomic(this.#paths.state, `${JSON.stringify(file, null, 1)}\n`);
  }

  async #cutTornLine(bytes: number): Promise<void> {
    await truncateFile(this.#paths.journal, bytes);
    this.#log.warn('the last line of journal.jsonl was cut off and is taken away', { bytes });
  }

  async #look(): Promise<string> {
    const parts = await Promise.all(
      [this.#paths.state, this.#paths.journal].map(async (path) => {
        const found = await stat(path, { bigint: true }).catch(() => null);
        return found === null ? 'none' : `${found.ino}.${found.size}.${found.mtimeNs}.${found.ctimeNs}`;
      }),
    );
    return parts.join(' ');
  }

  get head(): Head | null {
    return this.#head;
  }
}

async function truncateFile(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

type Judged =
  | { readonly ok: true; readonly state: RunState; readonly behind: boolean }
  | { readonly ok: false; readonly code: ErrorCode; readonly message: string };

function judge(file: string | null, entries: readonly JournalEntry[], last: JournalEntry): Judged {
  const state = readState(last.state);
  if (!state.ok) return no('state.unreadable', `the last entry of journal.jsonl: ${state.why}`);
  const contradiction = stateContradiction(state.value);
  if (contradiction !== null) return no('state.inconsistent', `the state contradicts itself: ${contradiction}`);
  if (countReviews(entries) !== state.value.reviews.rounds.length)
    return no('state.inconsistent', 'the number of reviews is not that of the journal');
  if (file === null) {
    // The very first state may not have been written yet; later ones always replace one.
    if (entries.length === 1) return { ok: true, state: state.value, behind: true };
    return no('state.missing', 'state.json is not there');
  }
  const read = readStateFile(file);
  if (!read.ok) return no('state.unreadable', `state.json: ${read.why}`);
  const written = entries.find((entry) => entry.hash === read.value.head && entry.seq === read.value.seq);
  if (written === undefined) return no('state.foreign', 'state.json names an entry that journal.jsonl does not have');
  // As they stand in the files: a migration on reading must not hide or fake a difference.
  if (canonical((JSON.parse(file) as { state: unknown }).state) !== canonical(written.state))
    return no('state.foreign', `state.json differs from what the engine decided in entry ${written.seq}`);
  const lag = last.seq - written.seq;
  if (lag > 1) return no('state.inconsistent', `state.json is ${lag} decisions older than journal.jsonl`);
  return { ok: true, state: state.value, behind: lag === 1 };
}

/** Journal and state may be sound and still not the last that the engine wrote. */
function contradictsHead(entries: readonly JournalEntry[], last: JournalEntry, known: Head | null): string | null {
  const first = entries[0]?.event;
  const isNoted = first?.type === 'run.created' && first.noted === true;
  if (known === null && !isNoted) return null;
  const seq = known?.seq ?? 0;
  if (last.seq < seq)
    return `journal.jsonl ends with entry ${last.seq}, and the engine has written entry ${seq}: it was put back`;
  if (known !== null && entries[seq - 1]?.hash !== known.hash)
    return `entry ${seq} of journal.jsonl is another one than the engine has written`;
  if (last.seq - seq > 1)
    return `journal.jsonl goes to entry ${last.seq}, and heads.jsonl knows ${seq}: one of them was put back`;
  return null;
}

function lastVouched(chain: ChainVerdict): RunState | null {
  for (const entry of chain.entries.toReversed()) {
    const state = readState(entry.state);
    if (state.ok && stateContradiction(state.value) === null) return state.value;
  }
  return null;
}

function no(code: ErrorCode, message: string): Judged {
  return { ok: false, code, message };
}

function failed(code: ErrorCode, message: string, vouched: RunState | null): Loaded {
  return { ok: false, error: errorBody(code, message), vouched };
}

function errorBody(code: ErrorCode, message: string): ErrorBody {
  return { code, message, hint: restoreHint };
}
