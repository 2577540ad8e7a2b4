// One run of the built product with a real agent program: from the task to the tested branch.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunSummary } from '../../../src/core/run.ts';
import { type Supervised, supervised } from '../full/supervised.ts';
import type { RealRuntime } from '../lab/operator-home.ts';
import { workflowModel } from '../model/workflow.ts';

export interface WholeWorkflow {
  readonly runtime: RealRuntime;
  readonly task: string;
  readonly permissionMode: string | undefined;
}

/** Half an hour: twenty starts and turns of a program that takes half a minute for each on a busy machine. */
export const workflowLimitMs = 30 * 60_000;

export async function wholeWorkflow({ runtime, task, permissionMode }: WholeWorkflow): Promise<void> {
  await using place = await supervised(runtime, permissionMode === undefined ? {} : { permissionMode });
  const run = task.toLowerCase();
  const folder = join(place.runs, run);
  const model = workflowModel({ worktree: join(folder, 'worktree'), artifacts: join(folder, 'artifacts') });
  place.model.setPlan(model.plan);
  const started = await place.start(task);
  expect(started).toMatchObject({ id: run, sandbox: 'bwrap' });
  progress(`${runtime}: ${run} started`);

  for (const gate of ['await-development', 'await-testing']) {
    const row = await waitForGate(place, run, gate, () => model.failures);
    progress(`${runtime}: ${row.stage} ${row.pendingToken}`);
    const choices = row.decisions.map((each) => `${each.id}${each.recommended}`).join(' ');
    const approved = await place.gatehouse('approve', run, `${choices} ${row.pendingToken}`.trim());
    expect(approved.stderr).toBe('');
    expect(approved.code).toBe(0);
  }
  await place.waitForRow(
    run,
    'the end',
    (row) => row.stage === 'ready-for-testing' || row.halt !== null,
    workflowLimitMs,
  );
  const detail = await place.show(run);
  keepRecording(join(folder, 'session.cast'), `${runtime}-${run}`);
  expect(detail).toMatchObject({ stage: 'ready-for-testing', halt: null, reviewCount: 1 });
  expect(model.failures).toEqual([]);

  const conversations = detail.sessions.map((session) => session.runtimeSession);
  const review = detail.sessions.find((session) => session.stage === 'review');
  expect(review?.kind).toBe('fresh');
  const others = detail.sessions
    .filter((session) => session.stage !== 'review')
    .map((session) => session.runtimeSession);
  expect(new Set(others).size).toBe(1);
  expect(conversations).not.toContain(null);
  expect(others).not.toContain(review?.runtimeSession);
  const merged = execFileSync('git', ['log', '--oneline', '-3', 'develop'], { cwd: place.sample.origin }).toString();
  expect(merged).toContain(task);
  progress(`${runtime}: ready for testing after ${detail.sessions.length} sessions`);
}

function waitForGate(
  place: Supervised,
  run: string,
  gate: string,
  failures: () => readonly string[],
): Promise<RunSummary> {
  return place.waitForRow(
    run,
    gate,
    (row) => {
      if (row.halt !== null || failures().length > 0)
        throw new StoppedEarly(`halted: ${row.halt ?? 'no'}; script: ${failures().join('\n')}`);
      return row.stage === gate && row.pendingToken !== null && row.activity === 'idle';
    },
    workflowLimitMs,
  );
}

class StoppedEarly extends Error {}

function progress(line: string): void {
  process.stdout.write(`test:runtimes: ${line}\n`);
}

/** For whoever wants to see it: GATEHOUSE_KEEP_RECORDINGS names a folder. */
function keepRecording(file: string, name: string): void {
  const folder = process.env['GATEHOUSE_KEEP_RECORDINGS'];
  if (folder === undefined || folder === '') return;
  mkdirSync(folder, { recursive: true });
  copyFileSync(file, join(folder, `${name}.cast`));
}
