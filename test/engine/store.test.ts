// state.json and its journal: killed anywhere, edited by anybody. Real files.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunState } from '../../src/core/state.ts';
import { transition } from '../../src/core/transition.ts';
import { canonical, sha256 } from '../../src/engine/canonical.ts';
import { HeadLedger } from '../../src/engine/head-ledger.ts';
import { makeEntry, verifyChain } from '../../src/engine/journal.ts';
import { StateStore } from '../../src/engine/store.ts';
import { choices, eventFor, fresh, operator, time } from '../core/workflow-model.ts';
import fc from 'fast-check';

const key = Buffer.alloc(32, 7);
const log = { info: () => {}, warn: () => {}, error: () => {} };

let dir: string;
let paths: { state: string; journal: string };
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gh-store-'));
  paths = { state: join(dir, 'state.json'), journal: join(dir, 'journal.jsonl') };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** As a host that has just started does. */
const open = async () =>
  new StateStore(paths, key, (await HeadLedger.open(join(dir, 'heads.jsonl'), key)).of('r1'), log);

/** A store with some decisions; the state files as they were after each. */
async function written(steps = 4): Promise<{ store: StateStore; states: RunState[]; files: Buffer[] }> {
  const store = await open();
  const states = [fresh()];
  await store.create(states[0] ?? fresh());
  const files = [readFileSync(paths.state)];
  for (let step = 1; step < steps; step++) {
    const state = states.at(-1) ?? fresh();
    const event = eventFor(state, { kind: 0, a: 2, b: 1 }, time(step));
    const verdict = transition(state, event);
    if (!verdict.ok) throw new Error(verdict.rejection.message);
    await store.append(event, verdict.state);
    states.push(verdict.state);
    files.push(readFileSync(paths.state));
  }
  return { store, states, files };
}

const load = async () => (await open()).load();

