// The interpreter of a scenario: one function per kind of step. Returns `end` with the last words when the turn is over.
import { pause } from './body.ts';
import { edit, writeFindings, writePatchNotes, writePlan } from './change.ts';
import { declaredTestCommand } from './facts.ts';
import type { Fix } from './fix.ts';
import type { Hands } from './hands.ts';
import { inspect, reproduce, writeDiagnosis, writeIdea } from './investigate.ts';
import { review, verify } from './judge.ts';
import type { Standing } from './lattice.ts';
import type { Step, StepOf } from './scenario.ts';

export interface StepContext {
  readonly hands: Hands;
  readonly fix: Fix;
  readonly standing: Standing;
  readonly session: string;
  /** Ends the process the way a fault would. */
  readonly crash: (how: StepOf<'crash'>['how']) => never;
  readonly ask: (tool: string, command: string) => Promise<boolean>;
}

export type StepResult =
  | { readonly next: 'go-on' }
  /** `footer` replaces the real one. */
  | { readonly next: 'end'; readonly text: string; readonly footer?: string };

const goOn: StepResult = { next: 'go-on' };

const skills: Readonly<Record<string, readonly string[]>> = {
  diagnose: ['lattice-diagnose'],
  draft: ['lattice-idea'],
  implement: ['lattice-explore', 'lattice-implement'],
  review: ['lattice-review'],
  patch: ['lattice-implement'],
  verify: ['lattice-verify'],
  submit: ['lattice-deliver'],
};

export async function takeStep(step: Step, context: StepContext): Promise<StepResult> {
  const { hands, fix } = context;
  switch (step.do) {
    case 'say':
      await hands.say(fill(step.text, context));
      return goOn;
    case 'read-skills':
      for (const name of skills[context.standing.stage] ?? []) await hands.lattice('skill', name);
      return goOn;
    case 'reproduce':
      await reproduce(hands, fix);
      return goOn;
    case 'inspect':
      await inspect(hands, fix);
      return goOn;
    case 'write':
      await writers[step.artifact](hands, fix);
      return goOn;
    case 'check':
      return settle(await hands.lattice('check'), 'The artifact is not accepted yet.');
    case 'advance':
      return advance(step, context);
    case 'edit':
      await edit(hands, fix, step.parts);
      return goOn;
    case 'run-tests':
      await hands.shell(declaredTestCommand(hands.root));
      return goOn;
    case 'sync':
      await hands.lattice('sync');
      return goOn;
    case 'review':
      await review(hands, fix, step.overlook ?? false);
      return goOn;
    case 'verify':
      await verify(hands, fix);
      return goOn;
    case 'shell':
      return shell(step, context);
    case 'write-file':
      await hands.write(
        fill(step.path, context),
        `${step.text.map((line) => fill(line, context)).join('\n')}\n`,
        step.append,
      );
      return goOn;
    case 'labour':
      return labour(step, context);
    case 'print':
      hands.parts.body.printRaw(step.lines.map((line) => `${fill(line, context)}\r\n`).join(''));
      return goOn;
    case 'claim':
      return { next: 'end', text: 'All of it is done.', footer: claimed(step, context) };
    case 'crash':
      return context.crash(step.how);
    case 'end-turn':
      return { next: 'end', text: fill(step.text, context) };
  }
}

const writers: Readonly<Record<StepOf<'write'>['artifact'], (hands: Hands, fix: Fix) => Promise<void>>> = {
  'diagnosis.md': writeDiagnosis,
  'idea.md': writeIdea,
  'findings.md': writeFindings,
  'plan.md': writePlan,
  'patch-notes.md': writePatchNotes,
};

async function advance(step: StepOf<'advance'>, context: StepContext): Promise<StepResult> {
  const result = await context.hands.lattice('advance');
  if (result.code !== 0) return settle(result, 'The engine does not let me go on.');
  return step.end === true ? { next: 'end', text: `Stage ${context.standing.stage} is done.` } : goOn;
}

async function shell(step: StepOf<'shell'>, context: StepContext): Promise<StepResult> {
  const command = fill(step.command, context);
  if (step.ask === true && !(await context.ask('bash', command))) {
    await context.hands.say('It was denied, so I go on without it.');
    return goOn;
  }
  await context.hands.shell(command);
  return goOn;
}

/** Steady output for as long as the scenario says, whatever the tempo: at tempo 0 it takes no time. */
async function labour(step: StepOf<'labour'>, context: StepContext): Promise<StepResult> {
  const { hands } = context;
  for (let i = 1; i <= step.steps; i += 1) {
    hands.parts.body.setBusy(`${fill(step.text, context)} ${i}/${step.steps}`);
    hands.parts.body.print([`  ${fill(step.text, context)} ${i} of ${step.steps}`]);
    await pause(hands.parts.tempoMs, hands.signal);
  }
  return goOn;
}

function settle(result: { code: number | null; output: string }, words: string): StepResult {
  if (result.code === 0) return goOn;
  return { next: 'end', text: `${words}\n${result.output.trim().split('\n').slice(0, 12).join('\n')}` };
}

function claimed(step: StepOf<'claim'>, context: StepContext): string {
  return [
    `[lattice] task: ${context.standing.task}`,
    `[lattice] stage: ${step.stage}`,
    `[lattice] token: ${step.token}`,
    `[lattice] reviews: ${step.reviews}`,
    '[lattice] artifact: none',
  ].join('\n');
}

function fill(text: string, { hands, fix, standing, session }: StepContext): string {
  const values: Readonly<Record<string, string>> = {
    task: standing.task,
    stage: standing.stage,
    round: String(standing.reviews),
    summary: fix.summary,
    session,
    worktree: hands.root,
    artifacts: hands.parts.artifacts,
  };
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
