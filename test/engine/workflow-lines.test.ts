// Lines of the workflow that no other file of this folder names.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stageRules } from '../../src/core/stage.ts';
import { openRun } from '../../src/engine/run-engine.ts';
import {
  agent,
  checkpoint,
  engineAt,
  idea,
  type Made,
  must,
  operator,
  png,
  refusal,
  startRun,
  stateOf,
  verification,
} from './agent.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let drafting: Awaited<ReturnType<typeof checkpoint>>;
let verifying: Awaited<ReturnType<typeof checkpoint>>;
beforeAll(async () => {
  drafting = await checkpoint(async () => {
    const first = await startRun();
    await agent(first).diagnose();
    return first;
  });
  verifying = await checkpoint(async () => {
    const first = await startRun();
    const worker = agent(first);
    // A visible change, with the picture from before it.
    writeFileSync(join(first.paths.evidence, 'shot.png'), png(20, 10));
    await worker.add(join(first.paths.evidence, 'shot.png'), { kind: 'image', pair: 'before:dialog' });
    await worker.skill('lattice-diagnose');
    await worker.run('node', 'src/index.js');
    await worker.add('src/add.js:1-3');
    worker.write('diagnosis.md', diagnosisOf());
    await worker.advance();
    await worker.skill('lattice-idea');
    worker.write(
      'idea.md',
      idea().replace('Visible: no', 'Visible: yes').replace('(E1)', '(E2)').replace('(E2)\n\n## Dec', '(E3)\n\n## Dec'),
    );
    await worker.advance();
    await worker.approve();
    await worker.implement();
    await worker.review();
    return first;
  });
});
afterAll(() => {
  drafting.remove();
  verifying.remove();
});

function diagnosisOf(): string {
  return `## Summary

It subtracts.

## Reproduction

Seen (E2).

## Evidence

- E1: the dialog
- E2: the product runs
- E3: the line

## Root cause

\`src/add.js:2\` (E3).

## Affected places

None
`;
}

describe('initialize and draft', () => {
  it('WORKFLOW initialize: task facts, worktree, baseline branch and commit are on record before anything begins', async () => {
    const made = await drafting.again();
    const state = stateOf(made.engine);
    expect(state.task).toMatchObject({ id: 'T-1', title: 'add subtracts', priority: 'normal', labels: ['bug'] });
    expect(state.repository).toMatchObject({
      baselineBranch: 'develop',
      workingBranch: 'gatehouse/r1',
      testCommand: 'node test/add.test.js',
    });
    expect(state.repository?.baselineCommit).toBe(made.repository.git('rev-parse', 'develop'));
    expect(existsSync(join(made.paths.worktree, 'src/add.js'))).toBe(true);
    expect(state.history.slice(0, 2).map((h) => [h.from, h.to, h.actor])).toEqual([
      [null, 'initialize', 'engine'],
      ['initialize', 'diagnose', 'engine'],
    ]);
  });

  it('WORKFLOW draft: a claim whose evidence id does not exist, or is not in diagnosis.md, is refused', async () => {
    const made = await drafting.again();
    const worker = agent(made);
    await worker.skill('lattice-idea');
    worker.write('idea.md', idea().replace('(E1)', '(E77)'));
    const answer = await refusal(made.engine, 'advance', {});
    expect(answer.code).toBe('stage.incomplete');
    expect(answer.problems.some((p) => p.message.includes('E77'))).toBe(true);
    expect(answer.problems.every((p) => p.file === 'idea.md' && p.rule !== '')).toBe(true);
    const more = await worker.run('node', '--version');
    worker.write('idea.md', idea().replace('(E1)', `(${more})`));
    expect((await refusal(made.engine, 'advance', {})).problems.map((p) => p.rule)).toContain(
      'evidence-not-in-diagnosis',
    );
  });

  it('WORKFLOW draft: decisions have options and a recommendation', async () => {
    const made = await drafting.again();
    const worker = agent(made);
    await worker.skill('lattice-idea');
    worker.write('idea.md', idea({ decisions: '### 1. Which?\n\n- A: only one\n\nRecommended: C' }));
    const rules = (await refusal(made.engine, 'advance', {})).problems.map((p) => p.rule);
    expect(rules).toEqual(expect.arrayContaining(['decision-options']));
    expect(stateOf(made.engine).stage).toBe('draft');
  });
});

