// One run of the built product with a real agent program: from the task to the tested branch, undisturbed or killed in
// every stage.
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Supervised, supervised } from '../full/supervised.ts';
import type { RealRuntime } from '../lab/operator-home.ts';
import { type WorkflowOptions, workflowModel } from '../model/workflow.ts';
import { conversationsOf, untilDone } from './finished-run.ts';
import { disturbances, killInTheMiddle, killWhileItWaits } from './kill-agent.ts';
import { approve, progress, type WorkedRun } from './worked-run.ts';

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

/** For whoever wants to see it: GATEHOUSE_KEEP_RECORDINGS names a folder. */
function keepRecording(file: string, name: string): void {
  const folder = process.env['GATEHOUSE_KEEP_RECORDINGS'];
  if (folder === undefined || folder === '') return;
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, join(folder, `${name}.cast`));
}
