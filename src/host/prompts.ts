// What the host says to an agent. Short: the facts are in `lattice status`, which a session without memory reads too.
import type { PromptKind } from '../core/event.ts';
import { inertText } from '../core/inert.ts';
import type { RunState } from '../core/state.ts';
import { reviewCount } from '../core/state.ts';

export function promptFor(kind: PromptKind, state: RunState): string {
  const where = `Run ${state.run}, task ${state.task.id}: ${oneLine(state.task.title)}. Stage: ${state.stage}.`;
  switch (kind) {
    case 'start':
      return `${where} Work this one task through the lattice workflow. First run: lattice status`;
    case 'proceed':
      return `${where} Go on with this stage. First run: lattice status`;
    case 'approved':
      return `${where} A person has approved the proposal${choices(state)}. Product code may change now, as approved. First run: lattice status`;
    case 'feedback':
      return `${where} A person has sent it back and says: ${oneLine(state.feedback.at(-1)?.text ?? '')} -- First run: lattice status`;
    case 'blocked':
      return `${where} ${blockedBy(state)} First run: lattice status`;
    case 'stale':
      return `${where} What was approved has changed, so the approval is void and a person must decide again. Change nothing and end your turn.`;
    case 'wait':
      return `${where} A person has to decide now. Change nothing and end your turn.`;
  }
}

/** Said to a session that is started while its stage goes on: with the conversation it had, or without memory. */
export function promptToGoOn(state: RunState, remembers: boolean): string {
  const how = remembers
    ? `The session was interrupted and is resumed in stage ${state.stage}.`
    : `You take over in stage ${state.stage} from a session that is gone; what it has left is in the state and the artifacts.`;
  return `Run ${state.run}, task ${state.task.id}. ${how} Trust only: lattice status`;
}

/** Without the token: that text is never typed into a session. */
function choices(state: RunState): string {
  const chosen = state.decisions.filter((d) => d.chosen !== null).map((d) => `${d.id}${d.chosen}`);
  return chosen.length === 0 ? '' : ` with ${chosen.join(' ')}`;
}

function blockedBy(state: RunState): string {
  if (state.verification.status === 'failed') return 'The verification failed; the behaviour has to be put right.';
  const { count, limit } = reviewCount(state);
  const ids =
    state.reviews.rounds
      .at(-1)
      ?.findings.filter((f) => f.severity === 'blocking')
      .map((f) => f.id) ?? [];
  return `Review ${count} of at most ${limit} found ${ids.join(', ') || 'a blocker'}; answer each by id.`;
}

function oneLine(text: string): string {
  return inertText(text).replace(/\s+/g, ' ').trim();
}
