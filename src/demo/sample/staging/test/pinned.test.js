import assert from 'node:assert/strict';
import { test } from 'node:test';
import { main } from '../src/cli.js';

test('pinned caches are listed', async () => {
  let text = '';
  const out = { write: (chunk) => (text += chunk) };
  assert.equal(await main(['pinned', '--store', 'examples/pinned.json'], out, out), 0);
  assert.equal(text, 'gradle-daemon\n1 pinned\n');
});
