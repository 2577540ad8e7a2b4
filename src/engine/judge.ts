// Judges the artifacts of a stage against their contracts and the facts of this run.
import { checkArtifact } from '../artifacts/check.ts';
import type { Contract } from '../artifacts/contract.ts';
import type { CheckFacts, EvidenceFact } from '../artifacts/facts.ts';
import type { Problem } from '../core/rejection.ts';
import type { ArtifactName, WorkStage } from '../core/stage.ts';
import type { Evidence, RunState } from '../core/state.ts';
import { type ArtifactOnDisk, readArtifacts } from './artifact-files.ts';
import { type RunContext, repositoryOf, standsOn } from './context.ts';
import { changedEvidence } from './evidence-files.ts';
import type { Workspace } from './ports.ts';
import { contractOf } from './skills.ts';
import { owedIn } from './stage-facts.ts';

export interface Judged {
  readonly problems: readonly Problem[];
  /** Everything in the artifacts folder. */
  readonly found: ReadonlyMap<ArtifactName, ArtifactOnDisk>;
  readonly tree: string;
  readonly changedFiles: readonly string[];
  /** Repositories that were made inside the worktree. */
  readonly repositories: readonly string[];
}

/** These were written for one round; a later round owes new ones. */
const perRound: readonly ArtifactName[] = ['idea.md', 'review-report.md', 'patch-notes.md', 'verification.md'];

export async function judge(run: RunContext, stage: WorkStage, names: readonly ArtifactName[]): Promise<Judged> {
  const state = run.state();
  const workspace = run.workspace();
  const tree = await workspace.tree();
  const found = await readArtifacts(run.paths);
  const changes = await workspace.changes(standsOn(state), tree);
  const changedFiles = changes.map((change) => change.path);
  const repositories = changes.filter((change) => change.isRepository === true).map((change) => change.path);
  const tampered = await changedEvidence(run.paths, state.evidence);
  const facts = factsOf(state, tree, changedFiles, found, tampered);
  const problems: Problem[] = [];
  for (const name of names) {
    const artifact = found.get(name);
    if (artifact === undefined) {
      if (owedIn(stage).includes(name)) problems.push(missing(name));
      continue;
    }
    problems.push(...unchanged(state, artifact));
    const contract = await contractOf(run.ports.skills, name);
    problems.push(...(await checkWithLookUps(workspace, state, tree, artifact, facts, contract)));
    problems.push(...tampered.filter((e) => cites(artifact.text, e.id)).map((e) => changedFile(name, e)));
  }
  return { problems, found, tree, changedFiles, repositories };
}

type KnownFacts = Omit<CheckFacts, 'baselineHas' | 'treeHas'>;

function factsOf(
  state: RunState,
  tree: string,
  changedFiles: readonly string[],
  found: ReadonlyMap<ArtifactName, ArtifactOnDisk>,
  tampered: readonly Evidence[],
): KnownFacts {
  const repository = repositoryOf(state);
  return {
    evidence: state.evidence.filter((e) => !tampered.includes(e)).map(evidenceFact),
    changedFiles,
    artifacts: Object.fromEntries([...found].map(([name, artifact]) => [name, artifact.text])),
    findings: state.stage === 'patch' ? state.toAnswer : [],
    tree,
    visible: state.visible,
    testCommand: repository.testCommand,
    terminology: repository.terminology,
  };
}

function evidenceFact(e: Evidence): EvidenceFact {
  return {
    id: e.id,
    kind: e.kind,
    command: e.command,
    exitCode: e.exitCode,
    tree: e.tree,
    isDeclaredTest: e.declaredTest,
    pair: e.pair,
    path: e.origin,
  };
}

/**
 * The check is pure and asks for files by name while it reads; git answers later. So it is run until it asks for nothing
 * that is not known yet: twice, as a rule.
 */
async function checkWithLookUps(
  workspace: Workspace,
  state: RunState,
  tree: string,
  artifact: ArtifactOnDisk,
  facts: KnownFacts,
  contract: Contract,
): Promise<Problem[]> {
  const known = new Map<string, number | null>();
  const baseline = repositoryOf(state).baselineCommit;
  for (;;) {
    const wanted = new Map<string, { treeish: string; path: string }>();
    const has = (treeish: string) => (path: string, line?: number) => {
      const key = `${treeish}:${path}`;
      const lines = known.get(key);
      if (lines === undefined) {
        wanted.set(key, { treeish, path });
        return true;
      }
      return lines !== null && (line === undefined || (line >= 1 && line <= lines));
    };
    const problems = checkArtifact(
      artifact.name,
      artifact.text,
      { ...facts, baselineHas: has(baseline), treeHas: has(tree) },
      contract,
    );
    if (wanted.size === 0) return problems;
    for (const [key, { treeish, path }] of wanted) known.set(key, await workspace.lineCount(treeish, path));
  }
}

function unchanged(state: RunState, artifact: ArtifactOnDisk): Problem[] {
  const record = state.artifacts.find((a) => a.name === artifact.name);
  // The same words can be right twice, but then they were written twice.
  const untouched = artifact.changedMs < Date.parse(state.since);
  const isOld = record !== undefined && record.sha256 === artifact.sha256 && untouched;
  if (!isOld || !perRound.includes(artifact.name)) return [];
  const message = 'this is still the version of an earlier round: write it anew for this one';
  return [{ file: artifact.name, line: null, rule: 'artifact-unchanged', message }];
}

function missing(name: ArtifactName): Problem {
  const message = `it is not there: write $GATEHOUSE_ARTIFACTS/${name} (a plain file under 256 KiB)`;
  return { file: name, line: null, rule: 'artifact-missing', message };
}

function changedFile(name: ArtifactName, evidence: Evidence): Problem {
  const message = `the file of ${evidence.id} (${evidence.file}) is not what was recorded: record it again and cite the new id`;
  return { file: name, line: null, rule: 'evidence-changed', message };
}

function cites(text: string, id: string): boolean {
  return new RegExp(`\\b${id}\\b`).test(text);
}
