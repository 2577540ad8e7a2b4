// All four programs in one home, as after a reboot: host, holders, agents and the folder of the sockets are gone at once.
// A new host lists the runs with what to do, brings them back a few at a time, and each ends as if nothing had been.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RunDetail, RunSummary } from '../../../src/core/run.ts';
import { isAlive } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Supervised, supervised } from '../full/supervised.ts';
import type { RealRuntime } from '../lab/operator-home.ts';
import type { ModelPlan } from '../model/exchange.ts';
import { workflowModel } from '../model/workflow.ts';
import { untilDone } from './finished-run.ts';
import { approve, progress, until, type WorkedRun } from './worked-run.ts';

/** Codex waits at its gate when it happens; the others are in the middle of their work. */
const tasks: Readonly<Record<RealRuntime, string>> = {
  codex: 'TB-112',
  claude: 'TB-102',
  omp: 'TB-101',
  opencode: 'TB-116',
};
const atOnce = 1;

it('C039, C042: after a reboot every run goes on with its own conversation, a few at a time', async () => {
  const runtimes = Object.keys(tasks) as RealRuntime[];
  await using place = await supervised(runtimes, {
    permissionModes: { claude: 'bypassPermissions' },
    config: { startAtOnce: atOnce },
  });
  const runs = runtimes.map((runtime) => ({ runtime, worked: workedRun(place, runtime) }));
  place.model.setPlan(byRun(runs.map(({ worked }) => worked)));
  for (const { runtime } of runs) await place.start(tasks[runtime], runtime);
  const before = await Promise.all(runs.map(({ runtime, worked }) => untilDisturbed(worked, runtime)));
  progress(`reboot: ${before.map(({ runtime, stage }) => `${runtime} in ${stage}`).join(', ')}`);

  for (const { worked } of runs) worked.model.sessionGone('kept');
  await reboot(place, before);
  const rows = await listed(place);
  for (const row of rows) {
    const isWaiting = row.runtime === 'codex';
    expect(row).toMatchObject({
      activity: 'lost',
      activityReason: expect.stringContaining('the holder of this run died') as string,
      needsMeReason: isWaiting ? 'decision' : 'lost',
      remedy: isWaiting ? 'your decision starts it again' : `gatehouse resume ${row.id} continues it`,
    });
  }

  const resuming = place.gatehouse('resume', '--lost');
  const starting = await mostAtOnce(place, resuming, (row) => row.activity === 'starting');
  const resumed = await resuming;
  expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
  expect(resumed.stdout.match(/session 2, resumed/g)).toHaveLength(runs.length - 1);
  expect(resumed.stdout).toContain('left alone: 1 that wait for your decision');
  expect(starting).toBeLessThanOrEqual(atOnce);

  const done = await Promise.all(
    runs.map(async ({ worked }) => {
      for (const gate of ['await-development', 'await-testing']) await approve(worked, gate);
      return untilDone(worked);
    }),
  );
  for (const [index, run] of done.entries()) {
    const own = before[index]?.sessions[0]?.runtimeSession;
    expect(run.sessions[1]).toMatchObject({ kind: 'resumed', runtimeSession: own });
    const main = run.sessions.filter(({ conversation }) => conversation === 'main');
    expect(new Set(main.map(({ runtimeSession }) => runtimeSession))).toEqual(new Set([own]));
  }
});

function workedRun(place: Supervised, runtime: RealRuntime): WorkedRun {
  const run = tasks[runtime].toLowerCase();
  const folder = join(place.runs, run);
  const folders = { worktree: join(folder, 'worktree'), artifacts: join(folder, 'artifacts') };
  const model = workflowModel(folders, runtime === 'codex' ? {} : { holds: { diagnose: 'in a tool call' } });
  return { place, run, model };
}

/** One model serves all; the first thing that each conversation was told names its run. */
function byRun(runs: readonly WorkedRun[]): ModelPlan {
  return (request) => {
    const run = /\bRun (tb-\d+), task /.exec(JSON.stringify(request.body))?.[1];
    const worked = runs.find((each) => each.run === run);
    if (worked === undefined) throw new Error('a request that belongs to no run');
    return worked.model.plan(request);
  };
}

function untilDisturbed(worked: WorkedRun, runtime: RealRuntime): Promise<RunDetail> {
  return until(worked, 'the moment of the reboot', (row) =>
    runtime === 'codex'
      ? row.pendingToken !== null && row.activity === 'idle'
      : worked.model.heldIn === 'diagnose' && row.activity === 'working',
  );
}

/** By recorded pids, the host first, so that nobody tells it of the others. */
async function reboot(place: Supervised, runs: readonly RunDetail[]): Promise<void> {
  const ofRuns = runs.flatMap(({ holderPid, sessionPid }) => [holderPid ?? 0, sessionPid ?? 0]);
  const pids = [await place.hostPid(), ...ofRuns];
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await waitFor(() => pids.every((pid) => !isAlive(pid)), { what: 'host, holders and agents to end' });
  const sockets = place.operator.env['XDG_RUNTIME_DIR'] ?? '';
  for (const name of readdirSync(sockets)) rmSync(join(sockets, name), { recursive: true });
  // A process that is there has the pid that one holder had.
  const file = join(runs[0]?.dir ?? '', 'holder.json');
  writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), pid: process.pid }));
}

/** The first command after it starts a host, which reads all runs back. */
function listed(place: Supervised): Promise<RunSummary[]> {
  return waitFor(
    async () => {
      const rows = await place.rows();
      return rows.every((row) => row.task.title !== '(being read back)') ? rows : null;
    },
    { what: 'all runs to be read back', timeoutMs: 60_000 },
  );
}

/** Of OpenCode it is not known when it is ready before it has started for longer than a slot is kept for anybody. */
async function mostAtOnce(
  place: Supervised,
  until: Promise<unknown>,
  is: (row: RunSummary) => boolean,
): Promise<number> {
  let most = 0;
  let over = false;
  void until.finally(() => {
    over = true;
  });
  await waitFor(
    async () => {
      const rows = await place.rows();
      most = Math.max(most, rows.filter((row) => row.runtime !== 'opencode' && is(row)).length);
      return over;
    },
    { what: 'all to be resumed', timeoutMs: 300_000, intervalMs: 100 },
  );
  return most;
}
