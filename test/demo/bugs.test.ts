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

/** A dozen programs per test, on a machine that may be busy with other tests. */
const timeout = 120_000;

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

  it.each(taskIds)('%s shows on its baseline', { timeout }, (id) => {
    const fix = knownFix(id);
    const worktree = checkout(id, 'before');
    for (const place of fix.inspect) expect(lineOf(worktree, place.file, place.find)).toBeGreaterThan(0);
    for (const before of fix.reproduce) expect(run(worktree, before.command)).toContain(before.shows);
    const pictures = fix.reproduce.flatMap((before) => before.image ?? []);
    expect(pictures.every((file) => isPng(readFileSync(join(worktree, file))))).toBe(true);
    expect(pictures.length > 0).toBe(fix.visible);
  });

  it.each(taskIds.flatMap(variants))(
    '$name is gone after its fix',
    { timeout },
    ({ id, name, choices, draft, first }) => {
      const fix = knownFix(id);
      const worktree = checkout(id, name.replaceAll(' ', '-'));
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
      expect(fix.weak === null || wrong().length > 0, 'a weak fix is not enough').toBe(true);
      git(worktree, 'checkout', '--quiet', '--', 'src');

      const edits = fix.edits.filter((part) => applies(part, choices, draft));
      for (const edit of edits) expect(applyEdit(worktree, edit)).toBe('done');
      for (const edit of edits) expect(applyEdit(worktree, edit)).toBe('already');
      expect(wrong()).toEqual([]);
      // The whole suite once per bug; what choices change is in the bug's own test.
      const after = runTests(worktree, first ? [] : own);
      expect(after.stdout).toMatch(/fail 0/);
      expect(after.status).toBe(0);
    },
  );

  it('all fixes together merge without a conflict and stay green', { timeout }, () => {
    const all = checkout('TB-111', 'all');
    for (const id of taskIds) {
      const fix = knownFix(id);
      const { choices, draft } = variants(id)[0] ?? { choices: {}, draft: 1 };
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

interface Variant {
  readonly id: string;
  readonly name: string;
  readonly choices: Choices;
  readonly draft: number;
  readonly first: boolean;
}

/** Every combination of choices, and every version of the proposal. */
function variants(id: string): Variant[] {
  const fix = knownFix(id);
  let all: Choices[] = [{}];
  for (const decision of fix.decisions) {
    all = all.flatMap((choices) => decision.options.map((option) => ({ ...choices, [decision.id]: option.id })));
  }
  const drafts = fix.redraft === undefined ? [1] : [1, 2];
  return all
    .flatMap((choices) => drafts.map((draft) => ({ choices, draft })))
    .map(({ choices, draft }, index) => {
      const chosen = Object.entries(choices).map(([decision, option]) => `${decision}${option}`);
      const name = [id, ...chosen, ...(draft === 1 ? [] : [`draft ${draft}`])].join(' ');
      return { id, name, choices, draft, first: index === 0 };
    });
}

function checkout(id: string, name: string): string {
  const task = readFileSync(join(dir, 'tasks', `${id}.md`), 'utf8');
  const branch = branches[/^priority: (\w+)$/m.exec(task)?.[1] ?? ''] ?? 'none';
  const worktree = join(dir, `${id}-${name}`);
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
