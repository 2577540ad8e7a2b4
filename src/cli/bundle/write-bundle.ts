// One file with everything about a run: a gzipped tar whose first file is the manifest. Written beside and renamed, so that
// a bundle is whole or not there; 0600, since it holds what the run's folder holds.
import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { create } from 'tar';
import { version } from '../../core/version.ts';
import type { HomePaths } from '../../platform/paths.ts';
import { gatherRun } from '../../timeline/gather-run.ts';
import { collect } from './collect.ts';
import { type BundledFile, type Manifest, manifestName } from './manifest.ts';
import type { Mask } from './masking.ts';
import { readStateAndJournal } from './read-state.ts';
import { type Staging, stageBytes, stageFile } from './stage-file.ts';

export interface BundleRequest {
  readonly paths: HomePaths;
  readonly run: string;
  readonly output: string;
  readonly mask: Mask | null;
}

export async function writeBundle({ paths, run, output, mask }: BundleRequest): Promise<Manifest> {
  const target = resolve(output);
  const work = await mkdtemp(join(dirname(target), '.gatehouse-bundle-'));
  try {
    const staging = { from: paths.run(run).dir, to: join(work, run), mask };
    const manifest = await stageRun(paths, run, staging);
    const packed = join(work, 'bundle.tar.gz');
    const names = [manifestName, ...manifest.files.map((file) => file.path)].map((path) => `./${run}/${path}`);
    await create({ file: packed, cwd: work, gzip: true, portable: true, mode: 0o600, strict: true }, names);
    await makeDurable(packed);
    await rename(packed, target);
    return manifest;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function stageRun(paths: HomePaths, run: string, staging: Staging): Promise<Manifest> {
  const place = paths.run(run);
  const files: BundledFile[] = [];
  const { state, journal } = await readStateAndJournal(place);
  const collected = await collect(place);
  const notes = [...collected.notes];
  for (const [name, bytes] of [['state.json', state] as const, ['journal.jsonl', journal] as const]) {
    if (bytes === null) notes.push(`${name} is not there`);
    else files.push(await stageBytes(staging, name, bytes));
  }
  for (const path of collected.files) {
    const staged = await stageFile(staging, path);
    if (staged === null) notes.push(`${path} is not a plain file; left out`);
    else files.push(staged);
  }
  const timeline = await gatherRun(paths, run).catch(() => null);
  if (timeline !== null) {
    files.push(await stageBytes(staging, 'timeline.json', Buffer.from(`${JSON.stringify(timeline, null, 1)}\n`)));
  }
  if (files.some((file) => file.path === 'session.cast' && file.original !== null)) {
    notes.push('session.cast was masked: offsets of session.index.jsonl point into the original');
  }
  const manifest: Manifest = {
    format: 'gatehouse-bundle',
    version: 1,
    run,
    createdAt: new Date().toISOString(),
    gatehouse: version,
    masking: staging.mask === null ? 'off' : 'on',
    journal: await judgeJournal(journal),
    files,
    notes,
  };
  await writeFile(join(staging.to, manifestName), `${JSON.stringify(manifest, null, 1)}\n`, { mode: 0o600 });
  return manifest;
}

async function judgeJournal(journal: Buffer | null): Promise<Manifest['journal']> {
  if (journal === null) return { entries: 0, head: null, fault: 'journal.jsonl is not there' };
  const { verifyChain } = await import('../../engine/journal.ts');
  const { entries, fault } = verifyChain(journal.toString('utf8'));
  return { entries: entries.length, head: entries.at(-1)?.hash ?? null, fault: fault?.message ?? null };
}

async function makeDurable(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
