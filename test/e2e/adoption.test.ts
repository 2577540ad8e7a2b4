// A host that comes after another: it takes over what runs, touches nothing that it cannot read, and waits for nobody.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunDetail } from '../../src/core/run.ts';
import { childrenOf } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';
import { Site, actor, quiet } from './site.ts';

const pidsOf = (run: RunDetail) => ({ holder: run.holderPid, session: run.sessionPid });
const alive = (run: RunDetail) => run.sessionPid !== null;

describe('a host that comes after another', () => {
  test('C033, C036, C038, C068: adopts every run whatever its files look like; what it cannot read stays listed and untouched', {
    timeout: 240_000,
  }, async () => {
    await using site = await Site.open({
      config: { sandbox: 'off' },
      fixtures: {
        garbage: { file: 'garbage.mjs', ready: 'over' },
        silent: { file: 'never-reads.mjs', args: ['ready'] },
      },
    });
    const ids: string[] = [];
    for (const agent of ['garbage', 'silent', 'silent', 'silent', 'silent']) ids.push((await site.fixture(agent)).id);
    const [noisy = '', noIndex = '', badLine = '', noRecording = '', badRecord = ''] = ids;
    const before = new Map<string, RunDetail>();
    for (const id of ids) before.set(id, await site.until(id, 'to be alive', alive));
    await site.recorded(noisy, 'the garbage is over');

    process.kill(await site.hostPid(), 'SIGKILL');
    const file = (id: string, name: string) => join(site.home, 'runs', id, name);
    rmSync(file(noIndex, 'session.index.jsonl'), { force: true });
    appendFileSync(file(badLine, 'session.cast'), '\u0000\u0001 this is no event\n["no", "event", 3]\n');
    appendFileSync(file(badLine, 'session.index.jsonl'), '{"offset": 12, "snap');
    rmSync(file(noRecording, 'session.cast'));
    writeFileSync(file(badRecord, 'run.json'), '{ "version": 1, "run": ');

    const rows = await waitFor(
      async () => {
        const found = await site.rows();
        return found.every((row) => row.task.title !== '(being read back)') ? found : undefined;
      },
      { what: 'all runs to be read back' },
    );
    expect(rows.map((row) => row.id).toSorted()).toEqual(ids.toSorted());
    expect(rows.find((row) => row.id === badRecord)).toMatchObject({
      needsMe: true,
      needsMeReason: 'unreadable',
      halt: expect.stringContaining('run.json') as string,
    });
    expect(readFileSync(file(badRecord, 'run.json'), 'utf8')).toBe('{ "version": 1, "run": ');
    for (const id of ids.filter((each) => each !== badRecord)) {
      const now = await site.until(id, 'to be adopted', alive);
      expect({ id, ...pidsOf(now) }).toEqual({ id, ...pidsOf(before.get(id) as RunDetail) });
    }
    expect((await site.show(noRecording)).recording).toBe('missing');
  });

  test('C035: a holder that does not answer keeps nobody waiting, is not taken for dead, and is taken back', {
    timeout: 240_000,
  }, async () => {
    await using site = await Site.open();
    const { id: stuck } = await site.scripted(quiet);
    const { id: other } = await site.scripted(quiet);
    const before = await site.untilIdle(stuck);
    await site.untilIdle(other);
    process.kill(before.holderPid ?? 0, 'SIGSTOP');
    process.kill(await site.hostPid(), 'SIGKILL');
    try {
      const row = await site.until(stuck, 'to be out of reach', (each) => each.activity === 'unknown');
      expect(row.activityReason).toContain('does not answer');
      expect(row.needsMeReason).not.toBe('lost');
      await site.until(other, 'to be adopted', alive);
    } finally {
      process.kill(before.holderPid ?? 0, 'SIGCONT');
    }
    const after = await site.until(stuck, 'to be back', alive);
    expect(pidsOf(after)).toEqual(pidsOf(before));
    expect(after.sessions).toHaveLength(1);
    expect(await site.product.run(['send', stuck, 'Are you there?'])).toMatchObject({ code: 0 });
  });

  test('C042: many sessions start a few at a time; adopting them starts no process at all', {
    timeout: 240_000,
  }, async () => {
    const cap = 2;
    await using site = await Site.open({
      config: { sandbox: 'off', startAtOnce: cap },
      fixtures: { slow: { file: 'slow-start.mjs', args: ['400'] } },
    });
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await site.fixture('slow')).id));
    for (const id of ids) await site.until(id, 'to be ready', (row) => row.lastLine === 'ready');
    expect(mostAtOnce(site, ids)).toBeLessThanOrEqual(cap);

    const pids = await Promise.all(ids.map(async (id) => pidsOf(await site.show(id))));
    process.kill(await site.hostPid(), 'SIGKILL');
    for (const id of ids) await site.until(id, 'to be adopted', alive);
    expect(childrenOf(await site.hostPid())).toEqual([]);
    expect(await Promise.all(ids.map(async (id) => pidsOf(await site.show(id))))).toEqual(pids);

    const client = await site.client();
    await Promise.all(ids.map((run) => client.request('run.stop', { run, actor })));
    await Promise.all(ids.map((run) => client.request('run.resume', { run, actor })));
    for (const id of ids) await site.until(id, 'to be resumed', (row) => alive(row) && row.sessions.length === 2);
    expect(mostAtOnce(site, ids)).toBeLessThanOrEqual(cap);
  });
});

/** How many were between their beginning and being ready in one moment. */
function mostAtOnce(site: Site, ids: readonly string[]): number {
  const changes = ids.flatMap((id) =>
    readFileSync(join(site.home, 'runs', id, 'artifacts', 'starts.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => ({ by: line.includes('begin') ? 1 : -1, at: Number(line.split(' ')[2]) })),
  );
  let now = 0;
  return Math.max(...changes.toSorted((a, b) => a.at - b.at || a.by - b.by).map(({ by }) => (now += by)));
}
