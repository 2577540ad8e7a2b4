import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConf } from '../src/conf.js';
import { percent } from '../src/share.js';
import { languages, message } from '../src/text/messages.js';

test('every language has a heading', () => {
  for (const lang of languages) assert.notEqual(message(lang, 'heading'), '');
});

test('one cache is singular in English', () => {
  assert.equal(message('en', 'caches', { n: 1 }), '1 cache');
  assert.equal(message('en', 'caches', { n: 3 }), '3 caches');
});

test('a share is a whole percentage', () => {
  assert.equal(percent(1, 3), '33%');
});

test('comments and blank lines are skipped', () => {
  assert.deepEqual(parseConf('# a comment\n\nkeep = webpack\n'), { keep: 'webpack' });
  assert.throws(() => parseConf('nonsense'), /line 1/);
});
