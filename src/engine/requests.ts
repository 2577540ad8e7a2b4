// The requests of `lattice`, each as one function from parameters to text. A refusal is thrown as `Refused`.
import { stageNumber } from '../core/stage.ts';
import { type SkillName, skillNames, stageRules } from '../core/stage.ts';
import type { AskMethod, AskParams } from './api.ts';
import { advanceStage, checkStage } from './advance.ts';
import { type RunContext, applied, refuse } from './context.ts';
import { addEvidence } from './evidence-add.ts';
import { runEvidence } from './evidence-run.ts';
import { footerOf } from './footer.ts';
import { inspectRun } from './inspect.ts';
import { readSkill } from './skills.ts';
import { statusText } from './status.ts';
import { syncRun } from './sync.ts';

export interface Request<M extends AskMethod> {
  /** Holds the queue for its whole length; the others take it for the parts that need it. */
  readonly atomic: boolean;
  answer(run: RunContext, params: AskParams[M]): Promise<string>;
}

export const requests: { readonly [M in AskMethod]: Request<M> } = {
  status: { atomic: true, answer: status },
  skill: { atomic: true, answer: skill },
  check: { atomic: true, answer: checkStage },
  advance: { atomic: true, answer: advance },
  'evidence.run': { atomic: false, answer: runEvidence },
  'evidence.add': { atomic: true, answer: addEvidence },
  sync: { atomic: true, answer: syncRun },
  footer: { atomic: true, answer: async (run) => footerOf(run.state()) },
};

async function status(run: RunContext): Promise<string> {
  await inspectRun(run);
  return statusText(run);
}

async function skill(run: RunContext, { name }: AskParams['skill']): Promise<string> {
  await inspectRun(run);
  const known = skillNames.find((each): each is SkillName => each === name);
  if (known === undefined) {
    throw refuse('skill.unknown', `there is no skill ${name}`, `the skills are: ${skillNames.join(', ')}`);
  }
  const present = await readSkill(run.ports.skills, known);
  await applied(run, { type: 'skill.read', read: { name: known, sha256: present.sha256 }, at: run.now() });
  return present.text;
}

async function advance(run: RunContext): Promise<string> {
  const stage = await advanceStage(run);
  const state = run.state();
  const number = stageNumber(state.stage, state.halt?.from ?? null);
  const entered = `stage ${stage} (${number}/10): ${state.history.at(-1)?.reason ?? ''}`;
  if (stage === 'halted') return `${entered}\nend your turn and wait; a person decides how it goes on`;
  const actor = stage === 'ready-for-testing' ? 'engine' : stageRules[stage as SkillStage].actor;
  if (actor === 'operator') return `${entered}\nthe run waits at a gate: end your turn; a person decides`;
  return `${entered}\nnext: lattice status`;
}

type SkillStage = keyof typeof stageRules;
