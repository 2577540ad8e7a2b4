// A host that is killed between the order to start a task and its first stage.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRun } from '../../src/engine/run-engine.ts';
import { type TinyRepository, tinyRepository } from '../support/tiny-repository.ts';
import { engineAt, operator, stateOf } from './agent.ts';

vi.setConfig({ testTimeout: 60_000 });

describe('killed while a run begins', () => {
  const asked = async (repository: TinyRepository) => {
    const { shared, heads } = await engineAt(repository.dir);
    return { shared, open: async () => openRun({ ...shared, heads: await heads() }) };
  };
  const begins = async (repository: TinyRepository) => {
    const { shared, open } = await asked(repository);
    const engine = await open();
    engine.start();
    expect(engine.stateError).toBeNull();
    expect(stateOf(engine)).toMatchObject({ stage: 'halted', halt: { code: 'start-failed', from: 'initialize' } });
    expect(stateOf(engine).halt?.hint).toContain('gatehouse resume RUN begins it');
    expect(await engine.continueRun(operator)).toEqual({ ok: true, stage: 'diagnose' });
    const tip = repository.gitIn(repository.origin, 'rev-parse', 'develop');
    expect(repository.gitIn(shared.paths.worktree, 'rev-parse', 'HEAD')).toBe(tip);
    expect(stateOf(engine).repository?.baselineCommit).toBe(tip);
    await engine.settled();
  };
  let repository: TinyRepository;
  beforeEach(() => {
    repository = tinyRepository();
  });
  afterEach(() => repository.remove());

  it('before anything was decided: the run is there, says so, and a person begins it', () => begins(repository));

  it('with the first decision on record, and a worktree of a baseline that has moved since', async () => {
    const { shared, open } = await asked(repository);
    await open();
    repository.git('worktree', 'add', '-q', '-b', 'gatehouse/r1', shared.paths.worktree, 'origin/develop');
    repository.pushAs('develop', { 'other.txt': 'theirs\n' });
    await begins(repository);
  });

  it('says what keeps it from beginning, and begins once that is mended', async () => {
    const { open } = await asked(repository);
    const engine = await open();
    repository.write('README.md', 'not committed\n');
    expect(await engine.continueRun(operator)).toMatchObject({ ok: false, rejection: { code: 'repo.unusable' } });
    expect(stateOf(engine)).toMatchObject({
      stage: 'halted',
      halt: { code: 'start-failed', reason: expect.stringContaining('uncommitted changes'), from: 'initialize' },
    });
    repository.git('checkout', '-q', '--', 'README.md');
    expect(await engine.continueRun(operator)).toEqual({ ok: true, stage: 'diagnose' });
  });

  it('a branch of that name with work of its own is never begun upon', async () => {
    repository.git('checkout', '-q', '-b', 'gatehouse/r1');
    repository.write('own.txt', 'work\n');
    repository.git('add', '-A');
    repository.git('commit', '-q', '-m', 'Own');
    const { open } = await asked(repository);
    const engine = await open();
    expect(await engine.continueRun(operator)).toMatchObject({
      ok: false,
      rejection: { message: expect.stringContaining('gatehouse/r1 is there already') },
    });
  });
});
