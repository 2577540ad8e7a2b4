import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeIn } from '../support/tiny-repository.ts';
import { agent, diagnosis, type Made, must, operator, refusal, startRun, stateOf } from './agent.ts';

// Each of these starts some hundred processes of git.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let made: Made;
afterEach(() => made.done());

describe('product code that may not change', () => {
  it('WORKFLOW diagnose: an edit before gate 1 halts the run, keeps the diff, and going on puts the files back', async () => {
    made = await startRun();
    writeIn(made.paths.worktree, 'src/add.js', 'export const add = (a, b) => a + b;\n');
    writeIn(made.paths.worktree, 'src/sneaky.js', 'new\n');
    writeIn(made.paths.worktree, 'scratch/try.js', 'mine\n');
    await made.engine.inspect();
    const { halt } = stateOf(made.engine);
    expect(halt).toMatchObject({
      code: 'boundary-violated',
      from: 'diagnose',
      reason: expect.stringContaining('src/add.js, src/sneaky.js'),
    });
    expect(halt?.reason).not.toContain('scratch');
    expect(readFileSync(join(made.paths.evidence, halt?.evidence ?? ''), 'utf8')).toContain('+export const add');
    expect(await refusal(made.engine, 'advance', {})).toMatchObject({ code: 'run.halted' });
    expect(await must(made.engine, 'status', {})).toContain('a person decides');
    expect(made.session.ended).toBe(0);
    expect(await made.engine.continueRun(operator)).toEqual({ ok: true, stage: 'diagnose' });
    expect(made.session.ended).toBe(1);
    expect(readFileSync(join(made.paths.worktree, 'src/add.js'), 'utf8')).toContain('a - b');
    expect(existsSync(join(made.paths.worktree, 'src/sneaky.js'))).toBe(false);
    const aside = readdirSync(made.paths.dir).find((name) => name.startsWith('set-aside'));
    expect(readFileSync(join(made.paths.dir, aside ?? '', 'src/sneaky.js'), 'utf8')).toBe('new\n');
    await agent(made).diagnose();
    expect(stateOf(made.engine).stage).toBe('draft');
  });

  it('scratch at new places at the top and ignored output are fine before gate 1', async () => {
    made = await startRun();
    writeIn(made.paths.worktree, 'scratch/try.js', 'mine\n');
    writeIn(made.paths.worktree, 'repro.js', 'mine\n');
    writeIn(made.paths.worktree, 'node_modules/x/index.js', 'mine\n');
    await agent(made).diagnose();
    expect(stateOf(made.engine).stage).toBe('draft');
  });

  it('WORKFLOW review: an edit while judging halts the run; the product is put back, not the baseline', async () => {
    made = await startRun();
    const worker = agent(made);
    await worker.toGate1();
    await worker.approve();
    await worker.implement();
    writeIn(made.paths.worktree, 'src/add.js', 'edited in review\n');
    expect(await refusal(made.engine, 'check', {})).toMatchObject({ code: 'run.halted' });
    await made.engine.continueRun(operator);
    expect(readFileSync(join(made.paths.worktree, 'src/add.js'), 'utf8')).toContain('a + b');
    expect(stateOf(made.engine).stage).toBe('review');
  });

  it('WORKFLOW verify: scratch that would be delivered with the product has to go first', async () => {
    made = await startRun();
    const worker = agent(made);
    await worker.toGate1();
    await worker.approve();
    await worker.implement();
    await worker.review();
    writeIn(made.paths.worktree, 'coverage.txt', 'left over\n');
    await expect(worker.verify()).rejects.toThrow('coverage.txt');
    rmSync(join(made.paths.worktree, 'coverage.txt'));
    await worker.verify();
    expect(stateOf(made.engine).stage).toBe('await-testing');
    // While a person decides, not even scratch may be added to the tree in question.
    writeIn(made.paths.worktree, 'late.txt', 'late\n');
    expect(await made.engine.approve({ line: '[SUBMIT FOR TESTING]', operator })).toMatchObject({
      ok: false,
      rejection: { code: 'run.halted' },
    });
    await made.engine.continueRun(operator);
    expect(existsSync(join(made.paths.worktree, 'late.txt'))).toBe(false);
    await worker.approve('[SUBMIT FOR TESTING]');
    await made.engine.settled();
    expect(stateOf(made.engine).stage).toBe('ready-for-testing');
  });

  it('an artifact on record that changed out of turn is a state error; restoring puts it back', async () => {
    made = await startRun();
    const worker = agent(made);
    await worker.toGate1();
    await worker.approve();
    worker.write('diagnosis.md', diagnosis('E1', 'E2'));
    await made.engine.inspect();
    expect(made.engine.stateError).toBeNull();
    await worker.implement();
    worker.write('plan.md', '# another plan\n');
    await made.engine.inspect();
    expect(made.engine.stateError).toMatchObject({
      code: 'state.inconsistent',
      message: expect.stringContaining('plan.md'),
    });
    expect(await refusal(made.engine, 'status', {})).toMatchObject({ code: 'state.inconsistent' });
    const again = await made.reopen();
    expect(again.stateError).toMatchObject({ code: 'state.inconsistent' });
    expect(await made.engine.restore(operator)).toEqual({ ok: true, stage: 'review' });
    await made.engine.inspect();
    expect(made.engine.stateError).toBeNull();
    expect((await made.engine.artifact('plan.md'))?.recorded).toBe('same');
  });

  it('a link or a folder in the place of an artifact is not followed', async () => {
    made = await startRun();
    const worker = agent(made);
    await worker.skill('lattice-diagnose');
    symlinkSync('/etc/passwd', join(made.paths.artifacts, 'diagnosis.md'));
    mkdirSync(join(made.paths.artifacts, 'idea.md'));
    const answer = await refusal(made.engine, 'check', {});
    expect(answer.problems.map((p) => p.rule)).toEqual(['artifact-missing']);
    expect(await made.engine.artifact('diagnosis.md')).toBeNull();
    expect(await made.engine.artifact('../state.json')).toBeNull();
  });

  it('a folder in the place of what the engine writes is not in the way', async () => {
    made = await startRun();
    const worker = agent(made);
    mkdirSync(join(made.paths.artifacts, 'ship-summary.md/x'), { recursive: true });
    await worker.toGate2();
    expect(stateOf(made.engine).stage).toBe('await-testing');
    expect(readFileSync(join(made.paths.artifacts, 'ship-summary.md'), 'utf8')).toContain('## Not delivered');
  });
});

