// Gate 2: the review branch is pushed, then ship-summary.md is assembled; files and tree together are what is approved.
import { assembleShipSummary } from '../artifacts/ship-summary.ts';
import type { ArtifactName } from '../core/stage.ts';
import type { ArtifactRecord, Delivery, Subject } from '../core/state.ts';
import { voidReview } from '../core/review-rules.ts';
import { artifactPath, readArtifact, recordArtifact, writeArtifact } from './artifact-files.ts';
import { Refused, type RunContext, applied, refuse, repositoryOf, standsOn } from './context.ts';
import type { Judged } from './judge.ts';
import { summaryFacts } from './summary-facts.ts';
import { gateFiles } from './stage-facts.ts';
import { commitMessage } from './words.ts';

export interface TestingPackage {
  readonly subject: Subject;
  readonly delivery: Delivery;
  readonly summary: ArtifactRecord;
}

export async function testingPackage(run: RunContext, judged: Judged): Promise<TestingPackage> {
  const stale = voidReview(run.state(), judged.tree);
  if (stale !== null && !stale.ok) throw new Refused(stale.rejection);
  const delivery = await publish(run, judged.tree);
  const summary = await writeSummary(run, judged.tree, delivery, 'verify');
  const files = [];
  for (const name of gateFiles.testing) files.push(await hashOf(run, name));
  return { subject: { files, tree: judged.tree }, delivery, summary };
}

/** Assembles ship-summary.md from facts and records it. */
export async function writeSummary(
  run: RunContext,
  tree: string,
  delivery: Delivery,
  stage: 'verify' | 'submit',
): Promise<ArtifactRecord> {
  await writeArtifact(run.paths, 'ship-summary.md', assembleShipSummary(await summaryFacts(run, tree, delivery)));
  const written = await readArtifact(run.paths, 'ship-summary.md');
  if (written === null)
    throw refuse('file.unreadable', 'ship-summary.md could not be written', 'look at the artifacts folder');
  return recordArtifact(run.paths, written, stage, run.now());
}

async function publish(run: RunContext, tree: string): Promise<Delivery> {
  const state = run.state();
  const repository = repositoryOf(state);
  const published = await run.workspace().publishReview({
    tree,
    base: standsOn(state),
    baseBranch: repository.baselineBranch,
    reviewBranch: repository.reviewBranch,
    message: commitMessage(state),
    date: state.since,
  });
  if (!published.ok) {
    // The agent can do nothing about a remote; a person can.
    await applied(run, {
      type: 'run.halted',
      at: run.now(),
      halt: {
        code: 'delivery-failed',
        reason: `the review branch ${repository.reviewBranch} could not be pushed: ${published.message}`,
        hint: 'see to the remote, then: gatehouse resume RUN',
        evidence: null,
      },
    });
    throw refuse(
      'delivery.failed',
      `the review branch could not be pushed: ${published.message}`,
      'end your turn; a person decides how it goes on',
    );
  }
  return {
    reviewCommit: published.commit,
    reviewBranch: repository.reviewBranch,
    compareLink: published.compareLink,
    finalCommit: null,
    mergeCommit: null,
    pushedTo: null,
    taskStatus: null,
  };
}

async function hashOf(run: RunContext, name: ArtifactName) {
  const found = await readArtifact(run.paths, name);
  if (found === null) throw refuse('stage.incomplete', `${name} is not there`, 'write it, then: lattice check');
  return { path: artifactPath(name), sha256: found.sha256 };
}
