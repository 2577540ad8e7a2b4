// What a run may not have changed is put back, and new files are moved aside, before a person lets it go on.
import { stageRules } from '../core/stage.ts';
import type { RunState } from '../core/state.ts';
import { changedArtifacts, putBackArtifacts } from './artifact-files.ts';
import type { RunContext } from './context.ts';
import { crossedBoundary, frozenTree } from './inspect.ts';
import { inWork, workStageOf } from './stage-facts.ts';

export async function putInOrder(run: RunContext, state: RunState): Promise<void> {
  const stage = workStageOf(state);
  if (stage === null || stage === 'initialize') return;
  await putBack(run, state);
  if (stage === 'submit' || stageRules[stage].writes === 'product') return;
  const { changes } = await crossedBoundary(run);
  if (changes.length === 0) return;
  const aside = `${run.paths.setAside}-${state.entry}`;
  const tree = await frozenTree(run, state);
  await run.ports.withoutSession(() => run.workspace().restore(tree, aside));
}

/** The recorded artifacts that the agent does not work on now. */
export async function putBack(run: RunContext, state: RunState): Promise<void> {
  const stage = workStageOf(state);
  const changed = await changedArtifacts(run.paths, state, stage === null ? [] : inWork[stage]);
  if (changed.length === 0) return;
  const lost = await run.ports.withoutSession(() => putBackArtifacts(run.paths, changed));
  if (lost.length > 0) run.log.warn('recorded artifacts could not be put back', { run: state.run, lost });
}
