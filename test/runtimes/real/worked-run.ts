// A run of the built product whose real agent program is driven by the scripted model: waiting for it, deciding for it.
import { expect } from 'vitest';
import type { RunDetail } from '../../../src/core/run.ts';
import type { Supervised } from '../full/supervised.ts';
import type { WorkflowModel } from '../model/workflow.ts';

export interface WorkedRun {
  readonly place: Supervised;
  readonly run: string;
  readonly model: WorkflowModel;
}

/** Half an hour: twenty starts and turns of a program that takes half a minute for each on a busy machine. */
const workflowLimitMs = 30 * 60_000;

/** Fails at once when the run is halted or the script itself went wrong. */
export function until(worked: WorkedRun, what: string, holds: (row: RunDetail) => boolean): Promise<RunDetail> {
  const { place, run, model } = worked;
  let stopped: string | null = null;
  return place
    .waitFor(
      run,
      what,
      (row) => {
        if (row.halt !== null || model.failures.length > 0)
          stopped = `halted: ${row.halt ?? 'no'}; script: ${model.failures.join('\n')}`;
        return stopped !== null || holds(row);
      },
      workflowLimitMs,
    )
    .then((row) => {
      if (stopped !== null) throw new Error(`${run}, waiting for ${what}: ${stopped}`);
      return row;
    });
}

/** The line with the recommended options, as a person would type it after reading. */
export async function approve(worked: WorkedRun, gate: string): Promise<void> {
  const { place, run } = worked;
  const row = await until(worked, gate, (each) => each.stage === gate && each.pendingToken !== null && isAtRest(each));
  const choices = row.decisions.map((each) => `${each.id}${each.recommended}`).join(' ');
  const approved = await place.gatehouse('approve', run, `${choices} ${row.pendingToken}`.trim());
  expect({ code: approved.code, stderr: approved.stderr }).toEqual({ code: 0, stderr: '' });
  progress(`${row.runtime}: ${run} approved in ${gate}`);
}

const isAtRest = ({ activity }: RunDetail) => activity === 'idle' || activity === 'exited' || activity === 'lost';

export function progress(line: string): void {
  process.stdout.write(`test:runtimes: ${line}\n`);
}
