// `lattice check` and `lattice advance`: is what the stage owes in order, and then the step to the next stage.
import { readDecisions } from '../artifacts/decisions.ts';
import { readIdeaFacts } from '../artifacts/idea.ts';
import { readReview } from '../artifacts/review.ts';
import { readVerification } from '../artifacts/verification.ts';
import type { StageOutcome } from '../core/event.ts';
import type { Problem } from '../core/rejection.ts';
import { type ArtifactName, type WorkStage, stageRules } from '../core/stage.ts';
import type { ArtifactRecord } from '../core/state.ts';
import { unreadSkills } from '../core/transition.ts';
import { artifactPath, keepVersion, recordArtifact, writeArtifact } from './artifact-files.ts';
import { type RunContext, applied, refuse } from './context.ts';
import { frozenTree, inspectRun } from './inspect.ts';
import { type Judged, judge } from './judge.ts';
import { skillsOf } from './skills.ts';
import { gateFiles, judgedIn } from './stage-facts.ts';
import { testingPackage } from './testing-package.ts';

type AgentStage = Exclude<WorkStage, 'initialize' | 'await-development' | 'await-testing' | 'submit'>;

export async function checkStage(run: RunContext): Promise<string> {
  await inspectRun(run);
  const stage = stageToLeave(run);
  const { problems } = await judgeStage(run, stage);
  const unread = unreadSkills(run.state(), await skillsOf(run.ports.skills, stage));
  if (problems.length > 0) throw incomplete(stage, problems);
  const notes = unread.map((name) => `not read in this stage yet: lattice skill ${name}`);
  const names = judgedIn[stage].join(', ');
  return [`${names}: nothing to mend`, ...notes, notes.length === 0 ? 'next: lattice advance' : ''].join('\n').trim();
}

export async function advanceStage(run: RunContext): Promise<string> {
  await inspectRun(run);
  const stage = stageToLeave(run);
  const skills = await skillsOf(run.ports.skills, stage);
  const unread = unreadSkills(run.state(), skills);
  if (unread.length > 0) {
    throw refuse(
      'skill.unread',
      `${unread.join(', ')} was not read in this stage, in the present version`,
      `run: lattice skill ${unread[0]}`,
    );
  }
  const judged = await judgeStage(run, stage);
  if (judged.problems.length > 0) throw incomplete(stage, judged.problems);
  await refuseLeftovers(run, stage, judged.tree);
  const artifacts = await recordAll(run, stage, judged);
  const outcome = await outcomeOf(run, stage, judged, artifacts);
  const read = skills.map(({ name, sha256 }) => ({ name, sha256 }));
  const state = await applied(run, { type: 'stage.completed', artifacts, skills: read, outcome, at: run.now() });
  return state.stage;
}

function stageToLeave(run: RunContext): AgentStage {
  const { stage, halt } = run.state();
  switch (stage) {
    case 'halted':
      throw refuse(
        'run.halted',
        `the run is halted: ${halt?.reason ?? ''}`,
        'end your turn; a person decides how it goes on',
      );
    case 'ready-for-testing':
      throw refuse('run.ended', 'this run is ready for testing and has ended', 'nothing is left to do');
    case 'await-development':
    case 'await-testing':
      throw refuse('stage.wrong', `the run waits in ${stage}`, 'end your turn and wait; a person decides');
    case 'initialize':
    case 'submit':
      throw refuse(
        'stage.wrong',
        `${stage} is done by the engine`,
        'end your turn; you are woken when there is something to do',
      );
    default:
      return stage;
  }
}

async function judgeStage(run: RunContext, stage: AgentStage): Promise<Judged> {
  const judged = await judge(run, stage, judgedIn[stage]);
  const extra: Problem[] = [];
  if (stage === 'implement' && judged.changedFiles.length === 0) {
    extra.push({ file: 'worktree', line: null, rule: 'nothing-changed', message: 'no file differs from the baseline' });
  }
  if (stage === 'patch' || stage === 'implement') {
    for (const file of judged.repositories) {
      const message =
        'this is a repository of its own, and its files would not be delivered: take its .git folder away';
      extra.push({ file, line: null, rule: 'nested-repository', message });
    }
    const conflicted = run.state().sync?.conflicts ?? [];
    for (const file of await run.workspace().unresolved(judged.tree, conflicted)) {
      const message = 'conflict markers are left: keep what both sides meant and take the markers out';
      extra.push({ file, line: null, rule: 'conflict-unresolved', message });
    }
  }
  return { ...judged, problems: [...extra, ...judged.problems] };
}

