// A real agent program that is killed by its recorded pid, and what must hold after it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { RunDetail, RunSummary } from '../../../src/core/run.ts';
import { adapterFor, defaultRuntimeConfig } from '../../../src/runtimes/registry.ts';
import { processesWithEnv } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Hold, holdingCall } from '../model/workflow.ts';
import { progress, until, type WorkedRun } from './worked-run.ts';

export interface Disturbance {
  /** Stage, with the number of its round after the first. */
  readonly visit: string;
  readonly hold: Hold;
  /** How it comes back. */
  readonly by: 'itself' | 'resume';
  /** What is left of its conversation. */
  readonly memory: 'kept' | 'lost';
}

export const disturbances: readonly Disturbance[] = [
  { visit: 'diagnose', hold: 'in a tool call', by: 'itself', memory: 'kept' },
  { visit: 'draft', hold: 'while it speaks', by: 'resume', memory: 'kept' },
  { visit: 'implement', hold: 'in a tool call', by: 'resume', memory: 'kept' },
  { visit: 'review', hold: 'while it thinks', by: 'itself', memory: 'kept' },
  { visit: 'patch', hold: 'while it speaks', by: 'resume', memory: 'kept' },
  { visit: 'verify', hold: 'in a tool call', by: 'resume', memory: 'lost' },
];

export async function killInTheMiddle(worked: WorkedRun, disturbance: Disturbance): Promise<void> {
  const { place, run, model } = worked;
  const { visit, hold, by, memory } = disturbance;
  const isInTheMiddle = (row: RunDetail) =>
    model.heldIn === visit &&
    row.activity === 'working' &&
    (hold !== 'in a tool call' || row.lastLine.includes(holdingCall));
  const before = await until(worked, `the middle of ${visit}`, isInTheMiddle);
  const own = before.sessions.at(-1)?.runtimeSession ?? '';
  const spokenBefore = place.model.requests.at(-1)?.spoken ?? 0;
  const requestsBefore = place.model.requests.length;

  model.sessionGone(memory);
  const row = await kill(worked, before);
  expect(row.needsMe).toBe(false);
  expect(row.remedy).toBe('it is started again by itself in a moment');
  if (memory === 'lost') await forget(worked, before, own);
  if (by === 'resume') expect((await place.gatehouse('resume', run)).code).toBe(0);

  const next = await until(
    worked,
    `the session after the one killed in ${visit}`,
    (each) => each.sessions.length > before.sessions.length && each.sessions.at(-1)?.runtimeSession !== null,
  );
  const session = next.sessions[before.sessions.length];
  const asked = await waitFor(() => place.model.requests[requestsBefore], {
    what: `${next.runtime} to ask its model again; it is ${next.activity}: ${next.activityReason}`,
    timeoutMs: 180_000,
  });
  if (memory === 'kept') {
    expect(session).toMatchObject({ kind: 'resumed', runtimeSession: own, stage: before.stage });
    expect(asked.spoken).toBeGreaterThanOrEqual(spokenBefore);
  } else {
    const note = `nothing is left of conversation ${own}`;
    expect(session).toMatchObject({ kind: 'fresh', conversation: 'main', stage: before.stage, note });
    expect(session?.runtimeSession).not.toBe(own);
    expect(asked.spoken).toBe(0);
    expect((await place.gatehouse('show', run)).stdout).toContain(`began without memory: ${note}`);
  }
  progress(`${next.runtime}: killed in ${visit} ${hold}, ${memory === 'kept' ? 'goes on' : 'another takes over'}`);
}

/** At a gate nothing starts it again but the decision. */
export async function killWhileItWaits(worked: WorkedRun, gate: string): Promise<void> {
  const before = await until(
    worked,
    gate,
    (row) => row.stage === gate && row.pendingToken !== null && row.activity === 'idle',
  );
  worked.model.sessionGone('kept');
  const row = await kill(worked, before);
  expect(row).toMatchObject({ needsMeReason: 'decision', remedy: 'your decision starts it again' });
}

/** By its recorded pid. Whatever the session had started goes with it. */
async function kill({ place, run }: WorkedRun, before: RunDetail): Promise<RunSummary> {
  process.kill(before.sessionPid ?? 0, 'SIGKILL');
  // Rows cost the host next to nothing: it looks as often as it must to see what lasts for some seconds.
  const row = await waitFor(
    async () => (await place.rows()).find((each) => each.id === run && each.activity === 'exited'),
    { what: `the end of the session in ${before.stage}`, timeoutMs: 60_000 },
  );
  expect(row.activityReason).toBe('killed by SIGKILL');
  const artifacts = join(place.runs, run, 'artifacts');
  await waitFor(() => processesWithEnv('GATEHOUSE_ARTIFACTS', artifacts).length === 0, {
    what: 'everything of the session to be gone',
  });
  return row;
}

/** Takes the conversation away, as somebody does who cleans up in the folders of the program. */
async function forget({ place }: WorkedRun, run: RunDetail, conversation: string): Promise<void> {
  const { transcript } = adapterFor(defaultRuntimeConfig(run.runtime));
  const path = await transcript?.locate({
    runtimeSession: conversation,
    worktree: run.worktree,
    runtimeDir: join(run.dir, 'runtime'),
    env: place.operator.env,
  });
  if (typeof path !== 'string') throw new Error(`${run.runtime} has no conversation ${conversation}`);
  if (run.runtime === 'opencode') forgetInDatabase(path, conversation);
  else rmSync(path);
}

/** OpenCode has all of them in one file. */
function forgetInDatabase(path: string, conversation: string): void {
  const database = new DatabaseSync(path);
  try {
    for (const [table, column] of [
      ['part', 'session_id'],
      ['message', 'session_id'],
      ['session', 'id'],
    ])
      database.prepare(`delete from ${table} where ${column} = ?`).run(conversation);
  } finally {
    database.close();
  }
}