describe('state.json and the journal', () => {
  it('are 0600 and read back what was decided', async () => {
    const { states } = await written();
    expect(statSync(paths.state).mode & 0o777).toBe(0o600);
    expect(statSync(paths.journal).mode & 0o777).toBe(0o600);
    expect(await load()).toMatchObject({ ok: true, state: states.at(-1) });
  });

  it('WORKFLOW state.json: killed at any byte of an append, the run stands where the last whole decision left it', async () => {
    const { states, files } = await written(2);
    const heads = readFileSync(join(dir, 'heads.jsonl'));
    // The note comes last.
    const noted = heads.subarray(0, heads.indexOf(10) + 1);
    const whole = readFileSync(paths.journal);
    const lastLine = whole.lastIndexOf(10, whole.length - 2) + 1;
    for (let cut = lastLine; cut < whole.length; cut++) {
      writeFileSync(paths.journal, whole.subarray(0, cut));
      writeFileSync(paths.state, files.at(-2) ?? '');
      writeFileSync(join(dir, 'heads.jsonl'), noted);
      const loaded = await load();
      expect(loaded).toMatchObject({ ok: true, state: states.at(-2) });
      // The torn line is gone and nothing else.
      expect(readFileSync(paths.journal).length).toBe(lastLine);
    }
  });

  it('WORKFLOW state.json: killed between journal and state, it rolls forward', async () => {
    const { states, files } = await written();
    writeFileSync(paths.state, files.at(-2) ?? '');
    expect(await load()).toMatchObject({ ok: true, state: states.at(-1) });
    expect(readFileSync(paths.state)).toEqual(files.at(-1));
  });

  it('rolls forward the very first decision, whose state was not written yet', async () => {
    const { states } = await written(1);
    rmSync(paths.state);
    expect(await load()).toMatchObject({ ok: true, state: states[0] });
  });

  it('state error: missing', async () => {
    await written();
    rmSync(paths.state);
    expect(await load()).toMatchObject({ ok: false, error: { code: 'state.missing' } });
    rmSync(paths.journal);
    expect(await load()).toMatchObject({ ok: false, error: { code: 'state.missing' }, vouched: null });
  });

  it('state error: unreadable, torn in the middle or of an unknown version', async () => {
    await written();
    const good = readFileSync(paths.state, 'utf8');
    for (const bad of [good.slice(0, 200), '', '{}', '[]', 'null', good.replace('"version": 1', '"version": 99')]) {
      writeFileSync(paths.state, bad);
      expect(await load()).toMatchObject({ ok: false, error: { code: 'state.unreadable' } });
      expect(readFileSync(paths.state, 'utf8')).toBe(bad);
    }
    writeFileSync(paths.state, good.replace('"version": 1', '"version": 99'));
    expect(await load()).toMatchObject({ ok: false, error: { message: expect.stringContaining('version 99') } });
  });

  it('state error: foreign, an edit by anyone but the engine', async () => {
    await written();
    const good = readFileSync(paths.state, 'utf8');
    writeFileSync(paths.state, good.replace('A task', 'B task'));
    expect(await load()).toMatchObject({ ok: false, error: { code: 'state.foreign' } });
    writeFileSync(paths.state, good.replace(/"head": "../, '"head": "00'));
    expect(await load()).toMatchObject({ ok: false, error: { code: 'state.foreign' } });
  });

  it('C088: a forged decision, chained correctly but without the key, is not believed', async () => {
    const { states } = await written();
    const entries = verifyChain(readFileSync(paths.journal, 'utf8')).entries;
    const forged = { ...(states.at(-1) ?? fresh()), labels: [] };
    const entry = makeEntry(Buffer.alloc(32, 1), entries.at(-1) ?? null, {
      time: time(50),
      event: { type: 'session.stopped', operator, reason: 'forged', at: time(50) },
      state: forged as unknown as RunState,
    });
    writeFileSync(paths.journal, `${readFileSync(paths.journal, 'utf8')}${canonical(entry)}\n`);
    expect(await load()).toMatchObject({
      ok: false,
      error: { code: 'state.foreign', message: expect.stringContaining('line 5') },
    });
  });

  it('state error: inconsistent, older than its journal or a journal that was cut', async () => {
    const { files } = await written(5);
    writeFileSync(paths.state, files[1] ?? '');
    expect(await load()).toMatchObject({ ok: false, error: { code: 'state.inconsistent' } });
    writeFileSync(paths.state, files.at(-1) ?? '');
    const text = readFileSync(paths.journal, 'utf8');
    truncateSync(paths.journal, text.lastIndexOf('\n', text.length - 2) + 1);
    expect(await load()).toMatchObject({ ok: false, error: { code: 'state.foreign' } });
  });

  it('notices every single changed byte of the journal', async () => {
    await written(3);
    const whole = readFileSync(paths.journal);
    // Every seventh byte: the chain hashes everything, so which ones makes no difference.
    for (let at = 0; at < whole.length; at += 7) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(paths.journal, bytes);
      const loaded = await load();
      expect(loaded.ok).toBe(false);
    }
  });

  it('notices both files put back to an older, consistent pair while the engine lives', async () => {
    const { store, states } = await written(3);
    const before = { state: readFileSync(paths.state), journal: readFileSync(paths.journal) };
    const event = eventFor(states.at(-1) ?? fresh(), { kind: 0, a: 2, b: 1 }, time(9));
    const verdict = transition(states.at(-1) ?? fresh(), event);
    if (!verdict.ok) throw new Error(verdict.rejection.message);
    await store.append(event, verdict.state);
    expect(await store.foreignEdit(verdict.state)).toBeNull();
    writeFileSync(paths.state, before.state);
    writeFileSync(paths.journal, before.journal);
    expect(await store.foreignEdit(verdict.state)).toMatchObject({ code: 'state.foreign' });
    // Restoring writes the state that this engine knows, on record.
    await store.restore(verdict.state, operator, time(20));
    expect(await load()).toMatchObject({ ok: true, state: verdict.state });
    const last = verifyChain(readFileSync(paths.journal, 'utf8'), key).entries.at(-1);
    expect(last?.event).toMatchObject({ type: 'state.restored', operator: { name: 'Olga' } });
  });

  describe('put back together with its journal, to a pair that is sound in itself', () => {
    const heads = () => join(dir, 'heads.jsonl');
    const saved = () => [paths.state, paths.journal].map((path) => [path, readFileSync(path)] as const);
    const decide = async (store: StateStore, state: RunState, seconds: number) =>
      store.append({ type: 'session.stopped', operator, reason: 'r', at: time(seconds) }, state);

    it('is noticed by whoever starts next, and a restore is on record', async () => {
      const { store, states } = await written(3);
      const state = states.at(-1) ?? fresh();
      const before = saved();
      await decide(store, state, 20);
      for (const [path, data] of before) writeFileSync(path, data);
      const again = await open();
      expect(await again.load()).toMatchObject({
        ok: false,
        error: { code: 'state.foreign', message: expect.stringContaining('ends with entry 3') },
        vouched: state,
      });
      await again.restore(state, operator, time(60));
      expect(await load()).toMatchObject({ ok: true, state });
    });

    it('is noticed also when another history of the same length takes its place', async () => {
      const { store, states } = await written(3);
      const state = states.at(-1) ?? fresh();
      const before = saved();
      await decide(store, state, 20);
      const known = readFileSync(heads());
      for (const [path, data] of before) writeFileSync(path, data);
      writeFileSync(heads(), known.subarray(0, known.lastIndexOf(10, known.length - 2) + 1));
      await decide(await loaded(), state, 30);
      writeFileSync(heads(), known);
      expect(await load()).toMatchObject({ ok: false, error: { code: 'state.foreign' } });
    });

    it('is noticed by the other runs when the note of all runs is put back, cut or taken away', async () => {
      const { store, states } = await written(3);
      const state = states.at(-1) ?? fresh();
      const old = readFileSync(heads());
      await decide(store, state, 20);
      await decide(store, state, 21);
      const whole = readFileSync(heads());
      const lines = whole.toString().split('\n').slice(0, -1);
      for (const text of [old, '', 'rubbish\n', `${lines.slice(0, 1).concat(lines.slice(2)).join('\n')}\n`]) {
        writeFileSync(heads(), text);
        expect(await load()).toMatchObject({ ok: false, error: { code: 'state.foreign' } });
      }
      rmSync(heads());
      expect(await load()).toMatchObject({ ok: false, error: { code: 'state.foreign' } });
    });

    it('killed before the note, or while it is written: goes on', async () => {
      const { store, states } = await written(3);
      const state = states.at(-1) ?? fresh();
      const before = readFileSync(heads());
      await decide(store, state, 20);
      const after = readFileSync(heads());
      for (let length = before.length; length <= after.length; length++) {
        writeFileSync(heads(), after.subarray(0, length));
        expect(await load()).toMatchObject({ ok: true, state });
        expect(await load()).toMatchObject({ ok: true, state });
      }
    });

    async function loaded(): Promise<StateStore> {
      const store = await open();
      expect(await store.load()).toMatchObject({ ok: true });
      return store;
    }
  });

  it('the note stays short, however many decisions there were', async () => {
    const { store, states } = await written(3);
    const state = states.at(-1) ?? fresh();
    for (let step = 0; step < 60; step++)
      await store.append({ type: 'session.stopped', operator, reason: 'r', at: time(step) }, state);
    expect(await load()).toMatchObject({ ok: true });
    expect(readFileSync(join(dir, 'heads.jsonl'), 'utf8').split('\n')).toHaveLength(2);
    expect(await load()).toMatchObject({ ok: true });
  });

  it('restores to the last decision that can be vouched for, and keeps what it refused', async () => {
    const { states } = await written(4);
    const lines = readFileSync(paths.journal, 'utf8').split('\n');
    lines[2] = (lines[2] ?? '').replace('A task', 'B task');
    writeFileSync(paths.journal, lines.join('\n'));
    const store = await open();
    const loaded = await store.load();
    expect(loaded).toMatchObject({ ok: false, vouched: states[1] });
    if (loaded.ok || loaded.vouched === null) return;
    await store.restore(loaded.vouched, operator, time(60));
    expect(await load()).toMatchObject({ ok: true, state: states[1] });
    expect(readFileSync(`${paths.journal}.refused-${time(60).replace(/[^0-9]/g, '')}`, 'utf8')).toBe(lines.join('\n'));
  });

  it('changes nothing when the state cannot be written: no decision is half on record', async () => {
    const { store, states } = await written(3);
    const journal = readFileSync(paths.journal);
    // A folder in the way of the rename stands in for a disk that takes the journal line but not the state.
    rmSync(paths.state);
    mkdirSync(join(paths.state, 'x'), { recursive: true });
    const state = states.at(-1) ?? fresh();
    const event = { type: 'session.stopped' as const, operator, reason: 'r', at: time(30) };
    await expect(store.append(event, state)).rejects.toThrow('EISDIR');
    expect(readFileSync(paths.journal)).toEqual(journal);
    rmSync(paths.state, { recursive: true });
    await store.append(event, state);
    expect(await load()).toMatchObject({ ok: true, state });
  });
});

describe('the chain', () => {
  it('can be checked offline without the key', async () => {
    await written();
    const verdict = verifyChain(readFileSync(paths.journal, 'utf8'));
    expect(verdict.fault).toBeNull();
    expect(verdict.entries).toHaveLength(4);
  });

  it('holds for whatever is decided', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        let state = fresh();
        let text = '';
        let head: { seq: number; hash: string } | null = null;
        for (const [index, choice] of steps.slice(0, 25).entries()) {
          const event = eventFor(state, choice, time(index));
          const verdict = transition(state, event);
          if (!verdict.ok) continue;
          state = verdict.state;
          const entry = makeEntry(key, head, { time: time(index), event, state });
          head = entry;
          text += `${canonical(entry)}\n`;
        }
        const verdict = verifyChain(text, key);
        expect(verdict.fault).toBeNull();
        expect(verdict.entries.at(-1)?.state ?? fresh()).toEqual(state);
      }),
      { numRuns: 50 },
    );
  });

  it('every past version of state.json still reads', async () => {
    const folder = join(import.meta.dirname, '../fixtures/state');
    for (const version of ['v1']) {
      copyFileSync(join(folder, version, 'state.json'), paths.state);
      copyFileSync(join(folder, version, 'journal.jsonl'), paths.journal);
      expect(await load()).toMatchObject({ ok: true, state: { version: 1, stage: 'ready-for-testing' } });
      expect(sha256(readFileSync(paths.journal))).toMatch(/^[0-9a-f]{64}$/);
    }
  });
});
