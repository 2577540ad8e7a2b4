import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startServer } from '../src/http/server.js';

const entries = ['a', 'b', 'c'].map((name) => ({ name, bytes: 1, lastUsed: '2026-03-01T00:00:00Z' }));
let server;
let base;

before(async () => {
  server = await startServer({ entries }, 0);
  base = `http://127.0.0.1:${server.address().port}`;
});

after(() => {
  server.close();
  server.closeAllConnections();
});

test('the first page of caches', async () => {
  const response = await fetch(`${base}/api/caches?perPage=2`);
  assert.equal(response.status, 200);
  const body = await response.json();
  assert.deepEqual(body.items.map((item) => item.name), ['a', 'b']);
  assert.equal(body.pages, 2);
});

test('an unknown path is a 404', async () => {
  assert.equal((await fetch(`${base}/nothing`)).status, 404);
});
