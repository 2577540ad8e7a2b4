// While no host lives, somebody puts state.json and journal.jsonl of a run back to an earlier pair that is sound in itself.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Product } from './product.ts';

const pair = ['state.json', 'journal.jsonl'];

test('the next host notices it, the run stands still, and a restore is an act on record', {
  timeout: 120_000,
}, async () => {
  await using product = new Product();
  const [first] = await product.demo(1);
  const [id, dir] = [first?.id ?? '', first?.dir ?? ''];
  await product.waitForRun(id, 'waits at gate 1', (row) => row.pendingToken !== null);
  for (const name of pair) copyFileSync(join(dir, name), join(product.home.root, name));
  await product.done(['feedback', id, 'Say what happens to old caches.']);
  await product.waitForRun(id, 'is back in draft', (row) => row.pendingToken === null);
  await product.done(['stop', id]);
  await product.done(['host', 'stop']);
  for (const name of pair) copyFileSync(join(product.home.root, name), join(dir, name));

  const put = await product.show(id);
  expect(put.stateError).toMatchObject({ code: 'state.foreign' });
  expect(put.stateError?.message).toMatch(/ends with entry \d+, and the engine has written entry \d+: it was put back/);
  expect((await product.run(['approve', id, '1A [START DEVELOPMENT]'])).code).toBe(1);
  await product.done(['restore', id]);
  const restored = await product.show(id);
  expect(restored.stateError).toBeNull();
  await product.done(['host', 'stop']);
  expect((await product.show(id)).stateError).toBeNull();
});
