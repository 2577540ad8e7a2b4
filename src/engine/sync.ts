// `lattice sync`: brings the authoritative baseline into the worktree, before a review and while conflicts are solved.
import type { RunState } from '../core/state.ts';
import { type RunContext, applied, refuse, repositoryOf, standsOn } from './context.ts';
import { inspectRun } from './inspect.ts';
import { commitMessage } from './words.ts';

export async function syncRun(run: RunContext): Promise<string> {
  await inspectRun(run);
  const state = run.state();
  if (state.stage !== 'review' && state.stage !== 'patch') {
    throw refuse(
      'stage.wrong',
      `syncing does not belong to stage ${state.stage}`,
      'it is done at the start of each review',
    );
  }
  const repository = repositoryOf(state);
  if (state.stage === 'review' && state.sync?.entry === state.entry) return syncedBefore(run, state.sync);
  const pending = (state.sync?.conflicts.length ?? 0) > 0 ? (state.sync?.commit ?? null) : null;
  const before = standsOn(state);
  const bringIn = () =>
    run.workspace().sync({
      baselineBranch: repository.baselineBranch,
      policy: repository.sync,
      message: commitMessage(state),
      date: state.since,
      pending,
    });
  const synced = await (state.stage === 'review' ? run.ports.withoutSession(bringIn) : bringIn());
  if (!synced.ok) {
    throw refuse(
      'delivery.failed',
      `the baseline ${repository.baselineBranch} could not be fetched: ${synced.message}`,
      'try again in a while; if it stays so, end your turn and say it',
    );
  }
  const { commit, conflicts, tree } = synced;
  await applied(run, { type: 'baseline.synced', commit, conflicts, tree, at: run.now() });
  const moved = commit === before ? 'has not moved' : `moved from ${before.slice(0, 12)}`;
  return report(run.state(), { commit, conflicts, tree }, moved);
}

/** What is judged does not change while it is judged; the next review, or the delivery, brings in what came meanwhile. */
async function syncedBefore(run: RunContext, { commit, conflicts }: NonNullable<RunState['sync']>): Promise<string> {
  return report(run.state(), { commit, conflicts, tree: await run.workspace().tree() }, 'brought in for this review');
}

interface Synced {
  readonly commit: string;
  readonly conflicts: readonly string[];
  readonly tree: string;
}

function report(state: RunState, { commit, conflicts, tree }: Synced, moved: string): string {
  const { baselineBranch } = repositoryOf(state);
  const lines = [`baseline: ${baselineBranch} at ${commit} (${moved})`, `tree: ${tree}`];
  if (conflicts.length > 0) {
    lines.push(
      `conflicts in: ${conflicts.join(', ')}`,
      state.stage === 'review'
        ? 'write a blocking finding for each of these files; they are solved in patch'
        : 'solve them in the worktree, keeping what both sides meant; then: lattice sync',
    );
  } else if (state.stage === 'review') {
    lines.push(`judge this tree: git diff ${commit}`);
  }
  return lines.join('\n');
}
