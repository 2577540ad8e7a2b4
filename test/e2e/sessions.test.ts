// Sessions that are started, stopped and replaced many times: each alone, each with its conversation, nothing left behind.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunDetail } from '../../src/core/run.ts';
import { caseSize } from '../support/case-size.ts';
import { isAlive, processesWithEnv } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';
import { recommendedLine } from './product.ts';
import { Site, actor, quiet } from './site.ts';

const stopped = caseSize({ usual: 8, full: 40 });
const alive = (run: RunDetail) => run.sessionPid !== null;

describe('many sessions', () => {
  test('C027: stopping one after another in any order leaves the others alone', { timeout: 300_000 }, async () => {
    await using site = await Site.open({
      config: { sandbox: 'off' },
      fixtures: { silent: { file: 'never-reads.mjs', args: ['ready'] } },
    });
    const ids = await Promise.all(Array.from({ length: stopped }, async () => (await site.fixture('silent')).id));
    const pids = new Map<string, number>();
    for (const id of ids) pids.set(id, (await site.until(id, 'to be alive', alive)).sessionPid ?? 0);
    const left = shuffled(ids);
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      await site.product.done(['stop', next]);
      expect(isAlive(pids.get(next) ?? 0), `${next}, stopped`).toBe(false);
      const rows = await site.rows();
      for (const id of left) {
        expect(isAlive(pids.get(id) ?? 0), `${id} after ${next} was stopped`).toBe(true);
        expect({ id, activity: rows.find((row) => row.id === id)?.activity }).not.toEqual({ id, activity: 'exited' });
      }
      expect(rows.find((row) => row.id === next)).toMatchObject({ activity: 'exited', needsMe: false });
    }
  });

  test('C086: what a stopped session has started is gone, or listed', { timeout: 120_000 }, async () => {
    await using site = await Site.open({
      config: { sandbox: 'off' },
      fixtures: { escapes: { file: 'setsid-grandchild.mjs', args: ['stay'], ready: 'grandchild' } },
    });
    const { id } = await site.fixture('escapes');
    const started = await site.until(id, 'to have its grandchild', (row) =>
      row.lastLine.includes('grandchild started'),
    );
    const ofRun = () =>
      processesWithEnv('GATEHOUSE_ARTIFACTS', join(site.home, 'runs', id, 'artifacts')).map(({ pid }) => pid);
    expect(ofRun()).toContain(started.sessionPid);
    expect(ofRun().length).toBeGreaterThan(1);
    const stopped = await site.product.run(['stop', id]);
    const left = ofRun();
    expect(stopped).toMatchObject({ code: left.length === 0 ? 0 : 1 });
    for (const pid of left) expect(stopped.stdout).toContain(String(pid));
    expect(left).toEqual([]);
  });

  test('C086: what a killed session has started is gone before the next one works, and when it is stopped', {
    timeout: 120_000,
  }, async () => {
    await using site = await Site.open({
      config: { sandbox: 'off' },
      fixtures: { escapes: { file: 'setsid-grandchild.mjs', args: ['stay'], ready: 'grandchild' } },
    });
    const { id } = await site.fixture('escapes');
    const ofRun = () =>
      processesWithEnv('GATEHOUSE_ARTIFACTS', join(site.home, 'runs', id, 'artifacts')).map(({ pid }) => pid);
    /** Only the program itself ends: what it has started has left its session, and goes on. */
    const killed = async (session: number) => {
      const run = await site.until(
        id,
        'to have its grandchild',
        (row) => row.sessions.length === session && row.lastLine.includes('grandchild started'),
      );
      process.kill(run.sessionPid ?? 0, 'SIGKILL');
      await site.until(id, 'to be exited', (row) => row.activity === 'exited');
      expect(ofRun()).not.toEqual([]);
      return ofRun();
    };
    const left = await killed(1);
    await site.product.done(['resume', id]);
    expect(left.filter((pid) => isAlive(pid))).toEqual([]);
    await killed(2);
    await site.product.done(['stop', id]);
    expect(ofRun()).toEqual([]);
  });

  test('C082: the host has as many descriptors after many sessions as before', { timeout: 240_000 }, async () => {
    await using site = await Site.open({
      config: { sandbox: 'off' },
      fixtures: { silent: { file: 'never-reads.mjs', args: ['ready'] } },
    });
    const { id } = await site.fixture('silent');
    const client = await site.client();
    const cycle = async () => {
      await site.until(id, 'to be alive', alive);
      await client.request('run.stop', { run: id, actor });
      await client.request('run.resume', { run: id, actor });
    };
    await cycle();
    await site.until(id, 'to be alive', alive);
    const pid = await site.hostPid();
    const open = () => readdirSync(`/proc/${pid}/fd`).length;
    const before = open();
    for (let n = 0; n < 25; n++) await cycle();
    await site.until(id, 'to be alive', alive);
    expect((await site.show(id)).sessions).toHaveLength(27);
    // Connections of the clients of this test close in their own time.
    await waitFor(() => open() <= before, { what: () => `${open()} descriptors to become ${before}` });
  });
});

