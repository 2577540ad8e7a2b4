// Processes that stand still and processes that go at the worst moment: what is said then is true, and nothing is done twice.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostArgv } from '../../src/platform/program-files.ts';
import type { RunDetail } from '../../src/core/run.ts';
import { processesWithEnv } from '../support/processes.ts';
import type { ProgramResult } from '../support/run-program.ts';
import { elapsed, waitFor } from '../support/wait-for.ts';
import { Product, recommendedLine } from './product.ts';
import { Site, quiet } from './site.ts';

const hosts = (site: Site) =>
  processesWithEnv('GATEHOUSE_HOME', site.home).filter(({ command }) => command.includes('host/main.js'));

describe('a host that stands still', () => {
  test('C037: clients wait for it, no second one lasts, and nothing is lost', { timeout: 180_000 }, async () => {
    await using site = await Site.open();
    const { id } = await site.scripted(quiet);
    const before = await site.untilIdle(id);
    const pid = await site.hostPid();
    process.kill(pid, 'SIGSTOP');
    const answers = Promise.all(Array.from({ length: 4 }, () => site.product.run(['ls', '--json'])));
    try {
      const [program = '', ...args] = hostArgv(site.home);
      const rivals = Array.from({ length: 3 }, () => spawn(program, args, { env: { ...site.product.home.env } }));
      const codes = await Promise.all(rivals.map(async (rival) => ((await once(rival, 'exit')) as [number])[0]));
      expect(codes).toEqual([0, 0, 0]);
      await elapsed(10_000);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    for (const answer of await answers) expect(answer).toMatchObject({ code: 0, stderr: '' });
    expect(hosts(site).map((host) => host.pid)).toEqual([pid]);
    const after = await site.untilIdle(id);
    expect([after.holderPid, after.sessionPid]).toEqual([before.holderPid, before.sessionPid]);
  });

  test('C037: a client does not wait for ever; it says who holds the home and what to do', {
    timeout: 120_000,
  }, async () => {
    await using site = await Site.open();
    const pid = await site.hostPid();
    process.kill(pid, 'SIGSTOP');
    try {
      const result = await site.product.run(['ls']);
      expect(result).toMatchObject({ code: 1, stdout: '' });
      expect(result.stderr).toMatch(/does not answer/);
      expect(result.stderr).toContain(`kill -CONT ${pid}`);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect((await site.product.run(['ls'])).code).toBe(0);
  });
});

describe('a decision', () => {
  test('C093: a gate waits as long as it takes, through restarts, with its age', { timeout: 180_000 }, async () => {
    await using product = new Product();
    await product.demo(1);
    const before = await product.waitForRun('tb-101', 'to wait at gate 1', (row) => row.pendingToken !== null);
    for (const end of ['stop', 'kill'] as const) {
      const { pid } = JSON.parse(await product.done(['host', 'status', '--json'])) as { pid: number };
      if (end === 'stop') await product.done(['host', 'stop']);
      else process.kill(pid, 'SIGKILL');
      const [row] = await product.list();
      expect(row).toMatchObject({
        stage: 'await-development',
        pendingToken: before.pendingToken,
        since: before.since,
        needsMeReason: 'decision',
      });
    }
    expect(await product.done(['ls'])).toMatch(/tb-101 .* \d+[smh] /);
    expect((await product.show('tb-101')).state?.approvals).toEqual([]);
  });

  test('C095: a host that is killed around an approval leaves zero or one record, and the command tells which', {
    timeout: 300_000,
  }, async () => {
    await using site = await Site.open();
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.push((await site.scripted()).id);
    for (const [n, id] of ids.entries()) {
      const waiting = await site.until(id, 'to reach gate 1', (row) => row.pendingToken !== null, 200_000);
      const line = recommendedLine(waiting);
      const result = n === 0 ? await killedAfterRecord(site, waiting, line) : await killedOnTheWay(site, id, line, n);
      const records = (await site.show(id)).state?.approvals.length ?? 0;
      const said = result.code === 0 ? 'recorded' : result.stderr.includes('not recorded') ? 'not recorded' : 'unknown';
      // What is said is so; where nothing is known, it may be either.
      expect(said === 'unknown' ? [0, 1] : [said === 'recorded' ? 1 : 0], `${said}: ${result.stderr}`).toContain(
        records,
      );
      // Whatever it was: asked again, there is exactly one.
      const again = await site.product.run(['approve', id, line]);
      expect({ id, code: again.code }).toEqual({ id, code: records === 0 ? 0 : 1 });
      expect((await site.show(id)).state?.approvals).toHaveLength(1);
    }
  });
});

/** Written, and not answered: the host dies the moment that the journal has grown. */
async function killedAfterRecord(site: Site, run: RunDetail, line: string): Promise<ProgramResult> {
  const journal = join(run.dir, 'journal.jsonl');
  const pid = await site.hostPid();
  const watcher = watch(journal, () => {
    if (!readFileSync(journal, 'utf8').includes('"gate.approved"')) return;
    watcher.close();
    process.kill(pid, 'SIGKILL');
  });
  try {
    return await site.product.run(['approve', run.id, line]);
  } finally {
    watcher.close();
  }
}

/** The command has connected, and then so much time has passed. */
async function killedOnTheWay(site: Site, run: string, line: string, n: number): Promise<ProgramResult> {
  const pid = await site.hostPid();
  const running = site.product.run(['approve', run, line]);
  await clientsAre(site, 2, n * 40);
  process.kill(pid, 'SIGKILL');
  return running;
}

/** Until so many clients are connected (this test is one), or so long. */
async function clientsAre(site: Site, count: number, more: number): Promise<void> {
  const client = await site.client();
  const from = Date.now();
  await waitFor(
    async () => {
      const { clients } = await client.request('host.status', {});
      return clients >= count || Date.now() - from > 10_000;
    },
    { what: 'the other client', timeoutMs: 20_000, intervalMs: 1 },
  );
  await elapsed(more);
}
