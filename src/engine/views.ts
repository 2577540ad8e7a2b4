// What a person looks at before deciding. Everything an agent wrote is made inert here.
import { join } from 'node:path';
import { inertText } from '../core/inert.ts';
import { artifactNames } from '../core/stage.ts';
import { type RunState, openGateOf } from '../core/state.ts';
import type { RunPaths } from '../platform/paths.ts';
import { readUntrusted } from '../platform/untrusted-file.ts';
import type { ArtifactContent, DiffAnswer } from './api.ts';
import { artifactPath, readVersion } from './artifact-files.ts';
import { sha256 } from './canonical.ts';
import { type RunContext, repositoryOf, standsOn } from './context.ts';

const maxArtifactBytes = 1024 * 1024;
/** More than this is not read in a terminal; the compare link shows the rest. */
const maxDiffBytes = 512 * 1024;

const reportName = /^review-report-[1-9][0-9]{0,3}\.md$/;

export async function artifactContent(
  paths: RunPaths,
  state: RunState | null,
  name: string,
): Promise<ArtifactContent | null> {
  const known = artifactNames.find((each) => each === name);
  if (known === undefined && !reportName.test(name)) return null;
  const record = state?.artifacts.find((a) => a.name === known);
  const report = state?.reviews.rounds.find((r) => r.report.path === artifactPath(name))?.report;
  const recordedHash = record?.sha256 ?? report?.sha256 ?? null;
  const read = await readUntrusted(join(paths.artifacts, name), maxArtifactBytes);
  if (!read.ok) return recordedHash === null ? null : missing(name, recordedHash);
  const hash = sha256(read.data);
  return {
    name,
    sha256: hash,
    sizeBytes: read.data.length,
    text: inertText(read.data.toString('utf8')),
    previous: await previousVersion(paths, state, name, hash),
    recorded: recordedHash === null ? 'not-recorded' : recordedHash === hash ? 'same' : 'changed',
  };
}

export async function productDiff(run: RunContext): Promise<DiffAnswer> {
  const state = run.state();
  if (state.repository === null) return { from: '', tree: '', stat: '', text: '', truncated: 0 };
  const from = standsOn(state);
  const gate = openGateOf(state);
  // At the second gate the diff is that of the tree which would be approved.
  const tree = (gate?.name === 'testing' ? gate.subject.tree : null) ?? (await worktreeTree(run));
  const diff = await run.workspace().diff(from, tree, maxDiffBytes);
  return { from, tree, stat: inertText(diff.stat), text: inertText(diff.text), truncated: diff.truncated };
}

async function worktreeTree(run: RunContext): Promise<string> {
  const workspace = run.workspace();
  if (await workspace.exists()) return workspace.tree();
  return workspace.treeOfCommit(repositoryOf(run.state()).baselineCommit);
}

/** What the person saw the last time the gate was open. */
async function previousVersion(
  paths: RunPaths,
  state: RunState | null,
  name: string,
  present: string,
): Promise<string | null> {
  if (state === null) return null;
  const shown = state.presented.filter((p) => p.subject.files.some((f) => f.path === artifactPath(name)));
  for (const { subject } of shown.toReversed()) {
    const hash = subject.files.find((f) => f.path === artifactPath(name))?.sha256;
    if (hash === undefined || hash === present) continue;
    const data = await readVersion(paths, hash);
    return data === null ? null : inertText(data.toString('utf8'));
  }
  return null;
}

function missing(name: string, hash: string): ArtifactContent {
  return { name, sha256: hash, sizeBytes: 0, text: '', previous: null, recorded: 'missing' };
}
