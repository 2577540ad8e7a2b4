// Gathers what ship-summary.md is assembled from. Only facts: the state, git, and artifacts that passed their contracts.
import { readSummary } from '../artifacts/diagnosis.ts';
import { readChanges } from '../artifacts/idea.ts';
import { readOwnDecisions } from '../artifacts/own-decisions.ts';
import type { ShipFacts } from '../artifacts/ship-summary.ts';
import { readVerification } from '../artifacts/verification.ts';
import type { ArtifactName } from '../core/stage.ts';
import { type Delivery, type Evidence, type RunState, validApproval } from '../core/state.ts';
import { readArtifacts } from './artifact-files.ts';
import { type RunContext, repositoryOf, standsOn } from './context.ts';

export async function summaryFacts(run: RunContext, tree: string, delivery: Delivery): Promise<ShipFacts> {
  const state = run.state();
  const repository = repositoryOf(state);
  const found = await readArtifacts(run.paths);
  const text = (name: ArtifactName) => found.get(name)?.text ?? '';
  const verification = readVerification(text('verification.md'));
  const shown = new Map(verification.behaviours.map((behaviour) => [behaviour.id, behaviour.evidence]));
  const base = standsOn(state);
  return {
    run: state.run,
    task: state.task,
    problem: readSummary(text('diagnosis.md')),
    changes: readChanges(text('idea.md')).map((change) => ({ ...change, evidence: shown.get(change.id) ?? [] })),
    decisions: decisionsOf(state),
    approvals: state.approvals
      .filter((a) => a.staleSince === null)
      .map((a) => ({ gate: a.gate, operator: a.operator.name, time: a.time })),
    ownDecisions: readOwnDecisions(Object.fromEntries([...found].map(([name, artifact]) => [name, artifact.text]))),
    diff: {
      baselineBranch: repository.baselineBranch,
      baselineCommit: base,
      files: await run.workspace().lineCounts(base, tree),
    },
    tests: state.evidence.filter((e) => e.declaredTest && e.tree === tree).map(testRun),
    ignored: await ignoredFacts(run, tree),
    evidence: state.evidence.map((e) => ({ ...e, what: e.command ?? e.origin ?? e.file ?? '' })),
    images: verification.images,
    reviews: state.reviews.rounds.map((r) => ({
      round: r.round,
      verdict: r.verdict,
      blocking: r.findings.filter((f) => f.severity === 'blocking').length,
      advisory: r.findings.filter((f) => f.severity === 'advisory').length,
      tree: r.tree,
    })),
    limits: verification.limits,
    previewUrl: verification.preview ?? repository.previewUrl,
    reviewBranch: delivery.reviewBranch,
    reviewCommit: delivery.reviewCommit,
    compareLink: delivery.compareLink,
    tree,
    delivery: deliveryFacts(run, delivery),
  };
}

async function ignoredFacts(run: RunContext, tree: string): Promise<ShipFacts['ignored']> {
  const folders = new Set(await run.workspace().folders(tree));
  const entries = (await run.workspace().ignored()).map((path) => ({
    path,
    belowTracked: /^[^/]+\/./.test(path) && folders.has(path.slice(0, path.indexOf('/'))),
  }));
  return entries.toSorted((a, b) => Number(b.belowTracked) - Number(a.belowTracked));
}

function decisionsOf(state: RunState): ShipFacts['decisions'] {
  const approval = validApproval(state, 'development');
  return state.decisions.map((d) => ({
    ...d,
    chosenBy: approval?.operator.name ?? null,
    chosenAt: approval?.time ?? null,
  }));
}

function testRun(e: Evidence): ShipFacts['tests'][number] {
  return { evidence: e.id, command: e.command ?? '', exitCode: e.exitCode, durationMs: e.durationMs };
}

function deliveryFacts(run: RunContext, delivery: Delivery): ShipFacts['delivery'] {
  if (delivery.finalCommit === null || delivery.pushedTo === null) return null;
  return {
    finalCommit: delivery.finalCommit,
    mergeCommit: delivery.mergeCommit,
    branch: delivery.pushedTo,
    taskStatus: delivery.taskStatus ?? '',
    time: run.now(),
  };
}
