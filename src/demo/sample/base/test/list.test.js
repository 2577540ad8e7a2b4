import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paginate } from '../src/paginate.js';
import { sortEntries } from '../src/sort.js';
import { renderTable } from '../src/table.js';
import { shortenHome } from '../src/home.js';

test('the first page holds the first items', () => {
  assert.deepEqual(paginate(['a', 'b', 'c'], 1, 2), { page: 1, pages: 2, total: 3, items: ['a', 'b'] });
});

test('an empty list has one page', () => {
  assert.equal(paginate([], 1, 10).pages, 1);
});

test('names are sorted without regard to case', () => {
  const entries = [{ name: 'beta' }, { name: 'Alpha' }, { name: 'gamma' }];
  assert.deepEqual(sortEntries(entries, 'name').map((entry) => entry.name), ['Alpha', 'beta', 'gamma']);
});

test('the oldest cache comes first by age', () => {
  const entries = [{ lastUsed: '2026-02-01T00:00:00Z' }, { lastUsed: '2025-12-01T00:00:00Z' }];
  assert.equal(sortEntries(entries, 'age')[0].lastUsed, '2025-12-01T00:00:00Z');
});

test('an unknown sort key is refused', () => {
  assert.throws(() => sortEntries([], 'colour'), /cannot sort by colour/);
});

test('columns are as wide as their widest cell', () => {
  assert.equal(renderTable([['a', 'x'], ['long', 'y']]), 'a     x\nlong  y');
});

test('the home directory is shown as a tilde', () => {
  assert.equal(shortenHome('/home/anna/.cache', '/home/anna'), '~/.cache');
  assert.equal(shortenHome('/var/tmp', '/home/anna'), '/var/tmp');
});
