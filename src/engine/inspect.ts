// Looks whether a boundary was crossed or something on record has changed. Called at every request and on a watch. What it
// finds becomes an event; a contradiction that no event explains is a state error.
import { readDecisions } from '../artifacts/decisions.ts';
import { GatehouseError } from '../core/error.ts';
import type { FileChange } from '../core/repository.ts';
import { type ArtifactName, stageRules } from '../core/stage.ts';
import { type ArtifactRecord, type RunState, type Subject, openGateOf, validApproval } from '../core/state.ts';
import { sameSubject } from '../core/subject.ts';
import { artifactPath, readArtifact, recordArtifact } from './artifact-files.ts';
import { type RunContext, applied, repositoryOf } from './context.ts';
import { changedEvidence, createEvidenceFile } from './evidence-files.ts';
import { judge } from './judge.ts';
import { gateFiles, inWork, workStageOf } from './stage-facts.ts';

/** A diff of a violation is kept for a person to read. */
const keptDiffBytes = 2 * 1024 * 1024;
const namedFiles = 8;

export async function inspectRun(run: RunContext): Promise<void> {
  const state = run.state();
  // A halted run is put in order by the act of a person that lets it go on; a delivery takes objects, not files.
  if (['initialize', 'halted', 'submit', 'ready-for-testing'].includes(state.stage)) return;
  await inspectArtifacts(run);
  await inspectProduct(run);
  await inspectEvidence(run);
}

/** What a person would approve now. */
export async function presentSubject(run: RunContext): Promise<Subject> {
  const state = run.state();
  const gate = openGateOf(state);
  const names = gate === null ? [] : gateFiles[gate.name];
  const files = [];
  for (const name of names) {
    const found = await readArtifact(run.paths, name);
    if (found !== null) files.push({ path: artifactPath(name), sha256: found.sha256 });
  }
  return { files, tree: gate?.name === 'testing' ? await run.workspace().tree() : null };
}

/** Files that the agent changed although the product may not change now. */
export async function crossedBoundary(run: RunContext): Promise<{ base: string; tree: string; changes: FileChange[] }> {
  const state = run.state();
  const base = await frozenTree(run, state);
  const tree = await run.workspace().tree();
  const stage = workStageOf(state);
  if (tree === base || stage === null || stageRules[stage].writes === 'product') {
    return { base, tree, changes: [] };
  }
  const changes = await run.workspace().changes(base, tree);
  // While a person decides about a tree, not even scratch may be added to it.
  if (stage === 'await-testing') return { base, tree, changes };
  const folders = new Set(await run.workspace().folders(base));
  return { base, tree, changes: changes.filter((change) => isViolation(change, folders)) };
}

/** Tracked files, and new ones below folders that hold tracked files; new places at the top are scratch. */
function isViolation(change: FileChange, folders: ReadonlySet<string>): boolean {
  if (change.kind !== 'added') return true;
  const slash = change.path.indexOf('/');
  return slash > 0 && folders.has(change.path.slice(0, slash));
}

/** The tree that may not change: the product's since a change was completed, the baseline's before. */
export async function frozenTree(run: RunContext, state: RunState): Promise<string> {
  return state.product ?? run.workspace().treeOfCommit(repositoryOf(state).baselineCommit);
}

async function inspectProduct(run: RunContext): Promise<void> {
  const state = run.state();
  const { base, tree, changes } = await crossedBoundary(run);
  if (changes.length === 0) return;
  const diff = await run.workspace().diff(base, tree, keptDiffBytes);
  const file = await createEvidenceFile(run.paths, 'violation', '.diff');
  await file.write(Buffer.from(`${diff.stat}\n\n${diff.text}`));
  await file.close();
  const names = changes.map((change) => change.path);
  const shown = names.slice(0, namedFiles).join(', ');
  const more = names.length > namedFiles ? ` and ${names.length - namedFiles} more` : '';
  await applied(run, {
    type: 'run.halted',
    at: run.now(),
    halt: {
      code: 'boundary-violated',
      reason: `product code changed in ${state.stage}, where it may not: ${shown}${more}`,
      hint: `read evidence/${file.name}; gatehouse resume RUN puts the files back (new ones are moved aside) and goes on`,
      evidence: file.name,
    },
  });
}

