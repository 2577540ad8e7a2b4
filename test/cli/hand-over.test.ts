import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handOver } from '../../src/cli/hand-over.ts';

let dir: string;
let env: Record<string, string>;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gh-hand-'));
  env = { GATEHOUSE_EVIDENCE: join(dir, 'evidence'), GATEHOUSE_WORKTREE: join(dir, 'worktree') };
  mkdirSync(join(dir, 'evidence'));
  mkdirSync(join(dir, 'worktree'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('a file for the engine', () => {
  it('is copied into the run when it lies elsewhere, under its own name, and the copy goes afterwards', () => {
    writeFileSync(join(dir, 'shot.png'), 'picture');
    const handed = handOver(join(dir, 'shot.png'), env);
    expect(handed.file).toMatch(/evidence\/incoming-\w+\/shot\.png$/);
    expect(readFileSync(handed.file, 'utf8')).toBe('picture');
    handed.done();
    expect(existsSync(handed.file)).toBe(false);
    expect(existsSync(join(dir, 'shot.png'))).toBe(true);
  });

  it('is named as it is when the engine can read it, when it is not there, or when lines are meant', () => {
    writeFileSync(join(dir, 'worktree', 'out.log'), 'log');
    for (const file of [join(dir, 'worktree', 'out.log'), join(dir, 'none.png'), 'src/add.js:12-20', dir])
      expect(handOver(file, env).file).toBe(file);
  });
});
