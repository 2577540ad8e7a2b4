import { describe, expect, test } from 'vitest';
import type { RunState } from '../../src/core/state.ts';
import { inertJson } from '../../src/cli/output.ts';
import { coloured, paintFor, plain } from '../../src/cli/paint.ts';
import { renderShow } from '../../src/cli/show/render-show.ts';
import { now, runDetail, shownState } from './support/run-detail.ts';

const view = { paint: plain, now };
const show = (change: Parameters<typeof runDetail>[0] = {}): string => renderShow(runDetail(change), view);

describe('show', () => {
  test('says what waits, with every option, the recommended one, and lines to copy', () => {
    const text = show();
    expect(text).toContain('[START DEVELOPMENT]');
    expect(text).toMatch(/1\. Round where\?\n +A {2}at the end\n +B {2}per line {2}\(recommended\)/);
    expect(text).toContain("gatehouse approve bug-12 '1B [START DEVELOPMENT]'");
    expect(text).toContain('gatehouse feedback bug-12');
    expect(text).toContain(`artifacts/idea.md  ${'4'.repeat(64)}`);
  });

  test('a token with a quote is still one word of the shell', () => {
    const text = show({ exampleLine: "1B [LET'S GO]" });
    expect(text).toContain(String.raw`gatehouse approve bug-12 '1B [LET'\''S GO]'`);
  });

  test('names the evidence that decided about the activity', () => {
    expect(show()).toMatch(/Why idle\n +decided +event +2026-03-01 11:57:00, 3m ago +idle\n +title/);
  });

  test('tells stale approvals from those in force, with who, when and the exact hash', () => {
    expect(show()).toContain('development, round 1: stale since 2026-03-01 10:40:00');
    expect(show()).toContain('Ada (ada at /dev/pts/3), 2026-03-01 10:30:00, 1h ago, not signed');
    expect(show()).toContain(`artifacts/idea.md  ${'1'.repeat(64)}`);
    const [approval] = shownState.approvals;
    const inForce = { ...shownState, approvals: [{ ...approval, staleSince: null }] } as unknown as RunState;
    expect(show({ state: inForce })).toContain('development, round 1: in force');
  });

  test('shows changed artifacts, failed evidence, findings, refusals with their problems, sessions and history', () => {
    const text = show();
    expect(text).toMatch(/idea\.md +4{12} +2\.0 KiB +changed/);
    expect(text).toMatch(/E1 +tests +diagnose +exit 1/);
    expect(text).toMatch(/F1 +blocking +A call site is left +src\/a\.js:3/);
    expect(text).toContain('idea.md:7 cites: E9 does not exist');
    expect(text).toMatch(/1 +first +diagnose .*SIGKILL/);
    expect(text).toContain('draft -> await-development');
  });

  test('a halted run says why and what a person can do', () => {
    const halt = {
      code: 'review-limit' as const,
      reason: 'the 6th review found a blocker',
      hint: 'read the report',
      from: 'review' as const,
      time: new Date(now).toISOString(),
      evidence: null,
    };
    const state = { ...shownState, halt } as unknown as RunState;
    const text = show({ stage: 'halted', halt: halt.reason, state, gate: null, pendingToken: null });
    expect(text).toContain('the 6th review found a blocker');
    expect(text).toContain('gatehouse grant bug-12');
    expect(text).not.toContain('gatehouse resume');
    expect(text).not.toContain('gatehouse approve');
  });

  test('a state error names the failed check and how to go back', () => {
    const text = show({
      state: null,
      stateError: { code: 'state.foreign', message: 'state.json was edited', hint: 'look at it' },
      gate: null,
      pendingToken: null,
    });
    expect(text).toContain('state.foreign: state.json was edited');
    expect(text).toContain('gatehouse restore bug-12');
  });

  test('nothing an agent wrote reaches the terminal as a control sequence', () => {
    const evil = 'a\u001b[31mred\u001b]0;title\u0007\u009b2J\u202eb\nnext';
    const text = show({
      task: { id: 'X', title: evil, labels: [evil], priority: 'low' },
      lastLine: evil,
      activityReason: evil,
      refusals: [{ at: evil, verb: evil, error: { code: 'internal', message: evil, hint: evil } }],
      why: [{ source: 'screen', says: evil, at: evil, decided: false }],
    });
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(text.split('\n').some((line) => line.startsWith('next'))).toBe(false);
  });

  test('columns line up whether painted or not', () => {
    const painted = renderShow(runDetail(), { paint: coloured, now });
    expect(painted).toContain('\u001b[');
    expect(painted.replace(/\u001b\[\d+m/g, '')).toBe(show());
  });
});

test('colour is for terminals only, and not against NO_COLOR', () => {
  expect(paintFor({ isTTY: true }, { TERM: 'xterm' })).toBe(coloured);
  expect(paintFor({ isTTY: false }, { TERM: 'xterm' })).toBe(plain);
  expect(paintFor({ isTTY: true }, { TERM: 'xterm', NO_COLOR: '1' })).toBe(plain);
  expect(paintFor({ isTTY: true }, { TERM: 'dumb' })).toBe(plain);
});

test('JSON keeps every value and holds no character that a terminal obeys', () => {
  const value = { text: 'a\u009b2J\u202e\u200b\u007f\u001b[31m' };
  expect(JSON.parse(inertJson(value))).toEqual(value);
  expect(inertJson(value)).not.toMatch(/[\u001b\u007f-\u009f\u200b\u202e]/);
});
