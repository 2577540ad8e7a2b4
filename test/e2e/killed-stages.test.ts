// The agent program is killed once in every stage that has one, in the middle of the work, and the run ends as if nothing
// had happened: each stage left once, each conversation gone on with, everything on record.
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunDetail } from '../../src/core/run.ts';
import { loadScenario, type Step } from '../../src/runtimes/scripted/scenario.ts';
import { childrenOf, isAlive } from '../support/processes.ts';
import { recommendedLine } from './product.ts';
import { Site, quiet } from './site.ts';

/** Longer than any test waits: only the end of its session ends it. */
const holdingCall = 'sleep 987';

/** The steps of a shipped scenario; in each stage, halfway, the agent is held in a tool call, in each review once. */
function heldInEachStage(name: string): Record<string, unknown> {
  const { stages } = loadScenario(name, () => name);
  const held = Object.entries(stages)
    .filter(([stage]) => stage !== 'submit')
    .map(([stage, steps]): [string, Step[]] => {
      const middle = Math.ceil(steps.length / 2);
      const holds: Step[] =
        stage === 'review'
          ? [0, 1].map((n) => ({ do: 'shell', command: holdingCall, once: `review-${n}`, whenReviews: n }))
          : [{ do: 'shell', command: holdingCall, once: stage }];
      return [stage, [...steps.slice(0, middle), ...holds, ...steps.slice(middle)]];
    });
  return { stages: { ...stages, ...Object.fromEntries(held) } };
}

/** Waits until the agent is in the middle of the stage. */
function inTheMiddle(site: Site, run: string, stage: string): Promise<RunDetail> {
  const held = (row: RunDetail) => row.stage === stage && row.sessionPid !== null && row.lastLine.includes(holdingCall);
  return site.until(run, `to be in the middle of ${stage}`, held, 180_000);
}

const gone = (row: RunDetail) => row.activity === 'exited';
const conversationsOf = (run: RunDetail, conversation: 'main' | 'review') =>
  run.sessions.filter((each) => each.conversation === conversation).map((each) => each.runtimeSession);

describe('an agent program that is killed in the middle of each stage', () => {
  test('C039: goes on with its own conversation every time, and no stage is left twice', {
    timeout: 600_000,
  }, async () => {
    await using site = await Site.open();
    const { id } = await site.scripted(heldInEachStage('two-reviews'));

    /** By its recorded pid; the program inside of the sandbox where `inside` says so. */
    const kill = async (stage: string, inside: boolean) => {
      const run = await inTheMiddle(site, id, stage);
      const pid = run.sessionPid ?? 0;
      process.kill(inside ? innermost(pid) : pid, 'SIGKILL');
      const row = await site.until(id, `to be exited in ${stage}`, gone);
      expect(row.activityReason).toBe(inside ? 'exit code 137, as after SIGKILL' : 'killed by SIGKILL');
      expect(isAlive(pid)).toBe(false);
      expect(row.sessions.at(-1)?.exit).toMatchObject(inside ? { code: 137 } : { signal: 'SIGKILL' });
      expect(row.remedy).toBe('it is started again by itself in a moment');
      expect(row.needsMe).toBe(false);
      // Whoever does not want to wait for that takes the command.
      if (inside) await site.product.done(['resume', id]);
      const next = await site.until(id, `to be resumed in ${stage}`, ({ sessionPid }) => sessionPid !== null, 120_000);
      expect(next.sessions.at(-1)).toMatchObject({ stage, kind: 'resumed' });
    };
    /** A gate waits for a person: their decision starts the session again. */
    const killAtGate = async (stage: string) => {
      const waits = (row: RunDetail) => row.stage === stage && row.pendingToken !== null && row.sessionPid !== null;
      const waiting = await site.until(id, `to wait in ${stage}`, waits, 180_000);
      process.kill(waiting.sessionPid ?? 0, 'SIGKILL');
      const row = await site.until(id, `to be exited in ${stage}`, gone);
      expect(row).toMatchObject({ needsMeReason: 'decision', remedy: 'your decision starts it again' });
      await site.product.done(['approve', id, recommendedLine(waiting)]);
    };

    await kill('diagnose', true);
    await kill('draft', true);
    await killAtGate('await-development');
    await kill('implement', true);
    await kill('review', false);
    await kill('patch', true);
    await kill('review', true);
    await kill('verify', true);
    await killAtGate('await-testing');
    const done = await site.until(id, 'to end', (row) => row.stage === 'ready-for-testing', 180_000);

    expect(new Set(conversationsOf(done, 'main')).size).toBe(1);
    // Two rounds, each with its own conversation, each resumed once.
    const [first, second, third, fourth] = conversationsOf(done, 'review');
    expect([second, fourth]).toEqual([first, third]);
    expect(new Set([first, third, ...conversationsOf(done, 'main')]).size).toBe(3);
    expect(done.sessions.flatMap(({ note }) => note ?? [])).toEqual([]);
    expectDoneOnce(done);
    // Each session was told once what to do, and no prompt that was meant for the one before it came too late.
    const told = site.truth(id).filter((each) => each['type'] === 'message');
    expect(told.map((each) => each['via'])).toEqual(done.sessions.map(() => 'argument'));
    await expectValidBundle(site, id);
  });

  test('its conversation is gone: a new one goes on from state and artifacts, and that is said', {
    timeout: 300_000,
  }, async () => {
    await using site = await Site.open();
    const { id } = await site.scripted(heldInEachStage('straight'));
    const run = await inTheMiddle(site, id, 'diagnose');
    const old = run.sessions[0]?.runtimeSession ?? '';
    const transcript = join(run.dir, 'runtime', 'scripted', `${old}.jsonl`);
    expect(existsSync(transcript)).toBe(true);
    rmSync(transcript);
    process.kill(run.sessionPid ?? 0, 'SIGKILL');
    await site.until(id, 'to be exited', gone);
    rmSync(transcript, { force: true });
    const { stdout } = await site.product.run(['resume', id]);
    const note = `nothing is left of conversation ${old}`;
    // On a slow machine the host has started it again before the command is there.
    expect(stdout.includes(`session 2, fresh: ${note}`) || stdout.includes('alive already')).toBe(true);
    const held = await inTheMiddle(site, id, 'draft');
    expect(held.sessions[1]).toMatchObject({ kind: 'fresh', conversation: 'main', note });
    expect(held.sessions[1]?.runtimeSession).not.toBe(old);
    expect(await site.product.done(['show', id])).toContain(`session 2 began without memory: ${note}`);
  });
});

