import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyChain } from '../../src/engine/journal.ts';
import { writeIn } from '../support/tiny-repository.ts';
import { agent, checkpoint, type Made, must, operator, startRun, stateOf, verification } from './agent.ts';

// Each of these starts some hundred processes of git.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let made: Made;
let reviewed: Awaited<ReturnType<typeof checkpoint>>;
let waiting: Awaited<ReturnType<typeof checkpoint>>;
beforeAll(async () => {
  reviewed = await checkpoint(async () => {
    const first = await startRun();
    const worker = agent(first);
    await worker.toGate1();
    await worker.approve();
    await worker.implement();
    await worker.review();
    return first;
  });
  waiting = await checkpoint(async () => {
    const first = await startRun();
    await agent(first).toGate2();
    return first;
  });
});
afterEach(() => made.engine.settled());
afterAll(() => {
  reviewed.remove();
  waiting.remove();
});

async function toGate2() {
  made = await waiting.again();
  return agent(made);
}

const tip = (branch: string) => made.repository.gitIn(made.repository.origin, 'rev-parse', branch);

async function tested(worker: ReturnType<typeof agent>) {
  await worker.skill('lattice-verify');
  return worker.run('node', 'test/add.test.js');
}

async function submit() {
  const answer = await made.engine.approve({ line: '[SUBMIT FOR TESTING]', operator });
  expect(answer.ok).toBe(true);
  await made.engine.settled();
  return stateOf(made.engine);
}

describe('gate 2', () => {
  it('WORKFLOW await-testing: the package is there: summary from facts, diff, own decisions, tests, pushed review branch, link', async () => {
    await toGate2();
    const state = stateOf(made.engine);
    expect(state.delivery).toMatchObject({
      reviewBranch: 'gatehouse-review/r1',
      reviewCommit: tip('gatehouse-review/r1'),
    });
    expect(state.delivery?.compareLink).toMatch(/^git diff \w+\.\.\w+$/);
    const summary = readFileSync(join(made.paths.artifacts, 'ship-summary.md'), 'utf8');
    for (const part of [
      'add subtracts',
      'B1: add adds',
      'kept the name',
      'node test/add.test.js',
      'src/add.js',
      'Olga',
    ])
      expect(summary).toContain(part);
    const diff = await made.engine.diff();
    expect(diff.tree).toBe(state.gate?.subject.tree);
    expect(diff.text).toContain('+  return a + b;');
    for (const line of ['[START DEVELOPMENT]', 'submit for testing', '1A [SUBMIT FOR TESTING]'])
      expect((await made.engine.approve({ line, operator })).ok).toBe(false);
  });

  it('WORKFLOW await-testing: feedback goes to patch under an id of its own, and through review and verification again', async () => {
    const worker = await toGate2();
    expect(await made.engine.sendBack({ text: 'The name is wrong.', operator })).toEqual({ ok: true, stage: 'patch' });
    expect(stateOf(made.engine).toAnswer).toMatchObject([
      { id: 'O1', severity: 'blocking', title: 'The name is wrong.' },
    ]);
    await worker.patch('export function add(first, second) {\n  return first + second;\n}\n', ['O1']);
    await worker.review();
    await worker.verify();
    expect(stateOf(made.engine)).toMatchObject({ stage: 'await-testing', gate: { name: 'testing', round: 2 } });
    expect((await submit()).stage).toBe('ready-for-testing');
    expect(made.repository.gitIn(made.repository.origin, 'show', 'develop:src/add.js')).toContain('first + second');
  });

  it('WORKFLOW verify: evidence from before the last change does not count', async () => {
    made = await reviewed.again();
    const worker = agent(made);
    const old = await tested(worker);
    await worker.verify('fail');
    await worker.patch('export function add(a, b) {\n  return b + a;\n}\n', ['V1']);
    await worker.review();
    await worker.skill('lattice-verify');
    worker.write('verification.md', verification(old, old));
    await expect(worker.advance()).rejects.toThrow(/tests-outdated[\s\S]*|evidence-outdated/);
  });

  it('evidence that is changed while a person decides halts the run', async () => {
    await toGate2();
    const shown = stateOf(made.engine).evidence.find((each) => each.file !== null);
    writeFileSync(join(made.paths.evidence, shown?.file ?? ''), 'all is well');
    await made.engine.inspect();
    expect(stateOf(made.engine)).toMatchObject({
      stage: 'halted',
      halt: { code: 'boundary-violated', reason: `evidence on record was changed: ${shown?.id}` },
    });
  });

  it('the review branch cannot be pushed: a person is asked, and it goes on when the remote is back', async () => {
    made = await reviewed.again();
    const worker = agent(made);
    const { origin } = made.repository;
    renameSync(origin, `${origin}.away`);
    await expect(worker.verify()).rejects.toThrow('delivery.failed');
    expect(stateOf(made.engine)).toMatchObject({ stage: 'halted', halt: { code: 'delivery-failed', from: 'verify' } });
    renameSync(`${origin}.away`, origin);
    await made.engine.continueRun(operator);
    await worker.verify();
    expect(stateOf(made.engine).stage).toBe('await-testing');
  });
});

