import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RuntimeEvent, RuntimeEventBody } from '../../src/runtimes/event.ts';
import { activityReport, noReport, reportAfter } from '../../src/runtimes/report.ts';

const event = (body: RuntimeEventBody, at: number, more: Partial<RuntimeEvent> = {}) =>
  ({ ...body, at, sequence: null, session: 's', marker: null, ...more }) as RuntimeEvent;
const inTurn = (bodies: RuntimeEventBody[]) => bodies.map((body, index) => event(body, index));
const started = { type: 'session-started', source: 'startup', transcript: null } as const;
const turn = { type: 'turn-started', prompt: 'go' } as const;
const tool = { type: 'tool-called', name: 'Bash', summary: 'ls', call: null } as const;
const done = { type: 'tool-finished', name: 'Bash', failed: false } as const;
const asked = { type: 'asked', text: 'Run rm?' } as const;
const ended = { type: 'turn-ended', lastMessage: 'done', interrupted: false } as const;

describe('activityReport', () => {
  it('C004: no event, no report', () => expect(activityReport([])).toBeNull());

  it('follows a turn', () => {
    const bodies = [started, turn, tool, asked, { type: 'answered' } as const, done, ended];
    const kinds = bodies.map((_, index) => activityReport(inTurn(bodies.slice(0, index + 1)))?.kind);
    expect(kinds).toEqual(['idle', 'working', 'working', 'blocked', 'working', 'working', 'idle']);
  });

  it('C009: a parallel call does not hide the question', () => {
    expect(activityReport(inTurn([turn, asked, tool]))).toMatchObject({ kind: 'blocked', text: 'Run rm?' });
  });

  it('C013: the newest wins, in whatever order they arrive', () => {
    const inOrder = [turn, tool, done, ended].map((body, index) => event(body, 100 + index, { sequence: index }));
    fc.assert(
      fc.property(fc.shuffledSubarray(inOrder, { minLength: 4 }), (shuffled) => {
        expect(activityReport(shuffled)?.kind).toBe('idle');
      }),
    );
  });

  it('C013: an event of an earlier start is refused', () => {
    const now = reportAfter(noReport, event(turn, 100, { marker: 'b' }), 'b');
    expect(reportAfter(now, event(ended, 200, { marker: 'a' }), 'b')).toBe(now);
  });

  const error = { type: 'error', text: 'scripted failure', status: 429 } as const;
  const again = { type: 'turn-started', prompt: null } as const;
  const usage = (outputTokens: number) =>
    ({ type: 'usage', usage: { inputTokens: 9, outputTokens, cachedTokens: 0, contextShare: null } }) as const;

  it('C024: a turn that ends after a failed request has failed, until the next begins', () => {
    expect(activityReport(inTurn([turn, error]))).toMatchObject({ kind: 'working', trouble: { name: 'rate limit' } });
    expect(activityReport(inTurn([turn, error, ended]))).toMatchObject({ kind: 'failed', text: 'scripted failure' });
    // Some programs tell the end twice.
    expect(activityReport(inTurn([turn, error, ended, ended]))?.kind).toBe('failed');
    expect(activityReport(inTurn([turn, error, ended, turn]))).toEqual({ kind: 'working', text: 'turn', at: 3 });
  });
  it('C020: what is tried again stays one trouble, since its first failure; an answer ends it', () => {
    const retried = [turn, error, ended, again, usage(0), error];
    expect(activityReport(inTurn(retried))).toMatchObject({ kind: 'working', trouble: { since: 1 } });
    expect(activityReport(inTurn([...retried, again, usage(20)]))).not.toHaveProperty('trouble');
    expect(activityReport(inTurn([...retried, again, tool]))).not.toHaveProperty('trouble');
  });
  it('a request that fails outside of a turn, or while it asks, changes nothing', () => {
    expect(activityReport(inTurn([started, error]))?.kind).toBe('idle');
    expect(activityReport(inTurn([turn, asked, error]))?.kind).toBe('blocked');
  });
});
