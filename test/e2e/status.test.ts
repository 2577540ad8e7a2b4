// What a row says about an agent that says nothing itself, or says it late, twice, or from the grave.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { homePaths } from '../../src/platform/paths.ts';
import { waitFor } from '../support/wait-for.ts';
import { reportEvent } from './run-socket.ts';
import { Site, quiet } from './site.ts';

let site: Site;

beforeAll(async () => {
  site = await Site.open({
    config: { sandbox: 'off', startDeadlineSeconds: 3 },
    fixtures: {
      busy: { file: 'busy-child.mjs' },
      silent: { file: 'never-reads.mjs', args: ['ready'] },
      trust: { file: 'never-reads.mjs', args: ['Do you trust the files in this folder?'], ready: 'welcome' },
      mute: { file: 'never-reads.mjs', args: ['Please stand by.'], ready: 'welcome' },
    },
  });
}, 60_000);
afterAll(() => site[Symbol.asyncDispose](), 60_000);

describe('an agent without reports', () => {
  test('C005: reads working while a child of it uses the CPU', { timeout: 120_000 }, async () => {
    const { id } = await site.fixture('busy');
    const row = await site.until(id, 'to be seen working', (each) => each.activity === 'working');
    expect(row.why.find((note) => note.decided)?.source).toBe('process');
  });

  test('C004: reads unknown when it is silent, never idle', { timeout: 120_000 }, async () => {
    const { id } = await site.fixture('silent');
    const seen = new Set<string>();
    const row = await site.until(id, 'to be silent for a while', (each) => {
      seen.add(each.activity);
      return /no evidence for ([2-9]|\d\d)s/.test(each.activityReason);
    });
    expect(row).toMatchObject({ activity: 'unknown', needsMe: false });
    expect([...seen]).not.toContain('idle');
  });

  test('C023: one that never gets ready fails to start, with what its screen says', { timeout: 120_000 }, async () => {
    const { id } = await site.fixture('mute');
    const row = await site.until(id, 'to have failed to start', (each) => each.needsMeReason === 'start failed');
    expect(row).toMatchObject({ activity: 'unknown', needsMe: true });
    expect(row.activityReason).toMatch(/start failed: not ready after \d+s/);
    expect(row.activityReason).toContain('Please stand by.');
  });

  test('C024: one whose last words are like a dialog is said to look like it', { timeout: 120_000 }, async () => {
    const { id } = await site.fixture('trust');
    const row = await site.until(id, 'to be blocked', (each) => each.activity === 'blocked');
    expect(row).toMatchObject({ needsMe: true, needsMeReason: 'asks' });
    expect(row.activityReason).toMatch(/^trust \(it looks like it\): Do you trust the files in this folder\?/);
  });
});

describe('an agent with reports', () => {
  test('C013: the newest report wins, in whatever order they arrive; an earlier start has no say', {
    timeout: 120_000,
  }, async () => {
    const { id } = await site.scripted(quiet);
    await site.untilIdle(id);
    const now = Date.now();
    const tell = (type: string, gatehouse: object, more: object = {}) =>
      reportEvent(site.home, id, { type, session: 'x', gatehouse, ...more });
    // Without a number, only the time tells: older ones, and those of an earlier start, change nothing.
    await tell('turn-started', { at: now - 60_000 }, { prompt: 'late' });
    expect((await site.show(id)).activity).toBe('idle');
    await tell('asked', { at: now + 10, sequence: 9_000, marker: 'an earlier start' }, { text: 'May I?' });
    expect((await site.show(id)).activity).toBe('idle');
    await tell('turn-started', { at: now, sequence: 5_001 }, { prompt: 'new' });
    await site.until(id, 'to work', (row) => row.activity === 'working');
    await tell('turn-ended', { at: now, sequence: 5_000 }, { lastMessage: 'old' });
    await tell('turn-ended', { at: now, sequence: 5_001 }, { lastMessage: 'twice' });
    expect((await site.show(id)).why.find((note) => note.source === 'event')?.says).toMatch(/^working/);
    await tell('turn-ended', { at: Date.now(), sequence: 5_002 }, { lastMessage: 'done' });
    await site.untilIdle(id);
  });

  test('C012: what it reports while no host runs arrives, and brings a host', { timeout: 120_000 }, async () => {
    const { id } = await site.scripted(quiet);
    await site.untilIdle(id);
    await site.product.done(['host', 'stop']);
    site.steer(id, 'ask rm -rf out');
    await waitFor(() => site.truth(id).some((each) => each['type'] === 'dialog'), { what: 'the question' });
    // No client has been here: the holder starts a host, because a report waits.
    const row = await waitFor(
      async () => {
        const result = await site.product.run(['host', 'status', '--json']);
        return result.code === 0 ? site.show(id) : undefined;
      },
      { what: 'a host', intervalMs: 500 },
    );
    expect(row.id).toBe(id);
    const blocked = await site.until(id, 'to be blocked', (each) => each.activity === 'blocked');
    expect(blocked.why.find((note) => note.source === 'event')?.says).toMatch(/^blocked: Allow tool: bash/);
  });

  test('C008, C039: one that dies while no host runs is seen as exited, and goes on with its conversation', {
    timeout: 120_000,
  }, async () => {
    const { id } = await site.scripted(quiet);
    const before = await site.untilIdle(id);
    process.kill(await site.hostPid(), 'SIGSTOP');
    const stopped = (JSON.parse(await read(site.home)) as { pid: number }).pid;
    process.kill(before.sessionPid ?? 0, 'SIGKILL');
    process.kill(stopped, 'SIGKILL');
    await site.until(id, 'to be exited', (row) => row.activity === 'exited' && row.activityReason.includes('SIGKILL'));
    const after = await site.until(id, 'to be started again', (row) => row.sessions.length === 2);
    expect(after.sessions[0]?.exit).toEqual({ code: null, signal: 'SIGKILL' });
    expect(after.sessions.map((each) => each.runtimeSession)).toEqual([
      before.sessions[0]?.runtimeSession,
      before.sessions[0]?.runtimeSession,
    ]);
    await site.untilIdle(id);
    expect(site.truth(id).findLast((each) => each['type'] === 'started')).toMatchObject({ resumed: true });
  });
});

async function read(home: string): Promise<string> {
  const { readFile } = await import('node:fs/promises');
  return readFile(homePaths(home).hostIdentity, 'utf8');
}
