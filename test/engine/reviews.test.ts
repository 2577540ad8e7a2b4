import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { countReviews, verifyChain } from '../../src/engine/journal.ts';
import { writeIn } from '../support/tiny-repository.ts';
import {
  agent,
  checkpoint,
  type Made,
  must,
  operator,
  patchNotes,
  refusal,
  report,
  startRun,
  stateOf,
} from './agent.ts';

// Each of these starts some hundred processes of git.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let made: Made;
let reviewing: Awaited<ReturnType<typeof checkpoint>>;
beforeAll(async () => {
  reviewing = await checkpoint(() => throughGate1(true));
});
afterAll(() => reviewing.remove());

const version = (n: number) => `export function add(a, b) {\n  return a + b; // ${n}\n}\n`;

/** In review, with a change; or before it, in implement. */
async function throughGate1(implemented: boolean, options: Parameters<typeof startRun>[0] = {}): Promise<Made> {
  const first = await startRun(options);
  const worker = agent(first);
  await worker.toGate1();
  await worker.approve();
  if (implemented) await worker.implement();
  return first;
}

async function toReview() {
  made = await reviewing.again();
  return agent(made);
}

const treeNow = async () => /tree now: (\w+)/.exec(await must(made.engine, 'status', {}))?.[1] ?? '';

