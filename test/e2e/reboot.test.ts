// As after a reboot: host, holders, sessions and the folder of the sockets are gone at once, and pids belong to others.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunDetail } from '../../src/core/run.ts';
import { identify } from '../../src/platform/process-identity.ts';
import { isAlive } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';
import { recommendedLine } from './product.ts';
import { Site, quiet } from './site.ts';

/** Kills by recorded pid; the sockets lie in memory and are gone after a reboot. */
async function reboot(site: Site, runs: readonly RunDetail[]): Promise<void> {
  const pids = runs.flatMap(({ holderPid, sessionPid }) => [holderPid, sessionPid].filter((pid) => pid !== null));
  const all = [await site.hostPid(), ...pids];
  for (const pid of all) process.kill(pid, 'SIGKILL');
  await waitFor(() => all.every((pid) => !isAlive(pid)), { what: 'host, holders and sessions to end' });
  const { runtimeDir } = site.product.home;
  for (const name of readdirSync(runtimeDir)) rmSync(join(runtimeDir, name), { recursive: true });
}

test('C039, C042: every run is listed with what happened and what to do; the lost ones go on with their conversations', {
  timeout: 300_000,
}, async () => {
  await using site = await Site.open({ config: { startAtOnce: 1 } });
  const ids: string[] = [];
  for (const scenario of [quiet, quiet, quiet, quiet, {}]) ids.push((await site.scripted(scenario)).id);
  const [first = '', second = '', stopped = '', failed = '', waiting = ''] = ids;
  await Promise.all([first, second, stopped, failed].map((id) => site.untilIdle(id)));
  await site.until(waiting, 'to wait at gate 1', (row) => row.pendingToken !== null && row.activity === 'idle');
  await site.product.done(['stop', stopped]);
  // What has ended before is no news.
  site.steer(failed, 'exit 7');
  await site.until(failed, 'to be exited', (row) => row.activity === 'exited');
  const before = await Promise.all(ids.map((id) => site.show(id)));
  await reboot(site, before);

  // A pid that somebody else has by now.
  using stranger = disposable(spawn('sleep', ['600'], { stdio: 'ignore' }));
  const holderFile = join(before[0]?.dir ?? '', 'holder.json');
  const holder = JSON.parse(readFileSync(holderFile, 'utf8')) as { pid: number };
  writeFileSync(holderFile, JSON.stringify({ ...holder, pid: stranger.child.pid }));

  const rows = new Map((await site.product.list()).map((row) => [row.id, row]));
  for (const id of [first, second]) {
    expect(rows.get(id)).toMatchObject({
      activity: 'lost',
      activityReason: expect.stringContaining('the holder of this run died') as string,
      needsMeReason: 'lost',
      remedy: `gatehouse resume ${id} continues it`,
    });
  }
  expect(rows.get(waiting)).toMatchObject({
    activity: 'lost',
    needsMeReason: 'decision',
    remedy: 'your decision starts it again',
  });
  expect(rows.get(stopped)).toMatchObject({ activity: 'exited', needsMe: false });
  expect(rows.get(stopped)?.activityReason).toContain('stopped by the operator');
  expect(rows.get(failed)).toMatchObject({ activity: 'exited', activityReason: 'exit code 7' });

  const resumed = await site.product.done(['resume', '--lost']);
  expect(resumed.match(/session 2, resumed/g)).toHaveLength(2);
  expect(resumed).toContain('left alone: 1 that wait for your decision');
  await site.product.done(['approve', waiting, recommendedLine(rows.get(waiting) ?? (before[4] as RunDetail))]);
  await site.until(waiting, 'to go on', (row) => row.stage !== 'await-development' && row.sessionPid !== null);
  // The restart that was due goes on as if nothing had been.
  await site.until(failed, 'to be started again', (row) => row.sessionPid !== null);
  expect((await site.show(stopped)).sessions).toHaveLength(1);

  for (const id of [first, second, failed, waiting]) {
    const now = await site.show(id);
    const own = before.find((run) => run.id === id)?.sessions[0]?.runtimeSession;
    expect(now.sessions[1]).toMatchObject({ kind: 'resumed', runtimeSession: own });
    expect(now.sessions[0]?.endedAt).not.toBeNull();
  }
  expect(stranger.child.exitCode).toBeNull();
  expect(identify(stranger.child.pid ?? 0)).not.toBeNull();
});

function disposable(child: ChildProcess): Disposable & { readonly child: ChildProcess } {
  return { child, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}
