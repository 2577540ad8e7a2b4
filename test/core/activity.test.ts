import { describe, expect, test } from 'vitest';
import {
  type ActivityEvidence,
  judgeActivity,
  reporterDeadlineMs,
  startDeadlineMs,
  troublePatienceMs,
} from '../../src/core/activity.ts';
import { idleGraceMs, needsMeReason } from '../../src/core/needs-me.ts';

const now = 1_000_000;
const base: ActivityEvidence = {
  stage: 'diagnose',
  holder: 'alive',
  session: { status: 'alive', startedAt: now - 5_000, ready: true },
  report: null,
  reporterExpected: true,
  dialog: null,
  trouble: null,
  cpuBusy: null,
  titleHint: null,
  lastOutputAt: now - 1_000,
  now,
};

describe('activity follows the order of evidence', () => {
  test('C004: no evidence is unknown, never idle', () => {
    const verdict = judgeActivity({ ...base, lastOutputAt: now - 42_000 });
    expect(verdict).toMatchObject({ activity: 'unknown', source: 'none', reason: 'no evidence for 42s' });
  });

  test('C011: a reporter that stays silent is named', () => {
    const verdict = judgeActivity({
      ...base,
      session: { status: 'alive', startedAt: now - reporterDeadlineMs - 1, ready: true },
    });
    expect(verdict).toMatchObject({ activity: 'unknown', reason: expect.stringContaining('no reporter') as string });
  });

  test('C008: a session that has ended is exited, whatever it said before', () => {
    const verdict = judgeActivity({
      ...base,
      session: { status: 'exited', code: null, signal: 'SIGKILL', note: null, unheard: false },
      report: { kind: 'working', text: '', at: now },
    });
    expect(verdict).toMatchObject({ activity: 'exited', reason: 'killed by SIGKILL' });
  });

  test('C008: a signal that came through a sandbox is named; a program that failed at once shows what it printed', () => {
    const exited = (code: number, unheard: boolean) =>
      judgeActivity({
        ...base,
        session: { status: 'exited', code, signal: null, note: null, unheard },
        lastLine: 'No conversation found',
      }).reason;
    expect(exited(137, false)).toBe('exit code 137, as after SIGKILL');
    expect(exited(1, false)).toBe('exit code 1');
    expect(exited(1, true)).toBe(
      'exit code 1 before it reported anything; its screen ends with: No conversation found',
    );
  });

  test('C005: without events a busy process tree is working', () => {
    expect(judgeActivity({ ...base, reporterExpected: false, cpuBusy: true }).activity).toBe('working');
  });

  test('C023: starting has a deadline', () => {
    const starting = (ms: number) =>
      judgeActivity({ ...base, session: { status: 'alive', startedAt: now - ms, ready: false } });
    expect(starting(startDeadlineMs)).toMatchObject({ activity: 'starting' });
    expect(starting(startDeadlineMs + 1)).toMatchObject({
      activity: 'unknown',
      reason: expect.stringMatching(/^start failed/) as string,
    });
  });

  test('C024: a named dialog is blocked, over what events said', () => {
    const verdict = judgeActivity({
      ...base,
      report: { kind: 'working', text: '', at: now },
      dialog: { name: 'trust', text: 'Trust this folder?', choices: 2 },
    });
    expect(verdict).toMatchObject({ activity: 'blocked', reason: 'trust: Trust this folder?', unblock: 'answer' });
  });

  test('C024: a provider that refuses is named: at once when the turn is over, else when it lasts', () => {
    const trouble = { name: 'rate limit', text: '429', since: now - 1_000 };
    const working = { kind: 'working' as const, text: '', at: now, trouble };
    expect(judgeActivity({ ...base, report: working })).toMatchObject({
      activity: 'working',
      reason: 'rate limit, it tries again by itself: 429',
    });
    const since = now - troublePatienceMs - 1;
    expect(judgeActivity({ ...base, report: { ...working, trouble: { ...trouble, since } } }).activity).toBe('blocked');
    expect(judgeActivity({ ...base, report: { ...working, kind: 'failed' }, titleHint: 'idle' })).toMatchObject({
      activity: 'blocked',
      reason: 'rate limit: 429',
    });
  });

  test('C024: what a runtime without a report of it shows of a refusal counts as well', () => {
    const shown = { name: 'login', text: 'no provider selected', goesOn: false };
    const idle = { kind: 'idle' as const, text: '', at: now - 9_000 };
    expect(judgeActivity({ ...base, report: idle, trouble: shown })).toMatchObject({
      activity: 'blocked',
      reason: 'login: no provider selected',
    });
    expect(judgeActivity({ ...base, report: idle, trouble: { ...shown, goesOn: true } }).activity).toBe('working');
    const asks = { kind: 'blocked' as const, text: 'Run rm?', at: now };
    expect(judgeActivity({ ...base, report: asks, trouble: shown }).reason).toContain('Run rm?');
  });

  test('a dead holder is lost; one that does not answer is unknown', () => {
    expect(judgeActivity({ ...base, holder: 'dead' }).activity).toBe('lost');
    expect(judgeActivity({ ...base, holder: 'unreachable' }).activity).toBe('unknown');
  });

  test('C013: events that arrived out of order do not hold against a title that goes on saying work', () => {
    const idle = { kind: 'idle' as const, text: '', at: now - 10_000 };
    expect(judgeActivity({ ...base, report: idle, titleHint: 'working' }).activity).toBe('working');
    expect(judgeActivity({ ...base, report: { ...idle, at: now - 100 }, titleHint: 'working' }).activity).toBe('idle');
  });

  test('C009: a title that goes on saying that it asks outweighs work that was reported before', () => {
    const working = { kind: 'working' as const, text: '', at: now - 10_000 };
    expect(judgeActivity({ ...base, report: working, titleHint: 'blocked' })).toMatchObject({
      activity: 'blocked',
      unblock: 'attach',
    });
    expect(judgeActivity({ ...base, report: { ...working, at: now - 100 }, titleHint: 'blocked' }).activity).toBe(
      'working',
    );
  });

  test('an interrupt without an event shows in the title', () => {
    const working = { kind: 'working' as const, text: '', at: now - 10_000 };
    expect(judgeActivity({ ...base, report: working, titleHint: 'idle' }).activity).toBe('idle');
    expect(judgeActivity({ ...base, report: { ...working, at: now - 100 }, titleHint: 'idle' }).activity).toBe(
      'working',
    );
  });
});