describe('review', () => {
  it('WORKFLOW review: only after syncing with the baseline, of the present tree, and by another session', async () => {
    const worker = await toReview();
    made.session.id = 'reviewer';
    await worker.skill('lattice-review');
    worker.write('review-report.md', report(await treeNow(), [], []));
    expect(await refusal(made.engine, 'advance', {})).toMatchObject({
      code: 'stage.incomplete',
      message: expect.stringContaining('not synced'),
    });
    await must(made.engine, 'sync', {});
    worker.write('review-report.md', report('0'.repeat(40), [], []));
    const outdated = await refusal(made.engine, 'advance', {});
    expect(outdated.problems.map((p) => p.rule)).toEqual(['tree-outdated']);
    worker.write('review-report.md', report(await treeNow(), [], []));
    made.session.id = 's1';
    // C098: the session that wrote the change cannot pass it.
    expect(await refusal(made.engine, 'advance', {})).toMatchObject({
      message: expect.stringContaining('wrote the change'),
    });
    expect(await must(made.engine, 'status', {})).toContain('End your turn; the review is done in a fresh session');
    made.session.id = null;
    expect(await refusal(made.engine, 'advance', {})).toMatchObject({
      message: expect.stringContaining('not known which'),
    });
    made.session.id = 'reviewer';
    await worker.advance();
    const [round] = stateOf(made.engine).reviews.rounds;
    expect(round).toMatchObject({ round: 1, verdict: 'pass', session: 'reviewer', tree: stateOf(made.engine).product });
    expect(readFileSync(join(made.paths.dir, round?.report.path ?? ''), 'utf8')).toContain('Verdict: pass');
  });

  it('an agent that is configured so reviews in its own session', async () => {
    made = await throughGate1(true, { review: 'same' });
    const worker = agent(made);
    await worker.skill('lattice-review');
    await must(made.engine, 'sync', {});
    worker.write('review-report.md', report(await treeNow(), [], []));
    await worker.advance();
    expect(stateOf(made.engine).stage).toBe('verify');
    await made.done();
  });

  it('C098: a report without what a review owes is refused, each lack by line and rule', async () => {
    const worker = await toReview();
    made.session.id = 'reviewer';
    await worker.skill('lattice-review');
    await must(made.engine, 'sync', {});
    worker.write('review-report.md', '# Review\n\nVerdict: pass\n\n## Findings\n\nNone\n');
    const answer = await refusal(made.engine, 'advance', {});
    expect(answer.code).toBe('stage.incomplete');
    expect(answer.problems.map((p) => p.rule)).toEqual(expect.arrayContaining(['field-missing', 'section-missing']));
    expect(stateOf(made.engine).reviews.rounds).toEqual([]);
  });

  it('WORKFLOW patch: a blocker leads to patch, is answered by its id, and reviewed again', async () => {
    const worker = await toReview();
    await worker.review(['F1', 'F2']);
    expect(stateOf(made.engine)).toMatchObject({ stage: 'patch', toAnswer: [{ id: 'F1' }, { id: 'F2' }] });
    expect(await must(made.engine, 'status', {})).toContain('- F1 blocking: not right (src/add.js:2)');
    await worker.skill('lattice-implement');
    writeIn(made.paths.worktree, 'src/add.js', version(2));
    worker.write('patch-notes.md', patchNotes(['F1']));
    const answer = await refusal(made.engine, 'advance', {});
    expect(answer.problems.map((p) => p.rule)).toEqual(['finding-unanswered']);
    worker.write('patch-notes.md', patchNotes(['F1', 'F2']));
    await worker.advance();
    await worker.review();
    expect(stateOf(made.engine)).toMatchObject({ stage: 'verify', toAnswer: [] });
    expect(existsSync(join(made.paths.artifacts, 'review-report-1.md'))).toBe(true);
    expect(existsSync(join(made.paths.artifacts, 'review-report-2.md'))).toBe(true);
  });

  it('C090: after a change made later an old review does not count, by no verb', async () => {
    const worker = await toReview();
    await worker.review();
    await worker.verify('fail');
    expect(stateOf(made.engine)).toMatchObject({
      stage: 'patch',
      toAnswer: [{ id: 'V1' }],
      verification: { status: 'failed' },
    });
    await worker.patch(version(2), ['V1']);
    expect(stateOf(made.engine).stage).toBe('review');
    for (const verb of ['advance', 'check'] as const)
      expect((await refusal(made.engine, verb, {})).code).toMatch(/stage|skill/);
    made.session.id = 'reviewer-again';
    await worker.skill('lattice-review');
    await must(made.engine, 'sync', {});
    // The report of the first round, which passed another tree.
    const old = await refusal(made.engine, 'advance', {});
    expect(old.problems.map((p) => p.rule)).toEqual(expect.arrayContaining(['artifact-unchanged', 'tree-outdated']));
    await worker.review();
    expect(stateOf(made.engine).stage).toBe('verify');
  });

  it('C097: the sixth review with a blocker halts the run; a grant is on record and gives exactly one more', async () => {
    const worker = await toReview();
    for (let n = 1; n <= 5; n++) {
      await worker.review(['F1']);
      await worker.patch(version(n), ['F1']);
    }
    await worker.review(['F1']);
    expect(stateOf(made.engine)).toMatchObject({
      stage: 'halted',
      halt: { code: 'review-limit', reason: expect.stringContaining('review cap reached') },
    });
    expect(made.engine.footer()).toContain('reviews: 6/6');
    expect(await made.engine.continueRun(operator)).toMatchObject({ ok: false, rejection: { code: 'review.limit' } });
    expect(await made.engine.grant(operator)).toEqual({ ok: true, stage: 'patch' });
    expect(await made.engine.grant(operator)).toMatchObject({ ok: false });
    await worker.patch(version(7), ['F1']);
    await worker.review(['F1']);
    expect(stateOf(made.engine)).toMatchObject({ stage: 'halted', reviews: { granted: 1 } });
    expect(stateOf(made.engine).history.filter((h) => h.reason.includes('Olga granted review 7'))).toHaveLength(1);
    const chain = verifyChain(readFileSync(made.paths.journal, 'utf8'), made.key);
    expect(countReviews(chain.entries)).toBe(7);
  });
});

