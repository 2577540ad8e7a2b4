// A durable transition with artifacts beside the bare cost of making one file durable: what the journal, its seal, the
// state and the kept version add to tmp + fsync + rename.
import { mkdtempSync, rmSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEvent } from '../src/core/event.ts';
import { initialState } from '../src/core/initial-state.ts';
import type { RunState } from '../src/core/state.ts';
import { transition } from '../src/core/transition.ts';
import { recordArtifact } from '../src/engine/artifact-files.ts';
import { sha256 } from '../src/engine/canonical.ts';
import { HeadLedger } from '../src/engine/head-ledger.ts';
import { StateStore } from '../src/engine/store.ts';
import { percentile } from './support/report.ts';

const rounds = 200;
const folder = mkdtempSync(join(tmpdir(), 'gh-bench-'));
const log = { info: () => {}, warn: () => {}, error: () => {} };
const paths = {
  state: join(folder, 'state.json'),
  journal: join(folder, 'journal.jsonl'),
  artifacts: folder,
  versions: join(folder, 'versions'),
};

try {
  const state = manyRecords();
  const text = `${JSON.stringify({ state, head: sha256(''), seq: 1 }, null, 1)}\n`;
  const bare: number[] = [];
  const product: number[] = [];
  const key = Buffer.alloc(32, 1);
  const heads = await HeadLedger.open(join(folder, 'heads.jsonl'), key);
  const store = new StateStore(paths, key, heads.of('r1'), log);
  let current = state;
  await store.create(current);
  // In turns, so that a busy moment of the machine meets both.
  for (let round = 0; round < rounds; round++) {
    bare.push(await timed(() => writeBare(text)));
    product.push(
      await timed(async () => {
        current = await decide(store, current, round);
      }),
    );
  }
  const [bareP95, productP95] = [percentile(bare, 0.95), percentile(product, 0.95)];
  process.stdout.write(
    [
      `state.json: ${Math.round(text.length / 1024)} KiB, ${rounds} rounds`,
      `one file, tmp + fsync + rename   p50 ${ms(percentile(bare, 0.5))}  p95 ${ms(bareP95)}`,
      `transition with an artifact      p50 ${ms(percentile(product, 0.5))}  p95 ${ms(productP95)}`,
      `ratio of p95: ${(productP95 / bareP95).toFixed(2)}  (target: p95 <= 8 ms)`,
      '',
    ].join('\n'),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function decide(store: StateStore, state: RunState, round: number): Promise<RunState> {
  const at = new Date(Date.parse(state.since) + round).toISOString();
  const data = Buffer.from(`# Round ${round}\n\n${'Some words of a person. '.repeat(200)}`);
  const found = { name: 'diagnosis.md' as const, data, text: data.toString(), sha256: sha256(data), changedMs: 0 };
  const record = await recordArtifact(paths, found, 'diagnose', at);
  const skill = { name: 'lattice-diagnose' as const, sha256: sha256('') };
  const read: RunEvent = { type: 'skill.read', read: skill, at };
  const next = transition(state, read);
  if (!next.ok) throw new Error(next.rejection.message);
  // The state keeps its size, so that every round costs the same.
  const kept = { ...next.state, skillsRead: state.skillsRead, artifacts: [record] };
  await store.append(read, kept);
  return kept;
}

/** A run late in its life: fifty pieces of evidence, a long history. */
function manyRecords(): RunState {
  const at = '2026-05-04T10:00:00.000Z';
  const task = {
    id: 'T-1',
    title: 'A task',
    description: 'Do it. '.repeat(100),
    labels: [],
    priority: 'normal' as const,
  };
  const tokens = { development: '[START DEVELOPMENT]', testing: '[SUBMIT FOR TESTING]' };
  const state = initialState({ run: 'bench', task, tokens, reviewSession: 'fresh', at });
  const evidence = Array.from({ length: 50 }, (_, n) => ({
    id: `E${n + 1}`,
    kind: 'command' as const,
    stage: 'diagnose' as const,
    time: at,
    tree: 'a'.repeat(40),
    commit: 'b'.repeat(40),
    command: 'npm test',
    exitCode: 0,
    durationMs: 1,
    declaredTest: true,
    origin: null,
    file: `E${n + 1}.out`,
    sha256: sha256(String(n)),
    sizeBytes: 1,
    excerpt: 'ok 1 - a test that has passed\n'.repeat(20),
    image: null,
    pair: null,
  }));
  return { ...state, stage: 'diagnose', evidence };
}

async function writeBare(text: string): Promise<void> {
  const path = join(folder, 'bare.json');
  const file = await open(`${path}.tmp`, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}
