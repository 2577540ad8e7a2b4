import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatSize } from '../src/format-size.js';

test('sizes have a unit', () => {
  assert.equal(formatSize(0), '0 B');
  assert.equal(formatSize(512), '512 B');
  assert.equal(formatSize(1536), '1.5 KB');
  assert.equal(formatSize(5 * 1024 ** 3), '5.0 GB');
});
