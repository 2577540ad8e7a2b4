// `startAtOnce` of config.json: sessions that are in their start-up, counted by what the agents themselves wrote down.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Product } from '../e2e/product.ts';
import { waitFor } from '../support/wait-for.ts';

const runs = 12;
const atOnce = 2;

test('C042: of twelve runs that are started, and resumed after all were lost, at most two are in their start-up at once', {
  timeout: 600_000,
}, async () => {
  await using product = new Product();
  const truth = join(product.home.root, 'truth');
  mkdirSync(product.home.gatehouseHome, { mode: 0o700 });
  const runtimes = { scripted: { kind: 'scripted', args: ['--truth', truth] } };
  const config = { sandbox: 'off', startAtOnce: atOnce, runtimes };
  writeFileSync(join(product.home.gatehouseHome, 'config.json'), JSON.stringify(config));
  // Slow enough to still be at work when all are killed.
  await product.done(['demo', '--no-ui', '--runs', String(runs), '--tempo', '60000']);
  await waitFor(() => startUps(truth).started === runs, { what: 'all sessions to be started', timeoutMs: 240_000 });
  expect(startUps(truth).most).toBeLessThanOrEqual(atOnce);

  // As after a reboot: no process is left.
  const { pid } = JSON.parse(await product.done(['host', 'status', '--json'])) as { pid: number };
  const dirs = join(product.home.gatehouseHome, 'runs');
  for (const run of readdirSync(dirs)) {
    const holder = JSON.parse(readFileSync(join(dirs, run, 'holder.json'), 'utf8')) as { pid: number };
    process.kill(holder.pid, 'SIGKILL');
  }
  process.kill(pid, 'SIGKILL');
  writeFileSync(truth, '');
  const lost = await product.list();
  expect(lost.map((row) => [row.activity, row.needsMeReason])).toEqual(lost.map(() => ['lost', 'lost']));

  const resumed = await product.run(['resume', '--lost']);
  expect({ code: resumed.code, stderr: resumed.stderr }).toEqual({ code: 0, stderr: '' });
  expect(resumed.stdout.trim().split('\n')).toHaveLength(runs);
  const { started, most } = startUps(truth);
  expect(started).toBe(runs);
  expect(most).toBeLessThanOrEqual(atOnce);
  expect((await product.list()).filter((row) => row.activity === 'lost')).toEqual([]);
  expect(await product.done(['resume', '--lost'])).toBe('no run is lost\n');
  for (const args of [['resume'], ['resume', 'tb-101', '--lost'], ['resume', '--lost', '--to-patch']])
    expect((await product.run(args)).code).toBe(2);
});

/** A session is in its start-up from its first line to the one in which it is idle. */
function startUps(file: string): { started: number; most: number } {
  let [started, now, most] = [0, 0, 0];
  const starting = new Set<string>();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const note = JSON.parse(line) as { type: string; state?: string; session?: string };
    if (note.type === 'started') {
      started += 1;
      now += 1;
      starting.add(note.session ?? '');
    }
    if (note.type === 'state' && note.state === 'idle') now = Math.max(0, now - 1);
    most = Math.max(most, now);
  }
  return { started, most };
}
