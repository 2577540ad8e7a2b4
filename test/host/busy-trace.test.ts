// Ten minutes of work as the host sees them, second by second: tools that take long, pauses between them, titles that lag.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeActivity } from '../../src/core/activity.ts';
import { idleGraceMs, needsMeReason } from '../../src/core/needs-me.ts';
import { Reports } from '../../src/host/reports.ts';
import type { RuntimeEvent } from '../../src/runtimes/event.ts';

const traceSeconds = 600;

/** Which second says what; the turn never ends within the trace. */
const busyTurn = fc
  .array(fc.record({ tool: fc.integer({ min: 1, max: 50 }), pause: fc.integer({ min: 0, max: 50 }) }), {
    minLength: 60,
    maxLength: 60,
  })
  .map((steps) => {
    const said = new Map<number, string>([[0, 'turn-started']]);
    let second = 1;
    for (const { tool, pause } of steps) {
      said.set(second, 'tool-called');
      said.set(second + tool, 'tool-finished');
      second += tool + pause + 1;
    }
    return said;
  });
/** The seconds in which the title shows rest although the turn goes on. */
const lag = fc.array(fc.integer({ min: 0, max: traceSeconds }), { maxLength: 40 });

test('C020: a turn that goes on never reads as waiting for a person, whatever lies between its tools', () => {
  fc.assert(
    fc.property(busyTurn, lag, (said, lags) => {
      const reports = new Reports();
      let [activity, since] = ['unknown', 0];
      for (let second = 0; second < traceSeconds; second += 1) {
        const now = second * 1_000;
        const type = said.get(second);
        if (type !== undefined) reports.take(eventOf(type, now));
        const titleHint = lags.includes(second) ? 'idle' : 'working';
        const verdict = judgeActivity({ ...evidence, report: reports.settled(now), titleHint, now });
        if (verdict.activity !== activity) [activity, since] = [verdict.activity, now];
        // A title that lags may be believed for its second, and nobody is called for that.
        expect(['working', titleHint]).toContain(verdict.activity);
        expect(needsMeReason({ ...facts, activity: verdict.activity, activitySince: since, now })).toBe('');
      }
    }),
    { numRuns: 30 },
  );
});

test('C020: the end of the turn reads as waiting once it has lasted, and not before', () => {
  const needs = (now: number) => needsMeReason({ ...facts, activity: 'idle', activitySince: 0, now });
  expect([needs(idleGraceMs - 1), needs(idleGraceMs)]).toEqual(['', 'idle']);
});

const evidence = {
  stage: 'implement',
  holder: 'alive',
  session: { status: 'alive', startedAt: 0, ready: true },
  reporterExpected: true,
  dialog: null,
  trouble: null,
  cpuBusy: null,
  lastOutputAt: null,
} as const;

const facts = {
  stage: 'implement',
  pendingToken: null,
  halt: null,
  stateError: null,
  disputed: null,
  activityReason: '',
  stopped: false,
  restartPending: false,
} as const;

function eventOf(type: string, at: number): RuntimeEvent {
  const common = { at, sequence: null, session: 's', marker: null };
  if (type === 'tool-called') return { ...common, type, name: 'bash', summary: 'make', call: null };
  if (type === 'tool-finished') return { ...common, type, name: 'bash', failed: false };
  return { ...common, type: 'turn-started', prompt: 'work' };
}
