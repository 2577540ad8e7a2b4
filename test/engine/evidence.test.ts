import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isDeclaredTest } from '../../src/engine/evidence-run.ts';
import { writeIn } from '../support/tiny-repository.ts';
import { agent, diagnosis, type Made, must, overwrite, png, refusal, startRun, stateOf } from './agent.ts';

// Each of these starts some hundred processes of git.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let made: Made;
beforeAll(async () => {
  made = await startRun();
});
afterAll(() => made.done());

const last = () => stateOf(made.engine).evidence.at(-1);

describe('evidence that is fact', () => {
  it('WORKFLOW verify: the engine runs the command and records output, exit code, tree and commit', async () => {
    const text = await must(made.engine, 'evidence.run', {
      argv: ['sh', '-c', 'echo out; echo err >&2; exit 3'],
      cwd: made.paths.worktree,
    });
    expect(text).toMatch(/^E1: exit code 3 after \d+ ms/);
    const evidence = last();
    expect(evidence).toMatchObject({ id: 'E1', kind: 'command', stage: 'diagnose', exitCode: 3, declaredTest: false });
    expect(evidence?.command).toBe("sh -c 'echo out; echo err >&2; exit 3'");
    expect(evidence?.tree).toBe(made.repository.gitIn(made.paths.worktree, 'rev-parse', 'HEAD^{tree}'));
    expect(evidence?.commit).toBe(made.repository.gitIn(made.paths.worktree, 'rev-parse', 'HEAD'));
    const kept = readFileSync(join(made.paths.evidence, evidence?.file ?? ''), 'utf8');
    expect(kept).toContain('out\n');
    expect(kept).toContain('err\n');
  });

  it('keeps the whole output and shows the beginning and the end', async () => {
    await must(made.engine, 'evidence.run', { argv: ['seq', '1', '5000'], cwd: made.paths.worktree });
    const evidence = last();
    expect(readFileSync(join(made.paths.evidence, evidence?.file ?? ''), 'utf8').split('\n')).toHaveLength(5001);
    expect(evidence?.excerpt.split('\n').length).toBeLessThan(40);
    expect(evidence?.excerpt).toContain('5000');
  });

  it('knows the declared test command by the exact command, at the root, in the plain environment', async () => {
    await must(made.engine, 'evidence.run', {
      argv: ['node', 'test/add.test.js'],
      cwd: made.paths.worktree,
      env: { PATH: '/nowhere' },
    });
    expect(last()).toMatchObject({ declaredTest: true, exitCode: 0, origin: null });
    await must(made.engine, 'evidence.run', { argv: ['node', 'add.test.js'], cwd: join(made.paths.worktree, 'test') });
    expect(last()?.declaredTest).toBe(false);
    expect(isDeclaredTest(['npm', 'test'], 'npm test')).toBe(true);
    expect(isDeclaredTest(['sh', '-c', 'npm test'], 'npm test')).toBe(true);
    expect(isDeclaredTest(['npm', 'test', '--', '-t', 'one'], 'npm test')).toBe(false);
    expect(isDeclaredTest(['npm test'], 'npm test')).toBe(false);
    expect(isDeclaredTest(['sh', '-c', 'npm test || true'], 'npm test')).toBe(false);
  });

  it('names what the environment was changed by, never the values', async () => {
    await must(made.engine, 'evidence.run', { argv: ['env'], cwd: made.paths.worktree, env: { API_TOKEN: 'sesame' } });
    expect(last()?.origin).toBe('environment: API_TOKEN');
    expect(JSON.stringify({ ...last(), excerpt: '' })).not.toContain('sesame');
  });

  it('refuses a command that cannot be started or is not in the worktree', async () => {
    const count = stateOf(made.engine).evidence.length;
    const at = (cwd: string, ...argv: string[]) => refusal(made.engine, 'evidence.run', { argv, cwd });
    expect(await at(made.paths.worktree, 'no-such-program')).toMatchObject({ code: 'evidence.invalid' });
    expect(await at('/tmp', 'true')).toMatchObject({ code: 'evidence.invalid' });
    expect(stateOf(made.engine).evidence).toHaveLength(count);
  });

  it('takes images that are images, with their size and pair', async () => {
    writeFileSync(join(made.paths.evidence, 'shot.png'), png(40, 30));
    await must(made.engine, 'evidence.add', {
      file: join(made.paths.evidence, 'shot.png'),
      kind: 'image',
      pair: 'before:dialog',
      cwd: made.paths.worktree,
    });
    expect(last()).toMatchObject({
      kind: 'image',
      image: { format: 'png', width: 40, height: 30 },
      pair: { side: 'before', name: 'dialog' },
    });
    writeIn(made.paths.evidence, 'fake.png', 'not an image');
    writeFileSync(join(made.paths.evidence, 'torn.png'), png(40, 30).subarray(0, 60));
    for (const file of ['fake.png', 'torn.png']) {
      expect(
        await refusal(made.engine, 'evidence.add', { file: join(made.paths.evidence, file), kind: 'image', cwd: '/' }),
      ).toMatchObject({ code: 'evidence.invalid', message: expect.stringContaining('not a whole') });
    }
  });

  it('takes lines that are there at the baseline commit, and no others', async () => {
    const add = (file: string) => ({ file, cwd: made.paths.worktree });
    await must(made.engine, 'evidence.add', add('src/add.js:2'));
    expect(last()).toMatchObject({ kind: 'source', origin: 'src/add.js:2', excerpt: '  return a - b;' });
    for (const file of ['src/add.js:9', 'src/none.js:1', 'src/add.js:3-2'])
      expect(await refusal(made.engine, 'evidence.add', add(file))).toMatchObject({ code: 'evidence.invalid' });
  });

  it('does not read the operator files for the agent', async () => {
    symlinkSync('/etc/hostname', join(made.paths.evidence, 'link.txt'));
    for (const file of ['/etc/hostname', join(made.paths.evidence, 'link.txt'), '../state.json'])
      expect(await refusal(made.engine, 'evidence.add', { file, cwd: made.paths.worktree })).toMatchObject({
        code: 'evidence.invalid',
      });
  });

  it('two at once get two ids', async () => {
    const run = (text: string) => made.engine.ask('evidence.run', { argv: ['echo', text], cwd: made.paths.worktree });
    const [a, b] = await Promise.all([run('one'), run('two')]);
    expect(a.ok && b.ok).toBe(true);
    const ids = stateOf(made.engine).evidence.map((e) => e.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('evidence whose file was changed afterwards proves nothing any more', async () => {
    const worker = agent(made);
    await worker.skill('lattice-diagnose');
    const seen = await worker.run('node', 'src/index.js');
    const lines = await worker.add('src/add.js:1-3');
    worker.write('diagnosis.md', diagnosis(seen, lines));
    expect(await must(made.engine, 'check', {})).toContain('nothing to mend');
    const file = stateOf(made.engine).evidence.find((e) => e.id === seen)?.file ?? '';
    overwrite(join(made.paths.evidence, file), 'better output\n');
    const answer = await refusal(made.engine, 'check', {});
    expect(answer.problems.map((p) => p.rule)).toContain('evidence-changed');
  });

  it('C087: an id that the engine never gave is refused', async () => {
    agent(made).write('diagnosis.md', diagnosis('E900', 'E901'));
    const answer = await refusal(made.engine, 'advance', {});
    expect(answer.code).toBe('stage.incomplete');
    expect(answer.problems.map((p) => p.rule)).toContain('evidence-unknown');
  });
});
