// Stage submit: the engine delivers. Runs beside the queue, since tests may take minutes; every step it records goes through
// the queue. Killed anywhere, it starts again and finds what is done.
import type { CommandResult } from './ports.ts';
import type { Delivery, RepositoryFacts, RunState } from '../core/state.ts';
import { validApproval } from '../core/state.ts';
import type { DeliverResult, DeliveryCommand, DeliveryCommandResult } from '../core/repository.ts';
import { type RunContext, applied, repositoryOf, standsOn } from './context.ts';
import { collectOutput } from './collected-output.ts';
import { excerptOf } from './evidence-run.ts';
import { readSkill } from './skills.ts';
import { writeSummary } from './testing-package.ts';
import { commitMessage, mergeMessage } from './words.ts';

/** Test suites of large products take long; what is slower than this hangs. */
const commandTimeoutMs = 60 * 60_000;
const taskStatus = 'Ready for Testing';

export async function deliverRun(run: RunContext): Promise<void> {
  const state = await run.atomically(() => readDeliverSkill(run));
  const approval = validApproval(state, 'testing');
  const tree = approval?.subject.tree;
  if (state.stage !== 'submit' || approval === undefined || tree === undefined || tree === null) return;
  const repository = repositoryOf(state);
  const result = await run.workspace().deliver({
    tree,
    base: standsOn(state),
    targetBranch: repository.developmentBranch,
    message: commitMessage(state),
    mergeMessage: mergeMessage(state),
    date: approval.time,
    known: { finalCommit: state.delivery?.finalCommit ?? null, mergeCommit: state.delivery?.mergeCommit ?? null },
    run: (command) => runCommand(run, command),
    clean: repository.setupCommand !== null,
    runTests: (folder) => runTests(run, repository, folder),
    progressed: async (facts) => {
      await run.atomically(() => progressed(run, facts));
    },
  });
  await run.atomically(() => (result.ok ? complete(run, tree, result) : halt(run, result)));
}

/** The engine acts in this stage, so the engine reads its skill: the version it worked by is on record like any other. */
async function readDeliverSkill(run: RunContext): Promise<RunState> {
  const state = run.state();
  if (state.stage !== 'submit') return state;
  const skill = await readSkill(run.ports.skills, 'lattice-deliver');
  const isRead = state.skillsRead.some((r) => r.entry === state.entry && r.sha256 === skill.sha256);
  if (isRead) return state;
  return applied(run, { type: 'skill.read', read: { name: skill.name, sha256: skill.sha256 }, at: run.now() });
}

async function progressed(run: RunContext, facts: Pick<Delivery, 'finalCommit' | 'mergeCommit'>): Promise<void> {
  await applied(run, {
    type: 'delivery.progressed',
    delivery: { ...deliveryOf(run.state()), ...facts },
    at: run.now(),
  });
}

async function complete(run: RunContext, tree: string, result: Extract<DeliverResult, { ok: true }>): Promise<void> {
  const { finalCommit, mergeCommit, pushedTo } = result;
  const delivery = { ...deliveryOf(run.state()), finalCommit, mergeCommit, pushedTo, taskStatus };
  const summary = await writeSummary(run, tree, delivery, 'submit');
  await applied(run, { type: 'delivery.completed', delivery, artifacts: [summary], at: run.now() });
}

async function halt(run: RunContext, result: Extract<DeliverResult, { ok: false }>): Promise<void> {
  const repository = repositoryOf(run.state());
  const sameBranch = repository.baselineBranch === repository.developmentBranch;
  const isConflict = result.reason === 'conflict';
  await applied(run, {
    type: 'run.halted',
    at: run.now(),
    halt: {
      code: isConflict ? 'delivery-conflict' : 'delivery-failed',
      reason: `delivery stopped, nothing was pushed: ${result.message}`,
      hint:
        isConflict && !sameBranch
          ? handMergeHint(repository.workingBranch, repository.developmentBranch)
          : hints[result.reason],
      evidence: null,
    },
  });
}

const hints: Readonly<Record<Extract<DeliverResult, { ok: false }>['reason'], string>> = {
  conflict:
    'gatehouse resume RUN --to patch lets the agent solve it and a review follows; or merge by hand, then: gatehouse resume RUN',
  'hook-rejected':
    'mend what the hook names, then: gatehouse resume RUN; or send it back: gatehouse resume RUN --to patch',
  'hook-changed-tree': 'the hook must not change files: let the agent apply it with gatehouse resume RUN --to patch',
  'tests-failed':
    'the tree to deliver fails its tests: gatehouse resume RUN --to patch, or mend the target branch and gatehouse resume RUN',
  'push-rejected': 'the remote refuses this push: change its rule or your rights, then: gatehouse resume RUN',
  'remote-lost': 'when the remote is back: gatehouse resume RUN',
  'branch-missing': 'make the branch again, or correct the policy; then: gatehouse resume RUN',
  'checked-out': 'switch that checkout to another branch (git switch --detach), then: gatehouse resume RUN',
  failed: 'look at the clone, then: gatehouse resume RUN',
};

function handMergeHint(working: string, target: string): string {
  return `merge the final commit of ${working} into ${target} by hand and push it, then: gatehouse resume RUN (it finds the merge and goes on)`;
}

async function runTests(run: RunContext, { setupCommand, testCommand }: RepositoryFacts, folder: string) {
  const steps = [
    { name: 'the setup command', command: setupCommand },
    { name: 'the tests of the merged tree', command: testCommand },
  ];
  for (const { name, command } of steps) {
    if (command === null) continue;
    const { output, result } = await collected(run, { argv: ['sh', '-c', command], cwd: folder, env: {} });
    if (result.exitCode === 0) continue;
    const words = excerptOf(output).split('\n').slice(-6).join('; ');
    return { ok: false, message: `${name} ended with ${howItEnded(result)}: ${words}` };
  }
  return { ok: true, message: '' };
}

async function runCommand(run: RunContext, command: DeliveryCommand): Promise<DeliveryCommandResult> {
  const { output, result } = await collected(run, command);
  return { ok: result.exitCode === 0, output: result.failure ?? output };
}

async function collected(run: RunContext, command: DeliveryCommand) {
  const output = collectOutput();
  const result = await run.ports.runCommand({ ...command, timeoutMs: commandTimeoutMs, onOutput: output.take });
  return { result, output: output.text().toString('utf8') };
}

function howItEnded(result: CommandResult): string {
  if (result.failure !== null) return result.failure;
  if (result.timedOut) return 'a time-out';
  return result.exitCode === null ? (result.signal ?? 'no exit code') : `exit code ${result.exitCode}`;
}

function deliveryOf(state: RunState): Delivery {
  return (
    state.delivery ?? {
      reviewCommit: null,
      reviewBranch: repositoryOf(state).reviewBranch,
      compareLink: null,
      finalCommit: null,
      mergeCommit: null,
      pushedTo: null,
      taskStatus: null,
    }
  );
}
