import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSample, type Sample } from '../../src/demo/create-sample.ts';
import {
  applies,
  applyEdit,
  type Choices,
  type Fix,
  judgeOutput,
  lineOf,
  loadFix,
  writeNewFile,
} from '../../src/runtimes/scripted/fix.ts';
import { isPng } from './png.ts';

const taskIds = Array.from({ length: 16 }, (_, index) => `TB-${101 + index}`);
const branches: Record<string, string> = { urgent: 'main', high: 'staging', normal: 'develop', low: 'develop' };

let dir: string;
let sample: Sample;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-bugs-'));
  sample = await createSample(dir);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe('each bug of the sample', () => {
  it('has a task and a fix of its own', () => {
    expect(sample.tasks.map((path) => basename(path, '.md'))).toEqual(taskIds);
    expect(taskIds.map((id) => loadFix(id)?.task)).toEqual(taskIds);
    expect(loadFix('../x')).toBeNull();
  });

  it.each(taskIds)('%s is there on its baseline, and gone after its fix, for every choice', (id) => {
    const fix = knownFix(id);
    const first = checkout(id, 0);
    for (const place of fix.inspect) expect(lineOf(first, place.file, place.find)).toBeGreaterThan(0);
    for (const before of fix.reproduce) expect(run(first, before.command)).toContain(before.shows);
    const pictures = fix.reproduce.flatMap((before) => before.image ?? []);
    expect(pictures.every((file) => isPng(readFileSync(join(first, file))))).toBe(true);
    expect(pictures.length > 0).toBe(fix.visible);
    for (const [index, { choices, draft }] of variants(fix).entries()) {
      const worktree = index === 0 ? first : checkout(id, index);
      const behaviours = fix.behaviours.map((b) => b.commands.filter((c) => applies(c, choices, draft)));
      expect(behaviours.every((commands) => commands.length > 0)).toBe(true);
      const wrong = (): string[] => behaviours.flat().flatMap((c) => judgeOutput(run(worktree, c.command), c));
      expect(wrong()).not.toEqual([]);

      const tests = fix.tests.filter((part) => applies(part, choices, draft));
      expect(tests).toHaveLength(1);
      for (const file of tests) writeNewFile(worktree, file);
      const own = tests.map((file) => file.file);
      expect(runTests(worktree, own).status, 'its own test fails without the fix').not.toBe(0);
      for (const edit of fix.weak?.edits ?? []) expect(applyEdit(worktree, edit)).toBe('done');
      expect(wrong()).not.toEqual([]);
      git(worktree, 'checkout', '--quiet', '--', 'src');

      const edits = fix.edits.filter((part) => applies(part, choices, draft));
      for (const edit of edits) expect(applyEdit(worktree, edit)).toBe('done');
      for (const edit of edits) expect(applyEdit(worktree, edit)).toBe('already');
      expect(wrong()).toEqual([]);
      // The whole suite once per bug; what choices change is in the bug's own test.
      const after = runTests(worktree, index === 0 ? [] : own);
      expect(after.stdout).toMatch(/fail 0/);
      expect(after.status).toBe(0);
    }
  });

  it('all fixes together merge without a conflict and stay green', () => {
    const all = checkout('TB-111', 99);
    for (const id of taskIds) {
      const fix = knownFix(id);
      const { choices, draft } = variants(fix)[0] ?? { choices: {}, draft: 1 };
      for (const edit of fix.edits.filter((part) => applies(part, choices, draft))) {
        expect(applyEdit(all, edit)).toBe('done');
      }
      for (const file of fix.tests.filter((part) => applies(part, choices, draft))) writeNewFile(all, file);
    }
    expect(runTests(all, [])).toMatchObject({ status: 0 });
  });
});

function knownFix(id: string): Fix {
  const fix = loadFix(id);
  if (fix === null) throw new Error(`no fix for ${id}`);
  return fix;
}

/** Every combination of choices, and every version of the proposal. */
function variants(fix: Fix): { choices: Choices; draft: number }[] {
  let all: Choices[] = [{}];
  for (const { id, options } of fix.decisions) {
    all = all.flatMap((choices) => options.map((option) => ({ ...choices, [id]: option.id })));
  }
  const drafts = fix.redraft === undefined ? [1] : [1, 2];
  return all.flatMap((choices) => drafts.map((draft) => ({ choices, draft })));
}

function checkout(id: string, index: number): string {
  const task = readFileSync(join(dir, 'tasks', `${id}.md`), 'utf8');
  const branch = branches[/^priority: (\w+)$/m.exec(task)?.[1] ?? ''] ?? 'none';
  const worktree = join(dir, `${id}-${index}`);
  git(sample.clone, 'worktree', 'add', '--quiet', '--detach', worktree, branch);
  return worktree;
}

function git(cwd: string, ...args: string[]): void {
  execFileSync('git', args, { cwd });
}

function run(cwd: string, command: string): string {
  const result = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
  return result.stdout + result.stderr;
}

function runTests(cwd: string, files: string[]): { status: number | null; stdout: string } {
  const { status, stdout } = spawnSync('node', ['--test', ...files], { cwd, encoding: 'utf8' });
  return { status, stdout };
}
