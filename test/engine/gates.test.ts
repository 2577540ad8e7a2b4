import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultConfig } from '../../src/core/config.ts';
import { writeIn } from '../support/tiny-repository.ts';
import { agent, checkpoint, idea, type Made, must, operator, overwrite, refusal, startRun, stateOf } from './agent.ts';

// Each of these starts some hundred processes of git.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let made: Made;
afterEach(() => made.engine.settled());

const decisions = `### 1. First?

- A: yes
- B: no

Recommended: A

### 2. Second?

- A: yes
- B: no

Recommended: B`;

const nearMisses = [
  ['continue', 'gate.token-mismatch'],
  ['looks good', 'gate.token-mismatch'],
  ['go ahead', 'gate.token-mismatch'],
  ['start development', 'gate.token-mismatch'],
  ['1A 2B START DEVELOPMENT', 'gate.token-mismatch'],
  ['1A 2B [start development]', 'gate.token-mismatch'],
  ['1A 2B [START DEVELOPMENT', 'gate.token-mismatch'],
  ['1A 2B [START DEVELOPMENT] ', 'gate.token-mismatch'],
  ['1A 2B ［START DEVELOPMENT］', 'gate.token-mismatch'],
  ['1A 2B [SUBMIT FOR TESTING]', 'gate.token-mismatch'],
  ['[START DEVELOPMENT]', 'gate.choices-incomplete'],
  ['1A [START DEVELOPMENT]', 'gate.choices-incomplete'],
  ['1A 2C [START DEVELOPMENT]', 'gate.choices-incomplete'],
  ['1A 2B 3A [START DEVELOPMENT]', 'gate.choices-incomplete'],
  ['1A 1B 2A [START DEVELOPMENT]', 'gate.choices-incomplete'],
] as const;

