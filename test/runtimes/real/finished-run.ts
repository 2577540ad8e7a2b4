// What holds for every run of a real agent program that got to the end, whatever happened on the way.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { RunDetail } from '../../../src/core/run.ts';
import { progress, until, type WorkedRun } from './worked-run.ts';

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

export function conversationsOf({ sessions }: RunDetail, conversation: 'main' | 'review'): Set<string | null> {
  return new Set(
    sessions.filter((each) => each.conversation === conversation).map(({ runtimeSession }) => runtimeSession),
  );
}
