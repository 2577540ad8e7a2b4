// What survives what: each row of the README's table is a process that is killed here with SIGKILL.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAlive } from '../support/processes.ts';
import { openBuilt } from '../support/terminal.ts';
import { waitFor } from '../support/wait-for.ts';
import { Product, recommendedLine } from './product.ts';

const hostPid = async (product: Product) =>
  (JSON.parse(await product.done(['host', 'status', '--json'])) as { pid: number }).pid;

describe('kill -9', () => {
  test('of the host: sessions go on, a new host adopts them, screens are rebuilt, nothing of the recording is missing', {
    timeout: 180_000,
  }, async () => {
    await using product = new Product();
    await product.demo(3);
    await product.waitForRun('tb-101', 'to be alive', (row) => row.lastLine !== '');
    const before = await Promise.all(['tb-101', 'tb-102', 'tb-103'].map((id) => product.show(id)));
    process.kill(await hostPid(product), 'SIGKILL');

    // Any client starts a new one; so does a holder on its own.
    const after = await waitFor(
      async () => {
        const shown = await Promise.all(before.map((run) => product.show(run.id)));
        return shown.every((run) => run.holderPid !== null) ? shown : undefined;
      },
      { what: 'all runs to be adopted' },
    );
    expect(after.map((run) => run.holderPid)).toEqual(before.map((run) => run.holderPid));
    for (const run of after) expect(run.recording).toBe('recording');
    await Promise.all(
      after.map(async ({ id }) => {
        const row = await product.waitForRun(id, 'to reach gate 1', (each) => each.pendingToken !== null);
        await product.done(['approve', id, recommendedLine(row)]);
        await product.waitForRun(id, 'to reach gate 2', (each) => each.pendingToken === '[SUBMIT FOR TESTING]');
      }),
    );
  });

  test('of a holder: that run is lost and says so, the others go on, resume continues it', {
    timeout: 180_000,
  }, async () => {
    await using product = new Product();
    await product.demo(2);
    const victim = await product.show('tb-101');
    const other = await product.show('tb-102');
    process.kill(victim.holderPid ?? 0, 'SIGKILL');
    const lost = await product.waitForRun('tb-101', 'to be lost', (row) => row.activity === 'lost');
    expect(lost).toMatchObject({ needsMe: true, needsMeReason: 'lost' });
    expect((await product.show('tb-102')).holderPid).toBe(other.holderPid);
    await product.done(['resume', 'tb-101']);
    await product.waitForRun('tb-101', 'to reach gate 1', (row) => row.pendingToken !== null);
    const cast = readFileSync(join(lost.dir, 'session.cast'), 'utf8');
    expect(cast.split('\n').filter((line) => line.includes('"m", "session'))).toHaveLength(2);
  });

  test('of the agent program: the row says exited with the signal, then it is started again by itself', {
    timeout: 180_000,
  }, async () => {
    await using product = new Product();
    await product.demo(1);
    const run = await waitFor(
      async () => {
        const shown = await product.show('tb-101');
        return shown.sessionPid !== null && shown.stage === 'diagnose' ? shown : undefined;
      },
      { what: 'a live session' },
    );
    process.kill(run.sessionPid ?? 0, 'SIGKILL');
    await product.waitForRun(
      'tb-101',
      'to be exited',
      (row) => row.activity === 'exited' && row.activityReason.includes('SIGKILL'),
    );
    await product.waitForRun('tb-101', 'to reach gate 1', (row) => row.pendingToken !== null);
    expect((await product.show('tb-101')).sessions.map((s) => s.kind)).toEqual(['first', 'resumed']);
  });

  test('of the whole home, taken away: no process of it stays', { timeout: 60_000 }, async () => {
    await using product = new Product();
    await product.demo(1);
    await product.waitForRun('tb-101', 'to be alive', (row) => row.lastLine !== '');
    const { holderPid, sessionPid } = await product.show('tb-101');
    const pids = [await hostPid(product), holderPid ?? 0, sessionPid ?? 0];
    expect(pids.every((pid) => isAlive(pid))).toBe(true);
    rmSync(product.home.gatehouseHome, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    await waitFor(() => pids.every((pid) => !isAlive(pid)), {
      what: 'host, holder and session to end',
    });
  });

  test('of the console: the terminal is the only thing that is gone', { timeout: 180_000 }, async () => {
    await using product = new Product();
    await product.demo(1);
    const pid = await hostPid(product);
    await using terminal = openBuilt('gatehouse', { args: [], env: product.home.env, cols: 120, rows: 30 });
    await terminal.waitForText('tb-101');
    process.kill(terminal.pid, 'SIGKILL');
    await terminal.exit;
    expect(await hostPid(product)).toBe(pid);
    await product.waitForRun('tb-101', 'to reach gate 1', (row) => row.pendingToken !== null);
  });
});
