// One run of the built product with a real agent program: from the task to the tested branch, undisturbed or killed in
// every stage.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunDetail } from '../../../src/core/run.ts';
import { type Supervised, supervised } from '../full/supervised.ts';
import type { RealRuntime } from '../lab/operator-home.ts';
import { type WorkflowOptions, workflowModel } from '../model/workflow.ts';
import { disturbances, killInTheMiddle, killWhileItWaits } from './kill-agent.ts';
import { approve, progress, until, type WorkedRun } from './worked-run.ts';

export interface WholeWorkflow {
  readonly runtime: RealRuntime;
  readonly task: string;
  readonly permissionMode: string | undefined;
}

/** With a review that passes at once. */
export async function undisturbedWorkflow(given: WholeWorkflow): Promise<void> {
  await using place = await placeOf(given);
  const worked = await begin(place, given, {});
  for (const gate of ['await-development', 'await-testing']) await approve(worked, gate);
  const detail = await untilDone(worked);
  expect(detail).toMatchObject({ reviewCount: 1 });
  expect(conversationsOf(detail, 'main').size).toBe(1);
  expect(detail.sessions.flatMap(({ note }) => note ?? [])).toEqual([]);
  keepRecording(join(place.runs, worked.run, 'session.cast'), `${given.runtime}-${worked.run}`);
}

/** With a patch and a second review; the agent is killed once in every stage in which it works or waits. */
export async function killedWorkflow(given: WholeWorkflow): Promise<void> {
  await using place = await placeOf(given);
  const worked = await begin(place, given, {
    scenario: 'two-reviews',
    holds: Object.fromEntries(disturbances.map(({ visit, hold }) => [visit, hold])),
  });
  const disturb = async (...visits: string[]) => {
    for (const each of disturbances.filter(({ visit }) => visits.includes(visit))) await killInTheMiddle(worked, each);
  };
  await disturb('diagnose', 'draft');
  await killWhileItWaits(worked, 'await-development');
  await approve(worked, 'await-development');
  await disturb('implement', 'review', 'patch', 'verify');
  await killWhileItWaits(worked, 'await-testing');
  await approve(worked, 'await-testing');
  const detail = await untilDone(worked);

  expect(detail).toMatchObject({ reviewCount: 2 });
  // One until it was taken away, one after that.
  expect(conversationsOf(detail, 'main').size).toBe(2);
  expect(detail.sessions.flatMap(({ note }) => note ?? [])).toHaveLength(1);
  expect(conversationsOf(detail, 'review').size).toBe(2);
  progress(`${given.runtime}: killed ${detail.sessions.filter(({ exit }) => exit?.signal === 'SIGKILL').length} times`);
}

async function placeOf({ runtime, permissionMode }: WholeWorkflow): Promise<Supervised> {
  return supervised([runtime], permissionMode === undefined ? {} : { permissionModes: { [runtime]: permissionMode } });
}

async function begin(
  place: Supervised,
  { runtime, task }: WholeWorkflow,
  options: WorkflowOptions,
): Promise<WorkedRun> {
  const run = task.toLowerCase();
  const folder = join(place.runs, run);
  const model = workflowModel({ worktree: join(folder, 'worktree'), artifacts: join(folder, 'artifacts') }, options);
  place.model.setPlan(model.plan);
  expect(await place.start(task, runtime)).toMatchObject({ id: run, sandbox: 'bwrap' });
  progress(`${runtime}: ${run} started`);
  return { place, run, model };
}

/** Waits for the end, and checks what holds for every run that got there. */
export async function untilDone(worked: WorkedRun): Promise<RunDetail> {
  const { place, run, model } = worked;
  const detail = await until(worked, 'the end', (row) => row.stage === 'ready-for-testing');
  expect(model.failures).toEqual([]);
  const { state } = detail;
  expect(state?.history.map(({ to }) => to)).toEqual(
    [
      ['initialize', 'diagnose', 'draft', 'await-development', 'implement', 'review'],
      detail.reviewCount > 1 ? ['patch', 'review'] : [],
      ['verify', 'await-testing', 'submit', 'ready-for-testing'],
    ].flat(),
  );
  expect(state?.approvals.map(({ gate }) => gate)).toEqual(['development', 'testing']);
  const reviews = detail.sessions.filter(({ conversation }) => conversation === 'review');
  expect(reviews[0]).toMatchObject({ stage: 'review', kind: 'fresh' });
  expect(detail.sessions.map(({ runtimeSession }) => runtimeSession)).not.toContain(null);
  for (const review of conversationsOf(detail, 'review')) expect(conversationsOf(detail, 'main')).not.toContain(review);

  const inOrigin = (...args: string[]) => execFileSync('git', args, { cwd: place.sample.origin, encoding: 'utf8' });
  expect(inOrigin('log', '--no-merges', '--format=%s', 'develop').match(new RegExp(detail.task.id, 'g'))).toHaveLength(
    1,
  );
  const bundle = join(place.operator.root, `${run}.bundle`);
  for (const args of [
    ['bundle', run, '-o', bundle],
    ['verify', bundle],
  ]) {
    const result = await place.gatehouse(...args);
    expect({ args, code: result.code, stderr: result.stderr }).toEqual({ args, code: 0, stderr: '' });
  }
  progress(`${detail.runtime}: ${run} ready for testing after ${detail.sessions.length} sessions`);
  return detail;
}

function conversationsOf({ sessions }: RunDetail, conversation: 'main' | 'review'): Set<string | null> {
  return new Set(
    sessions.filter((each) => each.conversation === conversation).map(({ runtimeSession }) => runtimeSession),
  );
}

/** For whoever wants to see it: GATEHOUSE_KEEP_RECORDINGS names a folder. */
function keepRecording(file: string, name: string): void {
  const folder = process.env['GATEHOUSE_KEEP_RECORDINGS'];
  if (folder === undefined || folder === '') return;
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, join(folder, `${name}.cast`));
}
