// The order of rows: a person finds a run again where it was.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSample } from '../../src/demo/create-sample.ts';
import { Product } from '../e2e/product.ts';

test('runs are listed in the order in which they were started, also after a restart and when one cannot be read', {
  timeout: 120_000,
}, async () => {
  await using product = new Product();
  const sample = await createSample(join(product.home.root, 'sample'));
  const wanted = ['tb-105', 'tb-101', 'tb-110', 'tb-103', 'tb-102', 'tb-104'];
  const files = wanted.map((id) => sample.tasks.find((file) => file.toLowerCase().includes(id)) ?? id);
  await product.done(['start', ...files, '--repo', sample.clone, '--runtime', 'scripted']);
  const order = async () => (await product.list()).map((row) => row.id);
  expect(await order()).toEqual(wanted);

  await product.done(['host', 'stop']);
  expect(await order()).toEqual(wanted);

  await product.done(['host', 'stop']);
  const record = join(product.home.gatehouseHome, 'runs', 'tb-110', 'run.json');
  writeFileSync(record, readFileSync(record, 'utf8').slice(0, 20));
  expect(await order()).toEqual(wanted);

  // Runs that were started in the same moment: by their ids.
  await product.done(['host', 'stop']);
  for (const id of wanted.filter((each) => each !== 'tb-110')) {
    const path = join(product.home.gatehouseHome, 'runs', id, 'run.json');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/"createdAt": ?"[^"]+"/, '"createdAt":"2026-01-01T00:00:00.000Z"'));
  }
  expect(await order()).toEqual(['tb-101', 'tb-102', 'tb-103', 'tb-104', 'tb-105', 'tb-110']);
});
