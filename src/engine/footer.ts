import { type FooterFacts, formatFooter } from '../core/footer.ts';
import { type Stage, stageNumber } from '../core/stage.ts';
import { type RunState, pendingToken, reviewCount } from '../core/state.ts';
import { owedIn, workStageOf } from './stage-facts.ts';

export function footerOf(state: RunState): string {
  return formatFooter(footerFacts(state));
}

/** What a truthful footer says now; the supervisor compares with this. */
function footerFacts(state: RunState): FooterFacts {
  const { count, limit } = reviewCount(state);
  const stage: Stage = state.stage;
  const work = workStageOf(state);
  const owed = work === null ? [] : owedIn(work);
  return {
    task: state.task.id,
    stage,
    stageNumber: stageNumber(stage, state.halt?.from ?? null),
    pendingToken: pendingToken(state),
    reviewCount: count,
    reviewLimit: limit,
    artifact: owed.at(-1) ?? state.artifacts.at(-1)?.name ?? null,
  };
}