describe('delivery through the engine', () => {
  it('WORKFLOW submit: a conflict with the moved target halts with nothing pushed; the agent solves it in patch', async () => {
    const worker = await toGate2();
    const theirs = made.repository.pushAs('develop', { 'src/add.js': 'export const add = sum;\n' });
    const halted = await submit();
    expect(halted).toMatchObject({ stage: 'halted', halt: { code: 'delivery-conflict', from: 'submit' } });
    expect(halted.halt?.hint).toContain('--to patch');
    expect(tip('develop')).toBe(theirs);
    expect(await made.engine.continueRun(operator, 'patch')).toEqual({ ok: true, stage: 'patch' });
    const id = stateOf(made.engine).toAnswer[0]?.id ?? '';
    const text = await must(made.engine, 'sync', {});
    expect(text).toContain('conflicts in: src/add.js');
    await worker.patch('export function add(a, b) {\n  return a + b + 0;\n}\n', [id]);
    await worker.review();
    await worker.verify();
    expect((await submit()).stage).toBe('ready-for-testing');
    expect(made.repository.gitIn(made.repository.origin, 'show', 'develop:src/add.js')).toContain('a + b + 0');
  });

  it('a lost remote halts, and the same approval goes on when it is back', async () => {
    await toGate2();
    const { origin } = made.repository;
    renameSync(origin, `${origin}.away`);
    expect(await submit()).toMatchObject({ stage: 'halted', halt: { code: 'delivery-failed' } });
    renameSync(`${origin}.away`, origin);
    expect(await made.engine.continueRun(operator)).toEqual({ ok: true, stage: 'submit' });
    await made.engine.settled();
    expect(stateOf(made.engine).stage).toBe('ready-for-testing');
  });

  it('a refusing hook of the remote halts with its words, and nothing is half-pushed', async () => {
    await toGate2();
    const { origin } = made.repository;
    mkdirSync(join(origin, 'hooks'), { recursive: true });
    const path = join(origin, 'hooks', 'pre-receive');
    writeFileSync(path, '#!/bin/sh\necho "frozen for the release"\nexit 1\n');
    chmodSync(path, 0o755);
    const before = tip('develop');
    expect((await submit()).halt?.reason).toContain('frozen for the release');
    expect(tip('develop')).toBe(before);
    expect(() => tip('gatehouse/r1')).toThrow('unknown revision');
  });

  it('killed after the approval was durable: the next host delivers, once', async () => {
    made = await waiting.again({ acts: false });
    // Everything that a kill -9 leaves: the decision on disk, and nobody who acts on it.
    expect(await made.engine.approve({ line: '[SUBMIT FOR TESTING]', operator })).toMatchObject({ ok: true });
    await made.engine.settled();
    expect(tip('develop')).toBe(made.repository.git('rev-parse', 'develop'));
    const second = await made.reopen();
    await second.settled();
    expect(second.state?.stage).toBe('ready-for-testing');
    const third = await made.reopen();
    await third.settled();
    expect(third.state).toEqual(second.state);
    const merges = made.repository.gitIn(made.repository.origin, 'rev-list', '--merges', '--count', 'develop');
    expect(merges).toBe('1');
  });

  it('WORKFLOW skills: what the engine does in submit is on record with the skill it worked by', async () => {
    await toGate2();
    const ended = await submit();
    expect(ended.skillsRead.at(-1)).toMatchObject({ name: 'lattice-deliver', stage: 'submit' });
    expect(await made.engine.ask('advance', {})).toMatchObject({ ok: false, rejection: { code: 'run.ended' } });
    expect(await made.engine.halt('operator', 'late', 'late')).toMatchObject({
      ok: false,
      rejection: { code: 'run.ended' },
    });
    writeIn(made.paths.worktree, 'src/add.js', 'afterwards\n');
    await made.engine.inspect();
    expect(stateOf(made.engine).stage).toBe('ready-for-testing');
    expect(made.effects.filter((e) => e.type === 'session.end')).toHaveLength(1);
    expect(made.effects.filter((e) => e.type === 'automation.fire').at(-1)).toEqual({
      type: 'automation.fire',
      from: 'submit',
      to: 'ready-for-testing',
    });
  });
});

describe('many at once', () => {
  it('C100: a thousand mixed requests lose no update', async () => {
    made = await startRun();
    const { engine } = made;
    const asks = Array.from({ length: 250 }, (_, n) => [
      engine.ask('footer', {}),
      engine.recordStop(operator, `stop ${n}`),
      engine.grant(operator),
      n % 10 === 0 ? engine.approve({ line: 'looks good', operator }) : engine.continueRun(operator),
    ]).flat();
    const answers = await Promise.all(asks);
    expect(answers.filter((a) => a.ok)).toHaveLength(500);
    const { entries, fault } = verifyChain(readFileSync(made.paths.journal, 'utf8'), made.key);
    expect(fault).toBeNull();
    const stops = entries.flatMap((e) => (e.event.type === 'session.stopped' ? [e.event.reason] : []));
    expect(stops).toEqual(Array.from({ length: 250 }, (_, n) => `stop ${n}`));
    expect((await made.reopen()).stateError).toBeNull();
    await made.done();
  });
});