describe('verify', () => {
  const pass = (made: Made, words: string) => {
    agent(made).write('verification.md', words);
    return refusal(made.engine, 'advance', {});
  };

  it('WORKFLOW verify: exit code 0 of the tests is one piece of evidence, never the whole', async () => {
    const made = await verifying.again();
    const worker = agent(made);
    await worker.skill('lattice-verify');
    const tests = await worker.run('node', 'test/add.test.js');
    const rules = (await pass(made, verification(tests, tests))).problems.map((p) => p.rule);
    expect(rules).toContain('behaviour-only-tests');
    const other = await worker.run('node', '--version');
    expect((await pass(made, verification(other, other))).problems.map((p) => p.rule)).toContain('tests-not-run');
  });

  it('WORKFLOW verify: a user-visible change owes images before and after', async () => {
    const made = await verifying.again();
    const worker = agent(made);
    await worker.skill('lattice-verify');
    const tests = await worker.run('node', 'test/add.test.js');
    const shown = await worker.run('node', '--version');
    expect((await pass(made, verification(tests, shown))).problems.map((p) => p.rule)).toEqual(['images-missing']);
    writeFileSync(join(made.paths.evidence, 'after.png'), png(20, 10));
    const after = await worker.add(join(made.paths.evidence, 'after.png'), { kind: 'image', pair: 'after:dialog' });
    const words = verification(tests, shown).replace('## Images\n\nNone', `## Images\n\n- dialog: E1 -> ${after}`);
    worker.write('verification.md', words);
    await worker.advance();
    expect(stateOf(made.engine).stage).toBe('await-testing');
    expect(readFileSync(join(made.paths.artifacts, 'ship-summary.md'), 'utf8')).toContain(`before E1, after ${after}`);
  });

  it('WORKFLOW verify: wrong behaviour goes to patch', async () => {
    const made = await verifying.again();
    await agent(made)
      .verify('fail')
      .catch(() => {});
    const worker = agent(made);
    const last = stateOf(made.engine).evidence.at(-1)?.id ?? '';
    const tests = stateOf(made.engine).evidence.at(-2)?.id ?? '';
    writeFileSync(join(made.paths.evidence, 'after.png'), png(20, 10));
    const after = await worker.add(join(made.paths.evidence, 'after.png'), { kind: 'image', pair: 'after:dialog' });
    worker.write(
      'verification.md',
      verification(tests, last, 'fail').replace('## Images\n\nNone', `## Images\n\n- dialog: E1 -> ${after}`),
    );
    await worker.advance();
    expect(stateOf(made.engine)).toMatchObject({ stage: 'patch', verification: { status: 'failed' } });
  });
});

describe('every stage', () => {
  it('WORKFLOW stages: there is no way to skip; each verb is refused outside of its stage in words that say what to do', async () => {
    const made = await drafting.again();
    expect(await refusal(made.engine, 'sync', {})).toMatchObject({ code: 'stage.wrong' });
    expect(await refusal(made.engine, 'skill', { name: 'lattice-verify' })).toMatchObject({
      code: 'stage.wrong',
      hint: 'the skills of this stage: lattice-idea',
    });
    expect(await made.engine.approve({ line: '[START DEVELOPMENT]', operator })).toMatchObject({
      ok: false,
      rejection: { code: 'gate.not-open' },
    });
    expect(await made.engine.continueRun(operator, 'patch')).toMatchObject({ ok: false });
    expect(await made.engine.grant(operator)).toMatchObject({ ok: false });
    expect(await made.engine.restore(operator)).toMatchObject({ ok: false });
    expect(made.engine.refusals.map((r) => r.verb)).toEqual(['restore', 'grant', 'resume', 'approve', 'skill', 'sync']);
    expect(Object.values(stageRules).map((r) => r.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('WORKFLOW halted: says why and what a person can do, and goes on where it stood', async () => {
    const made = await drafting.again();
    expect(await made.engine.halt('operator', 'stopped to think', 'gatehouse resume RUN')).toEqual({
      ok: true,
      stage: 'halted',
    });
    expect(await must(made.engine, 'status', {})).toContain(
      'the run is halted: stopped to think. End your turn and wait',
    );
    expect(stateOf(made.engine).halt).toMatchObject({
      reason: 'stopped to think',
      hint: 'gatehouse resume RUN',
      from: 'draft',
    });
    expect(await refusal(made.engine, 'evidence.run', { argv: ['true'], cwd: made.paths.worktree })).toMatchObject({
      code: 'stage.wrong',
    });
    expect(await made.engine.continueRun(operator)).toEqual({ ok: true, stage: 'draft' });
  });

  it('a run whose files are gone says so, and never throws', async () => {
    const made = await drafting.again();
    const { shared, heads } = await engineAt(made.repository.dir);
    const nowhere = {
      ...shared,
      heads: await heads(),
      paths: { ...shared.paths, state: '/nowhere/state.json', journal: '/nowhere/journal.jsonl' },
    };
    const engine = await openRun(nowhere);
    engine.start();
    expect(engine.stateError).toMatchObject({ code: 'state.missing' });
    expect(await engine.ask('status', {})).toMatchObject({ ok: false, rejection: { code: 'state.missing' } });
    expect(await engine.restore(operator)).toMatchObject({ ok: false, rejection: { code: 'state.missing' } });
    await engine.inspect();
    expect(await engine.subject()).toBeNull();
    expect(engine.footer()).toBe('');
  });
});