describe('gate 1', () => {
  let waiting: Awaited<ReturnType<typeof checkpoint>>;
  beforeAll(async () => {
    waiting = await checkpoint(async () => {
      const first = await startRun();
      await agent(first).diagnose();
      await agent(first).draft({ decisions });
      return first;
    });
  });
  beforeEach(async () => {
    made = await waiting.again();
  });
  afterAll(() => waiting.remove());

  it('WORKFLOW await-development: a near miss does not open it, says why, and changes nothing', async () => {
    const before = readFileSync(made.paths.state);
    for (const [line, code] of nearMisses) {
      const answer = await made.engine.approve({ line, operator });
      expect({ line, answer }).toMatchObject({ line, answer: { ok: false, rejection: { code } } });
      expect(made.engine.refusals[0]).toMatchObject({ verb: 'approve', error: { code } });
    }
    expect(readFileSync(made.paths.state)).toEqual(before);
  });

  it('WORKFLOW await-development: opens with the exact token and a choice for every decision, and keeps who, when and what', async () => {
    const subject = stateOf(made.engine).gate?.subject;
    const answer = await made.engine.approve({ line: '1A 2B [START DEVELOPMENT]', operator });
    expect(answer).toMatchObject({ ok: true, stage: 'implement' });
    const state = stateOf(made.engine);
    expect(state.decisions.map((d) => d.chosen)).toEqual(['A', 'B']);
    expect(state.history.at(-1)).toMatchObject({
      from: 'await-development',
      to: 'implement',
      actor: 'operator',
      files: subject?.files,
      approval: {
        token: '[START DEVELOPMENT]',
        line: '1A 2B [START DEVELOPMENT]',
        operator: 'Olga',
        subject,
      },
    });
    expect(made.effects).toContainEqual({
      type: 'session.enter',
      stage: 'implement',
      session: 'continue',
      prompt: 'approved',
    });
  });

  it('single use: the second operator sees who was first', async () => {
    const [first, second] = await Promise.all([
      made.engine.approve({ line: '1A 2B [START DEVELOPMENT]', operator }),
      made.engine.approve({ line: '1B 2A [START DEVELOPMENT]', operator: { ...operator, name: 'Otto' } }),
    ]);
    expect(first.ok).toBe(true);
    expect(second).toMatchObject({
      ok: false,
      rejection: { code: 'gate.already-decided', message: expect.stringContaining('Olga') },
    });
    expect(stateOf(made.engine).approvals).toHaveLength(1);
  });

  it('WORKFLOW await-development: feedback goes back to draft, is told to the agent, and the same text is not accepted again', async () => {
    const answer = await made.engine.sendBack({ text: 'Say what happens\nto negative numbers.', operator });
    expect(answer).toEqual({ ok: true, stage: 'draft' });
    const worker = agent(made);
    expect(await must(made.engine, 'status', {})).toContain('to negative numbers.');
    await worker.skill('lattice-idea');
    expect(await refusal(made.engine, 'advance', {})).toMatchObject({
      code: 'stage.incomplete',
      problems: [expect.objectContaining({ rule: 'artifact-unchanged' })],
    });
    worker.write('idea.md', idea({ decisions, change: 'add adds, negative numbers too' }));
    await worker.advance();
    expect(stateOf(made.engine).gate?.round).toBe(2);
    const shown = await made.engine.artifact('idea.md');
    expect(shown?.previous).toContain('add adds (E1)');
    expect(shown?.text).toContain('negative numbers too');
  });

  it('an empty reason is no feedback', async () => {
    expect(await made.engine.sendBack({ text: '  ', operator })).toMatchObject({ ok: false });
    expect(stateOf(made.engine).stage).toBe('await-development');
  });

  it('C092: content that changed after it was shown is not approved; the gate opens again with the difference', async () => {
    const shown = await made.engine.subject();
    agent(made).write('idea.md', idea({ decisions, change: 'add multiplies' }));
    const answer = await made.engine.approve({
      line: '1A 2B [START DEVELOPMENT]',
      operator,
      shown: { round: shown?.round ?? 0, subject: shown?.subject ?? { files: [], tree: null } },
    });
    expect(answer).toMatchObject({ ok: false, rejection: { code: 'gate.stale' } });
    const state = stateOf(made.engine);
    expect(state).toMatchObject({ stage: 'await-development', gate: { round: 2 }, approvals: [] });
    expect((await made.engine.artifact('idea.md'))?.previous).toContain('add adds');
    expect(await made.engine.approve({ line: '1A 2B [START DEVELOPMENT]', operator })).toMatchObject({ ok: true });
  });

  it('C092: changed without anybody having said what was shown, it is not approved either', async () => {
    agent(made).write('idea.md', idea({ decisions, change: 'add multiplies' }));
    expect(await made.engine.approve({ line: '1A 2B [START DEVELOPMENT]', operator })).toMatchObject({
      ok: false,
      rejection: { code: 'gate.stale' },
    });
  });

  it('content that changed into something broken halts the run; going on puts the version on record back', async () => {
    agent(made).write('idea.md', '# nothing\n');
    expect(await made.engine.approve({ line: '1A 2B [START DEVELOPMENT]', operator })).toMatchObject({
      ok: false,
      rejection: { code: 'run.halted' },
    });
    expect(stateOf(made.engine)).toMatchObject({ stage: 'halted', halt: { code: 'boundary-violated' } });
    expect(await made.engine.subject()).toBeNull();
    expect(await made.engine.continueRun(operator)).toEqual({ ok: true, stage: 'await-development' });
    expect((await made.engine.artifact('idea.md'))?.recorded).toBe('same');
    expect(await made.engine.approve({ line: '1A 2B [START DEVELOPMENT]', operator })).toMatchObject({ ok: true });
  });

  it('C087: a gate whose artifact is gone cannot be opened, and says what is missing', async () => {
    rmSync(join(made.paths.artifacts, 'idea.md'));
    expect(await made.engine.approve({ line: '1A 2B [START DEVELOPMENT]', operator })).toMatchObject({
      ok: false,
      rejection: { code: 'state.inconsistent', message: expect.stringContaining('missing idea.md') },
    });
    expect(made.engine.stateError?.message).toContain('missing idea.md');
    expect(await made.engine.approve({ line: '1A 2B [START DEVELOPMENT]', operator })).toMatchObject({ ok: false });
    expect(await made.engine.restore(operator)).toEqual({ ok: true, stage: 'await-development' });
    expect(made.engine.stateError).toBeNull();
    expect(await made.engine.approve({ line: '1A 2B [START DEVELOPMENT]', operator })).toMatchObject({ ok: true });
  });

  it('C088: "approved" written into state.json by the agent is a state error, not an approval', async () => {
    const text = readFileSync(made.paths.state, 'utf8');
    overwrite(made.paths.state, text.replace('"approvals": []', '"approvals": [{"gate":"development"}]'));
    await made.engine.inspect();
    expect(made.engine.stateError).toMatchObject({ code: expect.stringMatching(/^state\./) });
    expect(await refusal(made.engine, 'status', {})).toMatchObject({ code: expect.stringMatching(/^state\./) });
    expect(await made.engine.restore(operator)).toEqual({ ok: true, stage: 'await-development' });
    expect(stateOf(made.engine).approvals).toEqual([]);
  });

  it('C088: nothing that can be asked over the run socket opens a gate', async () => {
    for (const method of ['advance', 'check', 'sync'] as const) {
      expect(await refusal(made.engine, method, {})).toMatchObject({ code: 'stage.wrong' });
    }
    expect(await refusal(made.engine, 'skill', { name: 'lattice-implement' })).toMatchObject({ code: 'stage.wrong' });
    expect(stateOf(made.engine).stage).toBe('await-development');
  });

  it('C093, C095: a gate waits for ever, survives a host that is killed, and has zero or one record', async () => {
    const gate = stateOf(made.engine).gate;
    const second = await made.reopen();
    expect(second.state?.gate).toEqual(gate);
    expect(await second.approve({ line: '1A 2B [START DEVELOPMENT]', operator })).toMatchObject({ ok: true });
    const third = await made.reopen();
    expect(third.state?.approvals).toHaveLength(1);
    expect(await third.approve({ line: '1A 2B [START DEVELOPMENT]', operator })).toMatchObject({
      ok: false,
      rejection: { code: 'gate.already-decided' },
    });
  });

  it('WORKFLOW state.json: a changed approved artifact makes its approval stale and closes the gate again', async () => {
    await agent(made).approve('1A 2B [START DEVELOPMENT]');
    writeIn(made.paths.worktree, 'src/add.js', 'export function add(a, b) {\n  return a + b;\n}\n');
    agent(made).write('idea.md', idea({ decisions, change: 'add adds and logs' }));
    await made.engine.inspect();
    const state = stateOf(made.engine);
    expect(state.stage).toBe('await-development');
    expect(state.approvals[0]?.staleSince).not.toBeNull();
    expect(state.decisions.every((d) => d.chosen === null)).toBe(true);
    // The product may not change any more, neither further nor back.
    writeIn(made.paths.worktree, 'src/add.js', 'more\n');
    await made.engine.inspect();
    expect(stateOf(made.engine).halt?.code).toBe('boundary-violated');
    await made.engine.continueRun(operator);
    expect(readFileSync(join(made.paths.worktree, 'src/add.js'), 'utf8')).toContain('a + b');
    await agent(made).approve('1A 2B [START DEVELOPMENT]');
    await agent(made).implement();
    expect(stateOf(made.engine).stage).toBe('review');
  });
});

describe('tokens of a workspace', () => {
  afterEach(() => made.done());

  it('WORKFLOW tokens: full-width ones are exact too, without folding', async () => {
    const tokens = { development: '【进入开发】', testing: '【提测】' };
    made = await startRun({ config: { ...defaultConfig, tokens } });
    await agent(made).diagnose();
    await agent(made).draft({ decisions: 'None' });
    for (const line of ['[进入开发]', '【进入开发】。', '进入开发', '[START DEVELOPMENT]']) {
      expect((await made.engine.approve({ line, operator })).ok).toBe(false);
    }
    expect(await made.engine.approve({ line: '【进入开发】', operator })).toMatchObject({
      ok: true,
      stage: 'implement',
    });
  });

  it('an unsigned approval is refused where signatures are required', async () => {
    made = await startRun({ config: { ...defaultConfig, approvals: { signature: 'require' } } });
    await agent(made).diagnose();
    await agent(made).draft();
    expect(await made.engine.approve({ line: '1A [START DEVELOPMENT]', operator })).toMatchObject({
      ok: false,
      rejection: { code: 'gate.signature-required' },
    });
  });
});
