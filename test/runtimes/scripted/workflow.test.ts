import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scenarioNames } from '../../../src/runtimes/scripted/scenario.ts';
import { hostPrompt, play } from './play.ts';
import { openStage, type Stage } from './stage.ts';

/** A whole run starts some sixty programs, one with six reviews twice as many; the machine may be busy with other tests. */
const timeout = 300_000;

describe('the scripted agent goes through the workflow with the real contracts', () => {
  it('straight: the author goes on, another session reviews, pictures before and after', { timeout }, async () => {
    await using stage = await openStage('TB-101', 'main');
    expect(await play(stage, { scenario: 'straight', gate: ['1B [START DEVELOPMENT]'] })).toBe('await-testing');
    expect(stage.state().history).toEqual([
      'diagnose -> draft',
      'draft -> await-development',
      'implement -> review',
      'review -> verify',
      'verify -> await-testing',
    ]);
    expect(stage.artifact('verification.md')).toMatch(/- dialog: E\d+ -> E\d+/);
    expect(file(stage, 'src/picture/clear-cache-dialog.js')).toMatch(/and \$\{hidden\} more/);
  });

  it('two-reviews: the forgotten test is found, added, and the second review passes', { timeout }, async () => {
    await using stage = await openStage('TB-102', 'main');
    expect(await play(stage, { scenario: 'two-reviews', gate: ['[START DEVELOPMENT]'] })).toBe('await-testing');
    expect(stage.state().history.slice(2)).toEqual([
      'implement -> review',
      'review -> patch',
      'patch -> review',
      'review -> verify',
      'verify -> await-testing',
    ]);
    expect(stage.artifact('patch-notes.md')).toContain('### F1');
  });

  it('verification-fails-once: a weak change passes the review and not the verification', { timeout }, async () => {
    await using stage = await openStage('TB-103', 'main');
    expect(await play(stage, { scenario: 'verification-fails-once', gate: ['[START DEVELOPMENT]'] })).toBe(
      'await-testing',
    );
    expect(stage.state().history.slice(3)).toEqual([
      'review -> verify',
      'verify -> patch',
      'patch -> review',
      'review -> verify',
      'verify -> await-testing',
    ]);
    expect(stage.artifact('patch-notes.md')).toContain('### V1');
  });

  it('decisions: what is built follows the choices', { timeout }, async () => {
    await using stage = await openStage('TB-104', 'staging');
    expect(await play(stage, { scenario: 'decisions', gate: ['1B 2B 3B [START DEVELOPMENT]'] })).toBe('await-testing');
    expect(stage.artifact('idea.md').match(/^Recommended: /gm)).toHaveLength(3);
    expect(file(stage, 'src/http/page-query.js')).toContain("type: 'about:blank'");
    expect(file(stage, 'src/http/page-query.js')).toContain('page: page ?? 1');
  });

  it('crash-and-resume: killed twice, it goes on with its own conversation', { timeout }, async () => {
    await using stage = await openStage('TB-106', 'staging');
    expect(await play(stage, { scenario: 'crash-and-resume', gate: ['[START DEVELOPMENT]'] })).toBe('await-testing');
    const exits = stage.truths().flatMap((truth) => (truth.type === 'exit' ? [truth.reason] : []));
    expect(exits.filter((reason) => reason.startsWith('crash'))).toEqual(['crash SIGKILL', 'crash 3']);
    // Once each in diagnosis, review and verification: after the kill it remembered what it had recorded.
    expect(commands(stage).filter((c) => c.includes('evidence run') && c.includes("page=2'")).length).toBe(3);
  });

  it('six-reviews: each review finds the cause again, and after six the run halts', { timeout }, async () => {
    await using stage = await openStage('TB-108');
    expect(await play(stage, { scenario: 'six-reviews', gate: ['[START DEVELOPMENT]'] })).toBe('halted');
    expect(stage.state().reviews).toBe(6);
    expect(stage.artifact('review-report.md')).toMatch(/^### F1 blocking: the cause is not addressed/m);
  });

  it('feedback: the second proposal answers it, and is what gets built', { timeout }, async () => {
    await using stage = await openStage('TB-110');
    const gate = ['no: Do not write rules of a language, use what the platform has', '[START DEVELOPMENT]'];
    expect(await play(stage, { scenario: 'feedback', gate })).toBe('await-testing');
    expect(stage.artifact('idea.md')).toContain('version 2 of the proposal');
    expect(stage.artifact('idea.md')).toContain('use what the platform has');
    expect(file(stage, 'src/text/plural.js')).toContain('Intl.PluralRules');
  });

  it('slow: shows steady output', { timeout }, async () => {
    await using stage = await openStage('TB-109');
    expect(await play(stage, { scenario: 'slow', gate: [] })).toBe('await-development');
  });

  it('misbehave-edit: changes product code before the gate', { timeout }, async () => {
    await using stage = await openStage('TB-111');
    await play(stage, { scenario: 'misbehave-edit', gate: [] });
    const changed = execFileSync('git', ['diff', '--name-only'], { cwd: stage.worktree, encoding: 'utf8' });
    expect(changed.trim().split('\n')).toEqual(['src/cli.js', 'src/share.js']);
  });

  it('misbehave-token and misbehave-footer: what they print is not what is so', { timeout }, async () => {
    await using token = await openStage('TB-112');
    expect(await play(token, { scenario: 'misbehave-token', gate: [] })).toBe('await-development');
    expect(answers(token)).toContain('[START DEVELOPMENT] was given, I go on.');
    await using footer = await openStage('TB-114');
    expect(await play(footer, { scenario: 'misbehave-footer', gate: [] })).toBe('await-development');
    expect(answers(footer)).toContain('[lattice] stage: await-testing (9/10)');
  });

  it('a task of another repository is refused in words', { timeout }, async () => {
    await using stage = await openStage('OTHER-1');
    stage.launch({ prompt: hostPrompt });
    await stage.turns(1);
    expect(answers(stage)).toContain('know only the tasks of the sample');
    expect(stage.state().history).toEqual([]);
  });

  it('has a scenario for everything that is promised', () => {
    expect(scenarioNames()).toEqual(
      expect.arrayContaining(['straight', 'two-reviews', 'six-reviews', 'decisions', 'feedback', 'slow', 'permission']),
    );
    expect(scenarioNames().filter((name) => name.startsWith('misbehave-')).length).toBeGreaterThanOrEqual(5);
  });
});

function file(stage: Stage, path: string): string {
  return readFileSync(join(stage.worktree, path), 'utf8');
}

function commands(stage: Stage): string[] {
  return stage.truths().flatMap((truth) => (truth.type === 'tool' ? [truth.command] : []));
}

function answers(stage: Stage): string {
  return stage
    .truths()
    .flatMap((truth) => (truth.type === 'answer' ? [truth.text] : []))
    .join('\n');
}
