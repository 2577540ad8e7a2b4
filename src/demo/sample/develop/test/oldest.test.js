import assert from 'node:assert/strict';
import { test } from 'node:test';
import { main } from '../src/cli.js';

test('the oldest cache is named', async () => {
  let text = '';
  const out = { write: (chunk) => (text += chunk) };
  assert.equal(await main(['oldest', '--store', 'examples/store.json'], out, out), 0);
  assert.equal(text, 'pip-wheels, last used 2025-12-28\n');
});
