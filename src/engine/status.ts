// `lattice status`: everything an agent needs to go on, also in a session that knows nothing. Words for a reader who will
// do exactly what they say.
import { inertLine, inertText } from '../core/inert.ts';
import { stageNumber, stageRules } from '../core/stage.ts';
import { type RunState, reviewCount, validApproval } from '../core/state.ts';
import { unreadSkills } from '../core/transition.ts';
import { readArtifacts } from './artifact-files.ts';
import { type RunContext, repositoryOf, standsOn } from './context.ts';
import { skillsOf } from './skills.ts';
import { judgedIn, owedIn, workStageOf } from './stage-facts.ts';

export async function statusText(run: RunContext): Promise<string> {
  const state = run.state();
  const unread = await unreadNow(run);
  const parts = [
    head(state),
    next(run, state, unread),
    await owed(run, state),
    skills(state, unread),
    conflicts(state),
    toAnswer(state),
    decisions(state),
    feedback(state),
    await repository(run, state),
    reviews(state),
    await artifacts(run, state),
    evidence(state),
    task(state),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

async function unreadNow(run: RunContext): Promise<string[]> {
  const stage = run.state().stage;
  if (stage === 'halted' || stage === 'ready-for-testing') return [];
  return unreadSkills(run.state(), await skillsOf(run.ports.skills, stage));
}

function head(state: RunState): string {
  const number = stageNumber(state.stage, state.halt?.from ?? null);
  const because = state.history.at(-1)?.reason ?? '';
  return `task: ${state.task.id}\nstage: ${state.stage} (${number}/10), because: ${inertLine(because)}`;
}

function next(run: RunContext, state: RunState, unread: readonly string[]): string {
  const say = (text: string) => `next: ${text}`;
  switch (state.stage) {
    case 'halted':
      return say(
        `the run is halted: ${inertLine(state.halt?.reason ?? '')}. End your turn and wait; a person decides.`,
      );
    case 'ready-for-testing':
      return say('nothing; the run has ended and was delivered.');
    case 'await-development':
    case 'await-testing':
      return say('end your turn and wait; a person decides at this gate. Do not poll and do not work ahead.');
    case 'initialize':
    case 'submit':
      return say('the engine does this stage. End your turn; you are woken when there is something to do.');
    case 'review':
      return say(reviewStep(run, state, unread));
    default:
      return say(workStep(state, unread));
  }
}

function workStep(state: RunState, unread: readonly string[]): string {
  if (unread.length > 0) return `lattice skill ${unread[0]} (read it in full), then work by it.`;
  const names =
    state.stage === 'implement' ? 'findings.md, plan.md, the change' : owedIn(workStageOf(state) ?? 'draft').join(', ');
  return `write ${names}; then lattice check, then lattice advance.`;
}

function reviewStep(run: RunContext, state: RunState, unread: readonly string[]): string {
  const session = run.ports.currentSession();
  if (state.reviewSession === 'fresh' && session !== null && state.authors.includes(session))
    return 'this session wrote the change and cannot judge it. End your turn; the review is done in a fresh session.';
  if (state.sync?.entry !== state.entry) return 'lattice sync (brings in the baseline and prints the tree to judge).';
  return workStep(state, unread);
}

async function owed(run: RunContext, state: RunState): Promise<string> {
  const stage = workStageOf(state);
  if (stage === null || stageRules[stage].actor !== 'agent') return '';
  const found = await readArtifacts(run.paths);
  const lines = judgedIn[stage].map((name) => {
    const isOwed = owedIn(stage).includes(name);
    const there = found.has(name) ? 'there' : isOwed ? 'not there yet' : 'only if needed';
    return `- $GATEHOUSE_ARTIFACTS/${name}: ${there}`;
  });
  return `owed:\n${lines.join('\n')}`;
}

function skills(state: RunState, unread: readonly string[]): string {
  const stage = workStageOf(state);
  const names = stage === null ? [] : stageRules[stage].skills;
  if (names.length === 0 || stageRules[stage ?? 'initialize'].actor !== 'agent') return '';
  const lines = names.map(
    (name) => `- ${name}: ${unread.includes(name) ? `not read -> lattice skill ${name}` : 'read'}`,
  );
  return `skills:\n${lines.join('\n')}`;
}

function conflicts(state: RunState): string {
  const files = state.sync?.conflicts ?? [];
  if (files.length === 0) return '';
  const what =
    state.stage === 'patch'
      ? 'solve them in the worktree, keeping what both sides meant, and take the markers out'
      : 'they are solved in patch; here each is a blocking finding';
  return `conflicts with the baseline in ${files.join(', ')}: ${what}`;
}

function toAnswer(state: RunState): string {
  if (state.stage !== 'patch' || state.toAnswer.length === 0) return '';
  const lines = state.toAnswer.map((f) => {
    const place = f.place === null ? '' : ` (${inertLine(f.place)})`;
    return `- ${f.id} ${f.severity}: ${inertText(f.title).replace(/\n/g, '\n  ')}${place}`;
  });
  return `to answer in patch-notes.md, each by its id:\n${lines.join('\n')}`;
}

function decisions(state: RunState): string {
  if (state.decisions.length === 0) return '';
  const approved = validApproval(state, 'development');
  const lines = state.decisions.map((d) => {
    const chosen = d.options.find((o) => o.id === d.chosen);
    const what = chosen === undefined ? 'open' : `${chosen.id}: ${inertLine(chosen.text)}`;
    return `- ${d.id}. ${inertLine(d.question)} -> ${what}`;
  });
  const who = approved === undefined ? '' : `, chosen by ${inertLine(approved.operator.name)}`;
  return `decisions${who}:\n${lines.join('\n')}`;
}

function feedback(state: RunState): string {
  if (state.feedback.length === 0) return '';
  const lines = state.feedback.map(
    (f) => `- ${f.gate} gate, round ${f.round}, ${inertLine(f.operator)}: ${inertText(f.text).replace(/\n/g, '\n  ')}`,
  );
  return `feedback, newest last:\n${lines.join('\n')}`;
}

async function repository(run: RunContext, state: RunState): Promise<string> {
  if (state.repository === null) return '';
  const { baselineBranch, testCommand, terminology } = repositoryOf(state);
  const base = standsOn(state);
  const lines = [
    `- baseline: ${baselineBranch} at ${base} (all changes: git diff ${base})`,
    `- tree now: ${await run.workspace().tree()}`,
    `- declared tests: lattice evidence run -- ${testCommand}`,
  ];
  if (terminology.length > 0) lines.push(`- terminology: ${terminology.join(', ')}`);
  return `repository:\n${lines.join('\n')}`;
}

function reviews(state: RunState): string {
  const { count, limit } = reviewCount(state);
  const lines = state.reviews.rounds.map((r) => {
    const blocking = r.findings.filter((f) => f.severity === 'blocking').map((f) => f.id);
    const found = blocking.length === 0 ? 'no blocker' : `${blocking.join(', ')} blocking`;
    return `- round ${r.round}: ${found} (${r.report.path})`;
  });
  return [`reviews: ${count}/${limit}`, ...lines].join('\n');
}

async function artifacts(run: RunContext, state: RunState): Promise<string> {
  if (state.artifacts.length === 0) return '';
  const found = await readArtifacts(run.paths);
  const lines = state.artifacts.map((a) => {
    const present = found.get(a.name);
    const how = present === undefined ? 'missing' : present.sha256 === a.sha256 ? 'as recorded' : 'changed since';
    return `- $GATEHOUSE_ARTIFACTS/${a.name} (${a.stage}, ${how})`;
  });
  return `artifacts on record:\n${lines.join('\n')}`;
}

function evidence(state: RunState): string {
  if (state.evidence.length === 0) return '';
  const lines = state.evidence.map((e) => {
    const what = inertLine(e.command ?? e.origin ?? '');
    const code = e.kind === 'command' ? `, exit ${e.exitCode ?? 'none'}` : '';
    const pair = e.pair === null ? '' : `, ${e.pair.side}:${e.pair.name}`;
    return `- ${e.id} ${e.kind}: ${what}${code}${pair} (${e.stage}, tree ${e.tree.slice(0, 12)})`;
  });
  return `evidence:\n${lines.join('\n')}`;
}

function task({ task: { title, priority, labels, description } }: RunState): string {
  const facts = [priority, ...labels].map(inertLine).join(', ');
  return `the task: ${inertLine(title)} (${facts})\n\n${inertText(description)}`;
}