/** What review and verification judge is the product and nothing else; scratch would be delivered with it. */
async function refuseLeftovers(run: RunContext, stage: AgentStage, tree: string): Promise<void> {
  if (stage !== 'review' && stage !== 'verify') return;
  const frozen = await frozenTree(run, run.state());
  if (tree === frozen) return;
  const names = (await run.workspace().changes(frozen, tree)).map((change) => change.path);
  throw refuse(
    'stage.incomplete',
    `files are there that the product does not have: ${names.slice(0, 8).join(', ')}`,
    'move them to /tmp or delete them; what is kept has to be part of the change or ignored by .gitignore',
    names.map((file) => ({ file, line: null, rule: 'leftover', message: 'not part of the reviewed product' })),
  );
}

async function recordAll(run: RunContext, stage: AgentStage, judged: Judged): Promise<ArtifactRecord[]> {
  const names = stage === 'patch' ? [...judgedIn.patch, ...(['findings.md', 'plan.md'] as const)] : judgedIn[stage];
  const records: ArtifactRecord[] = [];
  for (const name of names) {
    const artifact = judged.found.get(name);
    const known = run.state().artifacts.find((a) => a.name === name);
    if (artifact === undefined) continue;
    // What was not touched stays the work of the stage that it is from.
    if (known?.sha256 === artifact.sha256) records.push(known);
    else records.push(await recordArtifact(run.paths, artifact, stage, run.now()));
  }
  return records;
}

async function outcomeOf(
  run: RunContext,
  stage: AgentStage,
  judged: Judged,
  artifacts: ArtifactRecord[],
): Promise<StageOutcome> {
  const text = (name: ArtifactName) => judged.found.get(name)?.text ?? '';
  switch (stage) {
    case 'diagnose':
      return { stage };
    case 'draft': {
      const names = gateFiles.development;
      const files = artifacts.filter((a) => names.includes(a.name)).map(({ path, sha256 }) => ({ path, sha256 }));
      const ordered = files.toSorted((a, b) => order(names, a.path) - order(names, b.path));
      const decisions = readDecisions(text('idea.md'));
      return { stage, decisions, ...readIdeaFacts(text('idea.md')), subject: { files: ordered, tree: null } };
    }
    case 'implement':
    case 'patch':
      return { stage, tree: judged.tree, session: run.ports.currentSession() };
    case 'review':
      return { stage, round: await reviewRound(run, text('review-report.md'), judged.tree) };
    case 'verify': {
      const verification = readVerification(text('verification.md'));
      if (verification.result !== 'pass') return { stage, passed: false, failures: verification.failures };
      const { subject, delivery, summary } = await testingPackage(run, judged);
      artifacts.push(summary);
      return { stage, passed: true, subject, delivery };
    }
  }
}

async function reviewRound(run: RunContext, text: string, tree: string) {
  const review = readReview(text);
  const number = run.state().reviews.rounds.length + 1;
  const name = `review-report-${number}.md`;
  await writeArtifact(run.paths, name, text);
  const sha256 = await keepVersion(run.paths, Buffer.from(text));
  return {
    tree,
    report: { path: artifactPath(name), sha256 },
    session: run.ports.currentSession(),
    findings: [...review.findings],
    verdict: review.verdict ?? ('blocked' as const),
  };
}

function order(names: readonly ArtifactName[], path: string): number {
  return names.findIndex((name) => artifactPath(name) === path);
}

function incomplete(stage: AgentStage, problems: readonly Problem[]) {
  const count = `${problems.length} ${problems.length === 1 ? 'thing' : 'things'}`;
  const number = stageRules[stage].number;
  return refuse(
    'stage.incomplete',
    `stage ${stage} (${number}/10) owes ${count}`,
    'mend what is listed, then: lattice check',
    problems,
  );
}