/** What a person looks at before the second gate is what was recorded: the agent can write to that folder, too. */
async function inspectEvidence(run: RunContext): Promise<void> {
  const state = run.state();
  if (openGateOf(state)?.name !== 'testing') return;
  const changed = await changedEvidence(run.paths, state.evidence);
  if (changed.length === 0) return;
  await applied(run, {
    type: 'run.halted',
    at: run.now(),
    halt: {
      code: 'boundary-violated',
      reason: `evidence on record was changed: ${changed.map((e) => e.id).join(', ')}`,
      hint: 'what it shows proves nothing any more; gatehouse resume RUN --to-patch has it recorded and verified anew',
      evidence: null,
    },
  });
}

async function inspectArtifacts(run: RunContext): Promise<void> {
  const state = run.state();
  const stage = workStageOf(state);
  if (stage === null) return;
  const changed: { record: ArtifactRecord; there: boolean }[] = [];
  for (const record of state.artifacts) {
    if (inWork[stage].includes(record.name)) continue;
    const present = await readArtifact(run.paths, record.name);
    if (present?.sha256 !== record.sha256) changed.push({ record, there: present !== null });
  }
  if (changed.length === 0) return;
  const gone = changed.filter((c) => !c.there).map((c) => c.record.name);
  if (gone.length > 0) throw contradiction(`missing ${gone.join(', ')}`);
  const names = changed.map((c) => c.record.name);
  const gate = openGateOf(state);
  if (gate !== null && names.every((name) => gateFiles[gate.name].includes(name) && name !== 'ship-summary.md'))
    return presentAgain(run, names);
  const approved = validApproval(state, 'development');
  const isApproved = names.every((name) => gateFiles.development.includes(name));
  if (approved !== undefined && isApproved) return withdraw(run, names, approved.subject);
  throw contradiction(`${names.join(', ')} is not the version on record`);
}

async function presentAgain(run: RunContext, names: readonly ArtifactName[]): Promise<void> {
  const checked = await stillSatisfies(run, names);
  if (checked === null) return;
  const subject = await presentSubject(run);
  const gate = openGateOf(run.state());
  if (gate !== null && sameSubject(subject, gate.subject)) return;
  await applied(run, { type: 'gate.represented', subject, ...checked, at: run.now() });
}

async function withdraw(run: RunContext, names: readonly ArtifactName[], approved: Subject): Promise<void> {
  const checked = await stillSatisfies(run, names);
  if (checked === null) return;
  const files = [];
  for (const name of gateFiles.development) {
    const found = await readArtifact(run.paths, name);
    if (found !== null) files.push({ path: artifactPath(name), sha256: found.sha256 });
  }
  const changed = files.filter((file) => !approved.files.some((f) => f.path === file.path && f.sha256 === file.sha256));
  await applied(run, {
    type: 'approval.staled',
    changed,
    subject: { files, tree: null },
    tree: await run.workspace().tree(),
    ...checked,
    at: run.now(),
  });
}

/** Records of the new versions; null when one breaks its contract, and then the run halts. */
async function stillSatisfies(run: RunContext, names: readonly ArtifactName[]) {
  const state = run.state();
  const stage = workStageOf(state) ?? 'draft';
  const { problems, found } = await judge(run, stage, names);
  if (problems.length > 0) {
    const first = problems[0];
    await applied(run, {
      type: 'run.halted',
      at: run.now(),
      halt: {
        code: 'boundary-violated',
        reason: `${names.join(', ')} was changed after it was presented and breaks its contract: ${first?.message ?? ''}`,
        hint: 'gatehouse resume RUN puts the version on record back and goes on',
        evidence: null,
      },
    });
    return null;
  }
  const artifacts: ArtifactRecord[] = [];
  for (const name of names) {
    const artifact = found.get(name);
    const old = state.artifacts.find((a) => a.name === name);
    if (artifact !== undefined && old !== undefined)
      artifacts.push(await recordArtifact(run.paths, artifact, old.stage, run.now()));
  }
  const idea = found.get('idea.md');
  return { artifacts, decisions: idea === undefined ? [] : readDecisions(idea.text) };
}

function contradiction(what: string): GatehouseError {
  return new GatehouseError(
    'state.inconsistent',
    `the artifacts contradict the state: ${what}`,
    '`gatehouse restore RUN` puts the versions on record back; the agent may write only what its stage owes',
  );
}
