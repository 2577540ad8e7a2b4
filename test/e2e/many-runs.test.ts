// Many runs at once: what one of them reports is on its row when the report is answered, and consoles are told of it.
import { expect, test } from 'vitest';
import type { RunSummary } from '../../src/core/run.ts';
import { caseSize } from '../support/case-size.ts';
import { waitFor } from '../support/wait-for.ts';
import { reportEvent } from './run-socket.ts';
import { Site } from './site.ts';

const runs = caseSize({ usual: 8, full: 50 });

test('C003: the end of a turn is on the row at the first look, for each of many runs', {
  timeout: 400_000,
}, async () => {
  await using site = await Site.open({
    config: { sandbox: 'off', startAtOnce: 8 },
    fixtures: { slow: { file: 'slow-composer.ts', kind: 'scripted' } },
  });
  const ids = await Promise.all(Array.from({ length: runs }, async () => (await site.fixture('slow')).id));
  for (const id of ids) await site.untilIdle(id);
  const client = await site.client();
  const told = new Map<string, string>();
  const listen = (changed: readonly RunSummary[]) => {
    for (const row of changed) told.set(row.id, row.activity);
  };
  client.onEvent((event) => {
    if (event.event === 'runs.changed') listen(event.changed);
  });
  listen((await client.request('runs.subscribe', {})).runs);

  const activityOf = async (run: string) => (await client.request('run.show', { run })).activity;
  const seen: { run: string; during: string; after: string }[] = [];
  for (const run of ids) {
    const tell = (type: string, more: object) =>
      reportEvent(site.home, run, { type, session: 'x', gatehouse: { at: Date.now() }, ...more });
    await tell('turn-started', { prompt: 'work' });
    const during = await activityOf(run);
    await waitFor(() => told.get(run) === 'working', { what: `${run} to be told as working` });
    await tell('turn-ended', { lastMessage: 'done' });
    seen.push({ run, during, after: await activityOf(run) });
  }
  expect(seen).toEqual(ids.map((run) => ({ run, during: 'working', after: 'idle' })));
  await waitFor(() => ids.every((run) => told.get(run) === 'idle'), { what: 'all to be told as idle' });
});
