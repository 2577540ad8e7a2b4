// C039: which conversation a session goes on with when it is started, whatever happened to the one before.
import { describe, expect, test } from 'vitest';
import { chooseContinuation, type ContinuationFacts } from '../../src/host/continuation.ts';
import type { LaunchRecord } from '../../src/host/launch-record.ts';

type Session = LaunchRecord['sessions'][number];

function session(number: number, more: Partial<Session>): Session {
  return {
    number,
    runtimeSession: 'main-1',
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:01:00.000Z',
    exit: { code: null, signal: 'SIGKILL' },
    stage: 'implement',
    entry: 5,
    kind: 'resumed',
    conversation: 'main',
    writes: 'product',
    ...more,
  };
}

function choose(sessions: Session[], more: Partial<ContinuationFacts> & { mainSession?: string | null } = {}) {
  const { mainSession = 'main-1', ...facts } = more;
  const there = ['main-1', 'review-1', 'review-2'];
  return chooseContinuation(
    {
      record: { sessions, mainSession },
      state: { stage: 'implement', entry: 5 },
      freshReview: true,
      resumable: true,
      ...facts,
    },
    (id) => Promise.resolve(there.includes(id)),
  );
}

const refused = { exit: { code: 1, signal: null, unheard: true } } as const;
const inReview = { stage: 'review', entry: 6, conversation: 'review' } as const;
const review = { state: { stage: 'review', entry: 6 } } as const;

describe('C039: the conversation of a session that is started', () => {
  test('is new for the first, and the same after that', async () => {
    expect(await choose([], { mainSession: null })).toMatchObject({ kind: 'first', note: null });
    expect(await choose([session(1, {})])).toMatchObject({ kind: 'resumed', runtimeSession: 'main-1' });
  });

  test('of a review is its own in each round, and its own again after an end', async () => {
    const begun = [session(1, {}), session(2, { ...inReview, entry: 4, runtimeSession: 'review-1' })];
    expect(await choose(begun, review)).toMatchObject({ kind: 'fresh', conversation: 'review', note: null });
    const ended = [...begun, session(3, { ...inReview, runtimeSession: 'review-2' })];
    expect(await choose(ended, review)).toMatchObject({ kind: 'resumed', runtimeSession: 'review-2' });
    expect(await choose(ended)).toMatchObject({ kind: 'resumed', runtimeSession: 'main-1', conversation: 'main' });
    expect(await choose(begun, { ...review, freshReview: false })).toMatchObject({ runtimeSession: 'main-1' });
  });

  test('is new, and says why, when nothing is left of it or it never had a name', async () => {
    const lost = await choose([session(1, { runtimeSession: 'gone' })], { mainSession: 'gone' });
    expect(lost).toMatchObject({ kind: 'fresh', runtimeSession: null, note: 'nothing is left of conversation gone' });
    const unnamed = await choose([session(1, { runtimeSession: null })], { mainSession: null });
    expect(unnamed).toMatchObject({ kind: 'fresh', note: expect.stringContaining('had a name') as string });
    expect(await choose([session(1, {})], { resumable: false })).toMatchObject({ kind: 'fresh', note: null });
  });

  test('is tried twice with a program that fails at once, not with one that was killed', async () => {
    const worked = session(1, { kind: 'first' });
    expect(await choose([worked, session(2, refused)])).toMatchObject({ kind: 'resumed' });
    expect(await choose([worked, session(2, refused), session(3, {}), session(4, refused)])).toMatchObject({
      kind: 'resumed',
    });
    expect(await choose([worked, session(2, refused), session(3, refused)])).toMatchObject({
      kind: 'fresh',
      note: 'the program did not go on with conversation main-1, 2 times',
    });
  });
});
