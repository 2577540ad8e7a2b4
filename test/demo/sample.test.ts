import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { taskSchema } from '../../src/core/task.ts';
import { createSample, type Sample } from '../../src/demo/create-sample.ts';

let dir: string;
let sample: Sample;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-sample-'));
  sample = await createSample(dir);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: sample.clone, encoding: 'utf8' }).trim();
}

describe('the sample repository', () => {
  it('has the same commits each time, whatever git is configured to do', async () => {
    const second = await createSample(join(dir, 'again'));
    const heads = (repo: string): string =>
      execFileSync('git', ['for-each-ref', 'refs/heads'], { cwd: repo, encoding: 'utf8' });
    expect(heads(second.origin)).toBe(heads(sample.origin));
    expect(heads(sample.origin)).toMatch(/develop\n.*main\n.*staging/);
  });

  it('starts clean on main, with develop ahead of staging ahead of main', () => {
    expect(git('status', '--porcelain')).toBe('');
    expect(git('branch', '--show-current')).toBe('main');
    expect(git('rev-list', '--count', 'main..staging')).toBe('1');
    expect(git('rev-list', '--count', 'staging..develop')).toBe('2');
    expect(git('rev-list', '--count', 'develop..main')).toBe('0');
    expect(git('show', '-s', '--format=%s %cs', 'main')).toBe('Write down conventions and branch policy 2026-03-16');
  });

  it.each(['main', 'staging', 'develop'])('has green tests on %s', (branch) => {
    const worktree = join(dir, `on-${branch}`);
    git('worktree', 'add', '--detach', worktree, branch);
    const policy = JSON.parse(readFileSync(join(worktree, 'gatehouse.json'), 'utf8')) as { testCommand: string };
    const output = execFileSync('sh', ['-c', policy.testCommand], { cwd: worktree, encoding: 'utf8' });
    expect(output).toMatch(/fail 0/);
    expect(output).toMatch(/pass 2\d/);
  });

  it('has tasks of each priority that parse, one with a Chinese and one with an emoji title', () => {
    const tasks = sample.tasks.map((path) => {
      const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(readFileSync(path, 'utf8')) ?? [];
      return taskSchema.parse({ ...(parse(front) as object), description: body });
    });
    expect(tasks.length).toBeGreaterThanOrEqual(12);
    expect(new Set(tasks.map((task) => task.priority))).toEqual(new Set(['urgent', 'high', 'normal', 'low']));
    expect(tasks.some((task) => /\p{Script=Han}/u.test(task.title))).toBe(true);
    expect(tasks.some((task) => /\p{Extended_Pictographic}/u.test(task.title))).toBe(true);
  });
});
