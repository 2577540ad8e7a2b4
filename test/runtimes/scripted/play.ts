// Plays the supervisor for one run: starts sessions where the workflow wants them, decides at the gates, and stops when there is
// nothing left that an agent could do.
import type { Stage } from './stage.ts';
import type { TestTerminal } from '../../support/terminal.ts';

export const hostPrompt = 'Run r, task t. First run: lattice status';

export interface Decisions {
  /** What is approved, once for each time the first gate is reached; a text that starts with "no:" sends it back. */
  readonly gate: readonly string[];
  readonly scenario: string;
}

/** @returns the stage in which nothing more happens. */
export async function play(stage: Stage, { gate, scenario }: Decisions): Promise<string> {
  const answers = [...gate];
  let turns = stage.truths().filter(({ type }) => type === 'answer').length;
  let started = false;
  let terminal: TestTerminal | null = null;
  for (let round = 0; round < 40; round++) {
    const now = stage.state().stage;
    if (now === 'await-testing' || now === 'halted') return now;
    if (now === 'await-development') {
      const answer = answers.shift();
      if (answer === undefined) return now;
      if (answer.startsWith('no:')) stage.change({ stage: 'draft', feedback: answer.slice(3).trim() });
      else stage.change({ stage: 'implement', approved: answer });
    }
    await terminal?.[Symbol.asyncDispose]();
    const fresh = now === 'review';
    const session = fresh ? `reviewer-${round}` : 'author';
    terminal = stage.launch({ session, resume: !fresh && started, prompt: hostPrompt, scenario });
    started = true;
    const exited = await Promise.race([terminal.exit.then(() => true), stage.turns(turns + 1).then(() => false)]);
    if (!exited) turns += 1;
  }
  throw new Error(`no end; ${stage.state().history.join(', ')}`);
}
