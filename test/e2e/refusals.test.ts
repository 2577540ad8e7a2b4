// One scenario of the demo asks for everything too early. Each refusal has its own reason, reaches the agent and the
// operator in words, and the run gets through all the same.
import { expect, test } from 'vitest';
import { Product, recommendedLine } from './product.ts';

test('each way of asking too early is refused for its own reason, and the run goes on', {
  timeout: 240_000,
}, async () => {
  await using product = new Product();
  const [first] = await product.demo(1);
  const sample = `${product.home.gatehouseHome}/demo`;
  await product.done(['stop', first?.id ?? '']);
  await product.done(['start', `${sample}/tasks/TB-112.md`, '--repo', `${sample}/tidybuild`, '--runtime', 'scripted']);
  const waiting = await product.waitForRun('tb-112', 'to wait at gate 1', (row) => row.pendingToken !== null, 200_000);
  const { refusals } = await product.show('tb-112');
  const codes = refusals.map((refusal) => refusal.error.code);
  expect(codes).toEqual(
    expect.arrayContaining(['skill.unread', 'stage.wrong', 'skill.unknown', 'stage.incomplete', 'evidence.invalid']),
  );
  for (const { error } of refusals) expect(`${error.message} - ${error.hint}`).toMatch(/\w{3}.* - \w{3}/);
  await product.done(['approve', 'tb-112', recommendedLine(waiting)]);
  await product.waitForRun('tb-112', 'to reach gate 2', (row) => row.pendingToken === '[SUBMIT FOR TESTING]', 200_000);
});