describe('skills', () => {
  it('WORKFLOW skills: a stage cannot be left before its skill was read in it, in the version that is there now', async () => {
    const skills = mkdtempSync(join(tmpdir(), 'gh-skills-'));
    cpSync(join(import.meta.dirname, '../../skills'), skills, { recursive: true });
    made = await startRun({ skills });
    const worker = agent(made);
    worker.write('diagnosis.md', diagnosis('E1', 'E2'));
    expect(await refusal(made.engine, 'advance', {})).toMatchObject({
      code: 'skill.unread',
      hint: 'run: lattice skill lattice-diagnose',
    });
    const text = await worker.skill('lattice-diagnose');
    expect(text).toBe(readFileSync(join(skills, 'lattice-diagnose/SKILL.md'), 'utf8'));
    expect(stateOf(made.engine).skillsRead).toMatchObject([{ name: 'lattice-diagnose', stage: 'diagnose' }]);
    appendFileSync(join(skills, 'lattice-diagnose/SKILL.md'), '\nOne more rule.\n');
    expect(await refusal(made.engine, 'advance', {})).toMatchObject({ code: 'skill.unread' });
    await worker.skill('lattice-diagnose');
    expect(await refusal(made.engine, 'advance', {})).toMatchObject({ code: 'stage.incomplete' });
    expect(await refusal(made.engine, 'skill', { name: 'lattice-review' })).toMatchObject({ code: 'stage.wrong' });
    expect(await refusal(made.engine, 'skill', { name: 'none' })).toMatchObject({ code: 'skill.unknown' });
    rmSync(skills, { recursive: true });
  });
});

describe('a session that knows nothing', () => {
  it('WORKFLOW state.json: learns from the status alone what was decided, what is owed and how to go on', async () => {
    made = await startRun();
    const worker = agent(made);
    await worker.toGate1();
    await made.engine.sendBack({ text: 'What about negative numbers?', operator });
    await worker.skill('lattice-idea');
    worker.write(
      'idea.md',
      readFileSync(join(made.paths.artifacts, 'idea.md'), 'utf8').replace('add adds', 'add adds, always'),
    );
    await worker.advance();
    await worker.approve('1B [START DEVELOPMENT]');
    const status = await must(await made.reopen(), 'status', {});
    for (const part of [
      'task: T-1',
      'stage: implement (5/10)',
      'lattice skill lattice-explore',
      'B: Yes',
      'chosen by Olga',
      'What about negative numbers?',
      'declared tests: lattice evidence run -- node test/add.test.js',
      '$GATEHOUSE_ARTIFACTS/diagnosis.md (diagnose, as recorded)',
      '$GATEHOUSE_ARTIFACTS/plan.md: not there yet',
      'E1 command: node src/index.js, exit 0',
      'add(1, 2) gives -1.',
    ])
      expect(status).toContain(part);
    expect(await must(made.engine, 'footer', {})).toBe(
      [
        '[lattice] task: T-1',
        '[lattice] stage: implement (5/10)',
        '[lattice] token: none',
        '[lattice] reviews: 0/6',
        '[lattice] artifact: artifacts/plan.md',
      ].join('\n'),
    );
  });
});
