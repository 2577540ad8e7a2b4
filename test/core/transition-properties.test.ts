// The workflow's promises, tried on thousands of random sequences of events.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/core/event.ts';
import { type RunState, openGateOf, reviewCount, runStateSchema, validApproval } from '../../src/core/state.ts';
import { stateContradiction } from '../../src/core/state-check.ts';
import { transition } from '../../src/core/transition.ts';
import { type Choice, choices, eventFor, fresh, stageNames, time } from './workflow-model.ts';

const runs = { numRuns: 1_000 };

interface Walk {
  readonly states: readonly RunState[];
  readonly events: readonly RunEvent[];
}

function walk(steps: readonly Choice[], mode: 'fresh' | 'same' = 'fresh'): Walk {
  const states = [fresh(mode)];
  const events: RunEvent[] = [];
  for (const [index, choice] of steps.entries()) {
    const state = states.at(-1);
    if (state === undefined) break;
    const event = eventFor(state, choice, time(index + 1));
    const verdict = transition(state, event);
    if (!verdict.ok) continue;
    events.push(event);
    states.push(verdict.state);
  }
  return { states, events };
}

const developed = ['implement', 'review', 'patch', 'verify', 'await-testing', 'submit', 'ready-for-testing'];

describe('every reachable state', () => {
  it('parses, and does not contradict itself', () => {
    fc.assert(
      fc.property(choices, fc.constantFrom('fresh', 'same'), (steps, mode) => {
        const last = walk(steps, mode as 'fresh' | 'same').states.at(-1);
        expect(runStateSchema.safeParse(last).error?.issues[0]).toBeUndefined();
        expect(last === undefined ? 'none' : stateContradiction(last)).toBeNull();
      }),
      runs,
    );
  });

  it('C091: has a legal exit, until the run has ended', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        const last = walk(steps).states.at(-1);
        if (last === undefined || last.stage === 'ready-for-testing') return;
        expect(leaves(last)).toBe(true);
      }),
      runs,
    );
  });

  it('C091: an approval of exactly what was shown is never rejected', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        const last = walk(steps).states.at(-1);
        if (last === undefined || openGateOf(last) === null) return;
        expect(transition(last, eventFor(last, { kind: 0, a: 1, b: 1 }, time(999)))).toMatchObject({ ok: true });
      }),
      runs,
    );
  });

  it('WORKFLOW gates: stands in no stage after a gate without an approval in force for it', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        const { states } = walk(steps);
        const unapproved = (stages: readonly string[], gate: 'development' | 'testing') =>
          states.filter((s) => stages.includes(s.stage) && validApproval(s, gate) === undefined);
        expect(unapproved(developed, 'development')).toEqual([]);
        expect(unapproved(['submit', 'ready-for-testing'], 'testing')).toEqual([]);
      }),
      runs,
    );
  });

  it('WORKFLOW gates: each entry to implement from the gate, and to submit, is the act of a person', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        const last = walk(steps).states.at(-1);
        const wanted = { submit: '[SUBMIT FOR TESTING]', implement: '[START DEVELOPMENT]' };
        const through = (last?.history ?? []).filter((step) => step.from !== 'halted');
        const unsigned = through.filter(
          (step) => (step.to === 'submit' || step.to === 'implement') && step.approval?.token !== wanted[step.to],
        );
        expect(unsigned).toEqual([]);
      }),
      runs,
    );
  });

  it('C097: has no more reviews than were allowed and granted, and grants are on record', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        const { states, events } = walk(steps);
        const last = states.at(-1);
        if (last === undefined) return;
        const { count, limit } = reviewCount(last);
        expect(count).toBeLessThanOrEqual(limit);
        expect(limit).toBe(6 + events.filter((e) => e.type === 'round.granted').length);
        expect(count).toBe(events.filter((e) => e.type === 'stage.completed' && e.outcome.stage === 'review').length);
      }),
      runs,
    );
  });

  it('WORKFLOW stages: has exactly one active stage, reached by the steps of its history', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        const last = walk(steps).states.at(-1);
        expect(stageNames).toContain(last?.stage);
        expect(last?.history.at(-1)?.to).toBe(last?.stage);
      }),
      runs,
    );
  });

  it('WORKFLOW review: what is submitted is the tree that the last review passed and a person approved', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        for (const state of walk(steps).states) {
          if (state.stage !== 'submit') continue;
          const review = state.reviews.rounds.at(-1);
          expect(review?.verdict).toBe('pass');
          expect(validApproval(state, 'testing')?.subject.tree).toBe(review?.tree);
          expect(state.verification).toMatchObject({ status: 'passed', tree: review?.tree });
        }
      }),
      runs,
    );
  });

  it('C098: has no passed clean-room review by a session that wrote the change before it', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        const { states, events } = walk(steps);
        const authors = new Set<string | null>([null]);
        const own: RunEvent[] = [];
        for (const event of events) {
          const outcome = event.type === 'stage.completed' ? event.outcome : null;
          if (outcome?.stage === 'implement' || outcome?.stage === 'patch') authors.add(outcome.session);
          if (outcome?.stage === 'review' && authors.has(outcome.round.session)) own.push(event);
        }
        expect(own).toEqual([]);
        expect(states.length).toBe(events.length + 1);
      }),
      runs,
    );
  });

  it('is the same when its events are replayed', () => {
    fc.assert(
      fc.property(choices, (steps) => {
        const { states, events } = walk(steps);
        let state = fresh();
        for (const event of events) {
          const verdict = transition(state, event);
          if (verdict.ok) state = verdict.state;
        }
        expect(state).toEqual(states.at(-1));
      }),
      runs,
    );
  });

  it('is reached in every stage by the random walks, or these tests would say nothing', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(choices, (steps) => {
        for (const state of walk(steps).states) seen.add(state.stage);
      }),
      runs,
    );
    expect(seen).toEqual(new Set(stageNames));
  });
});

/** Can the right acts move the run out of its stage? Tried with what agent, engine and person could do next. */
function leaves(from: RunState): boolean {
  for (const [a, b] of [
    [2, 2],
    [0, 2],
    [2, 3],
    [1, 2],
  ] as const) {
    let state = from;
    for (let step = 0; step < 5; step++) {
      const verdict = transition(state, eventFor(state, { kind: 0, a, b }, time(1_000 + step)));
      if (!verdict.ok) break;
      state = verdict.state;
      if (state.entry !== from.entry) return true;
    }
  }
  return false;
}
