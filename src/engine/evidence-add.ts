// `lattice evidence add FILE`: a file that the agent made (image, log, answer), or lines seen at the baseline commit.
import { realpath } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { Evidence } from '../core/state.ts';
import { nextEvidenceId } from '../core/transition.ts';
import type { AskParams } from './api.ts';
import { sha256 } from './canonical.ts';
import { type RunContext, applied, refuse, repositoryOf } from './context.ts';
import { createEvidenceFile, maxFileBytes } from './evidence-files.ts';
import { agentStage, excerptOf } from './evidence-run.ts';
import { type ImageFacts, readImage } from './image.ts';
import { inspectRun } from './inspect.ts';
import { readUntrusted } from '../platform/untrusted-file.ts';

type EvidenceAddParams = AskParams['evidence.add'];

export async function addEvidence(run: RunContext, params: EvidenceAddParams): Promise<string> {
  await inspectRun(run);
  agentStage(run.state());
  const place = /^(.+):([1-9]\d*)(?:-([1-9]\d*))?$/.exec(params.file);
  if (place !== null && (params.kind === undefined || params.kind === 'source')) {
    const [, path = '', from = '', to = from] = place;
    return addLines(run, { path, from: Number(from), to: Number(to) });
  }
  if (params.kind === 'source') {
    throw refuse(
      'evidence.invalid',
      'source evidence names lines',
      'write: lattice evidence add path/to/file.js:12-20',
    );
  }
  return addFile(run, params, params.kind);
}

async function addLines(run: RunContext, place: { path: string; from: number; to: number }): Promise<string> {
  const { baselineCommit } = repositoryOf(run.state());
  const text = await run.workspace().lines(baselineCommit, place.path, place.from, place.to);
  if (text === null) {
    throw refuse(
      'evidence.invalid',
      `${place.path}:${place.from}-${place.to} is not there at the baseline ${baselineCommit.slice(0, 12)}`,
      'name a path from the root of the repository, and lines that it has at the baseline',
    );
  }
  const origin = place.from === place.to ? `${place.path}:${place.from}` : `${place.path}:${place.from}-${place.to}`;
  const data = Buffer.from(text);
  return store(run, data, {
    kind: 'source',
    extension: '.txt',
    origin,
    image: null,
    pair: null,
    excerpt: excerptOf(text),
  });
}

async function addFile(
  run: RunContext,
  params: EvidenceAddParams,
  asked: 'image' | 'log' | 'api' | undefined,
): Promise<string> {
  const { path, folders } = await insideRun(run, resolve(params.cwd, params.file));
  const read = await readUntrusted(path, maxFileBytes, folders);
  if (!read.ok) throw refuse('evidence.invalid', `${params.file}: ${whyNot[read.why]}`, 'give a plain file');
  if (read.data.length === 0)
    throw refuse('evidence.invalid', `${params.file} is empty`, 'record something that can be seen');
  const image = readImage(read.data);
  const kind = asked ?? (image === null ? 'log' : 'image');
  if (kind === 'image' && image === null) {
    throw refuse(
      'evidence.invalid',
      `${params.file} is not a whole PNG, JPEG, GIF or WebP image`,
      'capture the interface again and add that file',
    );
  }
  const pair = pairOf(params.pair, kind);
  const excerpt = image === null ? excerptOf(read.data.toString('utf8')) : describe(image);
  const extension = /^\.[A-Za-z0-9]{1,8}$/.exec(extname(path))?.[0] ?? '';
  const wanted = kind === 'image' ? image : null;
  return store(run, read.data, { kind, extension, origin: basename(path), image: wanted, pair, excerpt });
}

type Stored = Pick<Evidence, 'kind' | 'origin' | 'pair' | 'excerpt'> & { extension: string; image: ImageFacts | null };

async function store(run: RunContext, data: Buffer, facts: Stored): Promise<string> {
  const state = run.state();
  const id = nextEvidenceId(state);
  const file = await createEvidenceFile(run.paths, id, facts.extension);
  await file.write(data);
  await file.close();
  const { extension: _, ...rest } = facts;
  const evidence: Evidence = {
    id,
    stage: agentStage(state),
    time: run.now(),
    tree: await run.workspace().tree(),
    commit: await run.workspace().head(),
    command: null,
    exitCode: null,
    durationMs: null,
    declaredTest: false,
    file: file.name,
    sha256: sha256(data),
    sizeBytes: data.length,
    ...rest,
  };
  await applied(run, { type: 'evidence.recorded', evidence, at: run.now() });
  const pair = facts.pair === null ? '' : `, ${facts.pair.side} of ${facts.pair.name}`;
  return `${id}: ${facts.kind} ${facts.origin}${pair}\ntree ${evidence.tree}; kept as evidence/${file.name}\n\n${facts.excerpt}`;
}

/** A path that leads out of what the session may show would make the engine a reader of the operator's files. */
async function insideRun(run: RunContext, path: string): Promise<{ path: string; folders: readonly string[] }> {
  const real = await realpath(path).catch(() => null);
  if (real === null) throw refuse('evidence.invalid', `${path} is not there`, 'check the path');
  const { worktree, artifacts, evidence } = run.paths;
  const found = await Promise.all([worktree, artifacts, evidence].map((folder) => realpath(folder).catch(() => null)));
  const folders = found.filter((folder) => folder !== null);
  if (folders.some((folder) => real.startsWith(`${folder}/`))) return { path: real, folders };
  throw refuse(
    'evidence.invalid',
    `${path} lies outside the worktree, $GATEHOUSE_ARTIFACTS and $GATEHOUSE_EVIDENCE`,
    'copy it to $GATEHOUSE_EVIDENCE and add it from there',
  );
}

function pairOf(text: string | undefined, kind: Evidence['kind']): Evidence['pair'] {
  if (text === undefined) return null;
  const match = /^(before|after):([A-Za-z0-9][A-Za-z0-9._ -]{0,80})$/.exec(text);
  if (match === null || kind !== 'image') {
    throw refuse(
      'evidence.invalid',
      `--pair ${text} is not usable`,
      'for an image write --pair before:NAME or after:NAME',
    );
  }
  return { side: match[1] === 'before' ? 'before' : 'after', name: match[2] ?? '' };
}

function describe(image: ImageFacts): string {
  return `${image.format} image, ${image.width} x ${image.height}`;
}

const whyNot = {
  missing: 'it is not there',
  'not-a-file': 'it is not a plain file',
  'too-large': `it is larger than ${maxFileBytes / 1024 / 1024} MiB`,
} as const;