describe('a program that starts and fails at once', () => {
  test('is shown with what it printed, is started again twice, then waits for a person', {
    timeout: 300_000,
  }, async () => {
    await using site = await Site.open({ config: { sandbox: 'off' } });
    const { id } = await site.scripted(quiet);
    const first = await site.untilIdle(id);
    const conversation = first.sessions[0]?.runtimeSession ?? '';
    // The conversation is there, and the program does not take it up.
    const program = join(site.product.home.root, 'refuses.mjs');
    writeFileSync(program, `console.error('The conversation is spoilt.');\nprocess.exit(1);\n`);
    writeFileSync(
      join(site.home, 'config.json'),
      JSON.stringify({ sandbox: 'off', runtimes: { scripted: { kind: 'scripted', program } } }),
    );
    await site.product.done(['host', 'stop']);
    process.kill((await site.show(id)).sessionPid ?? 0, 'SIGKILL');

    const over = await site.until(
      id,
      'to be given up',
      (row) => row.sessions.length === 3 && row.needsMeReason === 'ended early',
      120_000,
    );
    expect(over).toMatchObject({
      activity: 'exited',
      activityReason: 'exit code 1 before it reported anything; its screen ends with: The conversation is spoilt.',
      remedy: `gatehouse resume ${id} continues it`,
    });
    expect(over.sessions.slice(1).map(({ kind, runtimeSession }) => [kind, runtimeSession])).toEqual([
      ['resumed', conversation],
      ['resumed', conversation],
    ]);

    // Asked for once more, it is tried without the conversation; the program that works again takes over.
    writeFileSync(join(site.home, 'config.json'), JSON.stringify({ sandbox: 'off' }));
    await site.product.done(['host', 'stop']);
    const { stdout } = await site.product.run(['resume', id]);
    expect(stdout).toContain(`fresh: the program did not go on with conversation ${conversation}, 2 times`);
    const last = await site.untilIdle(id);
    expect(last.sessions).toHaveLength(4);
    expect(last.sessions[3]?.runtimeSession).not.toBe(conversation);
  });
});

/** The agent itself: the last process of the only line of descent below the sandbox. */
function innermost(pid: number): number {
  const [child] = childrenOf(pid);
  return child === undefined || childrenOf(child.pid).length === 0 ? pid : (childrenOf(child.pid)[0]?.pid ?? child.pid);
}

function expectDoneOnce(run: RunDetail): void {
  const { state } = run;
  expect(state?.history.map((step) => step.to)).toEqual([
    'initialize',
    'diagnose',
    'draft',
    'await-development',
    'implement',
    'review',
    'patch',
    'review',
    'verify',
    'await-testing',
    'submit',
    'ready-for-testing',
  ]);
  expect(state?.approvals.map((approval) => approval.gate)).toEqual(['development', 'testing']);
  expect(state?.reviews.rounds.map((round) => round.verdict)).toEqual(['blocked', 'pass']);
  const merged = execFileSync('git', ['log', '--oneline', '--no-merges', `--grep=${run.task.id}`, 'origin/develop'], {
    cwd: run.state?.repository?.root ?? '',
    encoding: 'utf8',
  });
  expect(merged.trim().split('\n')).toHaveLength(1);
}

async function expectValidBundle(site: Site, id: string): Promise<void> {
  const file = join(site.product.home.root, 'run.bundle');
  await site.product.done(['bundle', id, '-o', file]);
  await site.product.done(['verify', file]);
}
