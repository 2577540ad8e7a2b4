import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { agent, must, startRun, stateOf } from './agent.ts';

// Each of these starts some hundred processes of git.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

describe('a run through all ten stages on a real repository', () => {
  it('goes from the task to the merged branch through both gates', async () => {
    const made = await startRun();
    const { engine, repository, paths } = made;
    const worker = agent(made);
    expect(stateOf(engine).stage).toBe('diagnose');
    expect(statSync(paths.state).mode & 0o777).toBe(0o600);
    expect(statSync(paths.journal).mode & 0o777).toBe(0o600);
    expect(statSync(paths.dir).mode & 0o777).toBe(0o700);
    await worker.diagnose();
    expect(stateOf(engine).stage).toBe('draft');
    await worker.draft();
    expect(stateOf(engine).stage).toBe('await-development');
    expect(await must(engine, 'status', {})).toContain('end your turn and wait');
    await worker.approve();
    await worker.implement();
    expect(stateOf(engine).stage).toBe('review');
    await worker.review();
    await worker.verify();
    const waiting = stateOf(engine);
    expect(waiting.stage).toBe('await-testing');
    expect(waiting.gate?.subject.files.map((f) => f.path)).toEqual([
      'artifacts/ship-summary.md',
      'artifacts/verification.md',
      'artifacts/review-report.md',
    ]);
    expect(repository.gitIn(repository.origin, 'rev-parse', 'gatehouse-review/r1^{tree}')).toBe(
      waiting.gate?.subject.tree,
    );
    const answer = await worker.approve('[SUBMIT FOR TESTING]');
    expect(answer.approval.subject.tree).toBe(waiting.gate?.subject.tree);
    await engine.settled();
    const ended = stateOf(engine);
    expect(ended.stage).toBe('ready-for-testing');
    expect(ended.delivery?.taskStatus).toBe('Ready for Testing');
    expect(repository.gitIn(repository.origin, 'show', 'develop:src/add.js')).toContain('a + b');
    expect(repository.gitIn(repository.origin, 'rev-parse', 'gatehouse/r1')).toBe(ended.delivery?.finalCommit);
    expect(readFileSync(join(paths.artifacts, 'ship-summary.md'), 'utf8')).toContain(ended.delivery?.mergeCommit);
    expect(existsSync(paths.delivery)).toBe(false);
    const again = await made.reopen();
    expect(again.stateError).toBeNull();
    expect(again.state).toEqual(ended);
    await made.done();
  });
});