describe('who is needed', () => {
  const facts = {
    stage: 'diagnose' as const,
    pendingToken: null,
    halt: null,
    stateError: null,
    disputed: null,
    activity: 'working' as const,
    activityReason: '',
    activitySince: 0,
    stopped: false,
    restartPending: false,
    now: idleGraceMs - 1,
  };

  test.each([
    ['nobody while it works', {}, ''],
    ['a person at a gate', { pendingToken: '[START DEVELOPMENT]' }, 'decision'],
    ['a person for a dialog', { activity: 'blocked' as const }, 'asks'],
    ['a person when idle lasts', { activity: 'idle' as const, now: idleGraceMs }, 'idle'],
    ['nobody for a short pause', { activity: 'idle' as const }, ''],
    ['a person when it ended early', { activity: 'exited' as const }, 'ended early'],
    ['nobody while a restart is due', { activity: 'exited' as const, restartPending: true }, ''],
    ['nobody when it was stopped on purpose', { activity: 'exited' as const, stopped: true }, ''],
    ['a person when it is lost', { activity: 'lost' as const }, 'lost'],
    ['a person when halted', { stage: 'halted' as const, halt: 'x' }, 'halted'],
    ['a person for a state error, before all else', { stage: 'halted' as const, stateError: 'x' }, 'state error'],
    ['nobody at the end', { stage: 'ready-for-testing' as const, activity: 'exited' as const }, ''],
  ])('%s', (_name, change, reason) => {
    expect(needsMeReason({ ...facts, ...change })).toBe(reason);
  });
});