describe('C039: every way to start a session again goes on with its conversation', () => {
  test('stopped and resumed, lost with its holder, killed', {
    timeout: 300_000,
  }, async () => {
    await using site = await Site.open();
    const { id } = await site.scripted(quiet);
    const first = await site.untilIdle(id);
    const conversation = first.sessions[0]?.runtimeSession ?? '';
    expect(conversation).not.toBe('');

    await site.product.done(['stop', id]);
    await site.product.done(['resume', id]);
    await site.until(id, 'to be resumed', (row) => alive(row) && row.sessions.length === 2);
    await site.untilIdle(id);

    process.kill((await site.show(id)).holderPid ?? 0, 'SIGKILL');
    await site.until(id, 'to be lost', (row) => row.activity === 'lost');
    await site.product.done(['resume', id]);
    await site.until(id, 'to be resumed', (row) => alive(row) && row.sessions.length === 3);
    await site.untilIdle(id);

    process.kill((await site.show(id)).sessionPid ?? 0, 'SIGKILL');
    await site.until(id, 'to be started again by itself', (row) => alive(row) && row.sessions.length === 4);
    const last = await site.untilIdle(id);

    expect(last.sessions.map((each) => [each.kind, each.runtimeSession])).toEqual(
      ['first', 'resumed', 'resumed', 'resumed'].map((kind) => [kind, conversation]),
    );
    const started = site.truth(id).filter((each) => each['type'] === 'started');
    expect(started.map((each) => [each['session'], each['resumed']])).toEqual(
      [false, true, true, true].map((resumed) => [conversation, resumed]),
    );
  });

  test('with more rights after the gate, and again after a review by another session', {
    timeout: 300_000,
  }, async () => {
    await using site = await Site.open();
    const { id } = await site.scripted({ extends: 'two-reviews' });
    const waiting = await site.until(id, 'to reach gate 1', (row) => row.pendingToken !== null);
    await site.product.done(['approve', id, recommendedLine(waiting)]);
    const last = await site.until(id, 'to reach gate 2', (row) => row.pendingToken === '[SUBMIT FOR TESTING]', 240_000);
    const main = last.sessions[0]?.runtimeSession;
    const reviews = last.sessions.filter((each) => each.stage === 'review' && each.kind === 'fresh');
    expect(reviews.length).toBeGreaterThanOrEqual(2);
    expect(new Set(reviews.map((each) => each.runtimeSession)).size).toBe(reviews.length);
    for (const each of last.sessions.filter((session) => !reviews.includes(session)))
      expect(each, `session ${each.number} in ${each.stage}`).toMatchObject({ runtimeSession: main });
    expect(last.sessions.some((each) => each.stage === 'patch' && each.kind === 'resumed')).toBe(true);
  });
});

/** In an order that is another one each time. */
function shuffled(ids: readonly string[]): string[] {
  const all = { minLength: ids.length, maxLength: ids.length };
  return fc.sample(fc.shuffledSubarray([...ids], all), 1)[0] ?? [];
}
