// Everything stands still for a while, as with the lid of a laptop closed, or only the console does: what is said after
// it is true, and nothing is made up for.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { treeCpuTicks } from '../../src/platform/process-usage.ts';
import { caseSize } from '../support/case-size.ts';
import { openBuilt } from '../support/terminal.ts';
import { temporaryHome } from '../support/temporary-home.ts';
import { elapsed } from '../support/wait-for.ts';
import { Site, quiet } from './site.ts';

const startDeadlineSeconds = 15;

describe('C019: after a sleep nothing is called stuck', () => {
  test('when all processes stood still longer than a start may take', { timeout: 240_000 }, async () => {
    await using site = await openSite();
    const { idle, starting } = await startBoth(site);
    const pids = [await site.hostPid(), ...(await pidsOf(site, idle)), ...(await pidsOf(site, starting))];
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await elapsed(caseSize({ usual: (startDeadlineSeconds + 1) * 1_000, full: 60_000 }));
    const [agent, ...others] = pids.toReversed();
    for (const pid of others) process.kill(pid, 'SIGCONT');
    // The deadline has passed on the clock, but not for a host that was awake: looked at twice, it still starts.
    await elapsed(2_500);
    expect(await site.show(starting)).toMatchObject({ activity: 'starting', needsMe: false });
    process.kill(agent ?? 0, 'SIGCONT');
    await expectBothWell(site, { idle, starting });
  });

  test.each(['SIGUSR2', 'SIGWINCH'] as const)(
    'when the clock of the host jumps (%s)',
    {
      timeout: 240_000,
    },
    async (signal) => {
      const clock = join(import.meta.dirname, '../fixtures/clock-jump.mjs');
      await using site = await openSite({ NODE_OPTIONS: `--import=${clock}` });
      const { idle, starting } = await startBoth(site);
      process.kill(await site.hostPid(), signal);
      await elapsed(2_500);
      expect(await site.show(starting)).toMatchObject({ activity: 'starting', needsMe: false });
      await expectBothWell(site, { idle, starting });
      // The jump has been seen: what begins now has the time of now.
      site.steer(idle, 'ask rm -rf out');
      const asks = await site.until(idle, 'to ask', (row) => row.activity === 'blocked');
      const ahead = Date.parse(asks.why.find((note) => note.source === 'screen')?.at ?? '') - Date.now();
      expect(Math.round(ahead / 3_600_000)).toBe(signal === 'SIGUSR2' ? 1 : -1);
    },
  );
});

test('C041: a console that stood still makes up for nothing', { timeout: 400_000 }, async () => {
  const runs = caseSize({ usual: 8, full: 60 });
  const windowMs = caseSize({ usual: 2_000, full: 5_000 });
  await using site = await Site.open({
    config: { sandbox: 'off' },
    fixtures: { ticks: { file: 'ticks.mjs', args: ['500'] } },
  });
  const ids = await Promise.all(Array.from({ length: runs }, async () => (await site.fixture('ticks')).id));
  for (const id of ids) await site.until(id, 'to tick', (row) => row.lastLine.startsWith('tick'));
  await using terminal = openBuilt('gatehouse', { env: site.product.home.env, cols: 160, rows: 40 });
  await terminal.waitForText(/tick \d+/, { timeoutMs: 60_000 });
  const frames = () => terminal.raw().toString('latin1').split('\u001b[?2026h').length;
  const measure = async (): Promise<{ frames: number; ticks: number }> => {
    const before = { frames: frames(), ticks: treeCpuTicks(terminal.pid) };
    await elapsed(windowMs);
    return { frames: frames() - before.frames, ticks: treeCpuTicks(terminal.pid) - before.ticks };
  };
  const usual = await measure();
  process.kill(terminal.pid, 'SIGSTOP');
  await elapsed(caseSize({ usual: 6_000, full: 120_000 }));
  process.kill(terminal.pid, 'SIGCONT');
  const first = await measure();
  const then = await measure();
  // It goes on as it did; what it has missed is one more frame, whatever its number.
  expect(first.frames).toBeLessThanOrEqual(usual.frames * 1.5 + 5);
  expect(then.frames).toBeLessThanOrEqual(usual.frames * 1.5 + 5);
  expect(then.ticks).toBeLessThanOrEqual(usual.ticks * 2 + 10);
  terminal.write('q');
  await terminal.waitForText(`${runs} runs go on`, { timeoutMs: 30_000 });
});

function openSite(env: Readonly<Record<string, string>> = {}): Promise<Site> {
  return Site.open({
    home: temporaryHome(env),
    config: { sandbox: 'off', startDeadlineSeconds },
    fixtures: { slow: { file: 'slow-start.mjs', args: ['6000'] } },
  });
}

async function startBoth(site: Site): Promise<{ idle: string; starting: string }> {
  const { id: idle } = await site.scripted(quiet);
  await site.untilIdle(idle);
  const { id: starting } = await site.fixture('slow');
  await site.until(starting, 'to have a session', (row) => row.sessionPid !== null);
  return { idle, starting };
}

/** Its holder and its agent. */
async function pidsOf(site: Site, run: string): Promise<number[]> {
  const { holderPid, sessionPid } = await site.show(run);
  return [holderPid ?? 0, sessionPid ?? 0];
}

async function expectBothWell(site: Site, { idle, starting }: { idle: string; starting: string }): Promise<void> {
  await site.until(starting, 'to be ready', (row) => row.lastLine.endsWith('ready'));
  expect(await site.show(starting)).toMatchObject({ needsMe: false });
  expect(await site.show(idle)).toMatchObject({ activity: 'idle', needsMe: false });
}
