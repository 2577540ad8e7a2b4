import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDuration, formatDuration } from '../src/duration.js';
import { planClean } from '../src/freed.js';
import { globToTest } from '../src/glob.js';
import { logLine } from '../src/log.js';

const now = new Date('2026-03-31T12:00:00Z');

test('a star matches within a directory, two match across', () => {
  assert.ok(globToTest('go-*')('go-build'));
  assert.ok(!globToTest('go-*')('go-build/x'));
  assert.ok(globToTest('go-**')('go-build/x'));
});

test('durations have units', () => {
  assert.equal(parseDuration('2h'), 7_200_000);
  assert.equal(formatDuration(90_000_000), '1d 1h');
  assert.throws(() => parseDuration('soon'), /not a duration/);
});

test('only old caches are cleared, never pinned ones', () => {
  const entries = [
    { name: 'old', bytes: 10, lastUsed: '2025-12-01T00:00:00Z' },
    { name: 'kept', bytes: 10, lastUsed: '2025-12-01T00:00:00Z', pinned: true },
    { name: 'new', bytes: 10, lastUsed: '2026-03-30T00:00:00Z' },
  ];
  const plan = planClean(entries, { olderThanMs: parseDuration('30d'), now });
  assert.deepEqual(plan.cleared.map((entry) => entry.name), ['old']);
});

test('a log line has time, level, event and pairs', () => {
  assert.equal(logLine(now, 'info', 'cleared', { cache: 'go build', bytes: 3 }), '2026-03-31T12:00:00.000Z info cleared cache="go build" bytes=3');
});