describe('the baseline moves', () => {
  it('WORKFLOW review: what others did is brought in and the tree to judge is printed', async () => {
    const worker = await toReview();
    const moved = made.repository.pushAs('develop', { 'src/other.js': 'theirs\n' });
    await worker.review();
    expect(stateOf(made.engine)).toMatchObject({ stage: 'verify', sync: { commit: moved, conflicts: [] } });
    expect((await made.engine.diff()).stat).not.toContain('other.js');
    await worker.verify();
    await worker.approve('[SUBMIT FOR TESTING]');
    await made.engine.settled();
    const { origin } = made.repository;
    expect(stateOf(made.engine).stage).toBe('ready-for-testing');
    expect(made.repository.gitIn(origin, 'show', 'develop:src/other.js')).toBe('theirs');
    expect(made.repository.gitIn(origin, 'show', 'develop:src/add.js')).toContain('a + b');
  });

  it('what is judged stays as it is: a baseline that moves again is brought in by the next review', async () => {
    const worker = await toReview();
    const { ended } = made.session;
    made.session.id = 'reviewer';
    await worker.skill('lattice-review');
    made.repository.pushAs('develop', { 'first.txt': 'first\n' });
    expect(await must(made.engine, 'sync', {})).toContain('moved from');
    expect(made.session.ended).toBe(ended + 1);
    const tree = await treeNow();
    made.repository.pushAs('develop', { 'first.txt': 'second\n' });
    expect(await must(made.engine, 'sync', {})).toContain('brought in for this review');
    expect(made.session.ended).toBe(ended + 1);
    expect(await treeNow()).toBe(tree);
    worker.write('review-report.md', report(tree, [], []));
    await worker.advance();
    expect(stateOf(made.engine).stage).toBe('verify');
  });

  it('WORKFLOW patch: a conflict is a finding, is solved in patch, and markers that are left refuse the step', async () => {
    const worker = await toReview();
    made.repository.pushAs('develop', { 'src/add.js': 'export function add(a, b) {\n  return sum(a, b);\n}\n' });
    made.session.id = 'reviewer';
    await worker.skill('lattice-review');
    const text = await must(made.engine, 'sync', {});
    expect(text).toContain('conflicts in: src/add.js');
    worker.write('review-report.md', report(await treeNow(), [], []));
    expect(await refusal(made.engine, 'advance', {})).toMatchObject({
      message: expect.stringContaining('could not be merged'),
    });
    worker.write('review-report.md', report(await treeNow(), ['F1'], []));
    await worker.advance();
    made.session.id = 's1';
    expect(await must(made.engine, 'status', {})).toContain(
      'conflicts with the baseline in src/add.js: solve them in the worktree',
    );
    await worker.skill('lattice-implement');
    worker.write('patch-notes.md', patchNotes(['F1']));
    const left = await refusal(made.engine, 'advance', {});
    expect(left.problems.map((p) => p.rule)).toContain('conflict-unresolved');
    writeIn(made.paths.worktree, 'src/add.js', version(2));
    await worker.advance();
    await worker.review();
    expect(stateOf(made.engine)).toMatchObject({ stage: 'verify', sync: { conflicts: [] } });
    await worker.verify();
    await worker.approve('[SUBMIT FOR TESTING]');
    await made.engine.settled();
    expect(stateOf(made.engine).stage).toBe('ready-for-testing');
  });

  it('a remote that is not there refuses the sync, and the review waits for it', async () => {
    const worker = await toReview();
    await worker.skill('lattice-review');
    const { origin } = made.repository;
    renameSync(origin, `${origin}.away`);
    expect(await refusal(made.engine, 'sync', {})).toMatchObject({ code: 'delivery.failed' });
    renameSync(`${origin}.away`, origin);
    await worker.review();
    expect(stateOf(made.engine).stage).toBe('verify');
  });
});

describe('implement', () => {
  let implementing: Awaited<ReturnType<typeof checkpoint>>;
  beforeAll(async () => {
    implementing = await checkpoint(() => throughGate1(false));
  });
  afterAll(() => implementing.remove());

  it('WORKFLOW implement: a changed file that no plan names is refused, and plan-delta.md makes up for it', async () => {
    made = await implementing.again();
    const worker = agent(made);
    writeIn(made.paths.worktree, 'src/extra.js', 'extra\n');
    await expect(worker.implement()).rejects.toThrow('changed-file-unplanned');
    worker.write(
      'plan-delta.md',
      '# Departures\n\n## Departures\n\n- src/extra.js: needed by the fix\n\n## Decisions taken\n\nNone\n',
    );
    await worker.advance();
    expect(stateOf(made.engine).artifacts.map((a) => a.name)).toContain('plan-delta.md');
  });

  it('a change that changes nothing is refused', async () => {
    made = await implementing.again();
    const worker = agent(made);
    const same = readFileSync(join(made.paths.worktree, 'src/add.js'), 'utf8');
    await expect(worker.implement(same)).rejects.toThrow('nothing-changed');
  });
});
