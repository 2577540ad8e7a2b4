import { describe, expect, test } from 'vitest';
import type { ConsoleRig } from './support/console-rig.ts';
import { openRig } from './support/open-rig.ts';
import { sampleRun } from './support/sample-runs.ts';

const twelve = () => Array.from({ length: 12 }, (_, index) => sampleRun(index));
const selectedRow = async (rig: ConsoleRig) => (await rig.text()).split('\n').find((row) => row.startsWith('▸')) ?? '';

describe('the grid', () => {
  test('runs that need a person come first, the longest waiting on top', async () => {
    const rig = await openRig({ runs: twelve() });
    const rows = (await rig.text()).split('\n').filter((row) => / TB-\d+ /.test(row) && !row.startsWith('─'));
    expect(rows.slice(0, 3).map((row) => row.match(/TB-\d+/)?.[0])).toEqual(['TB-112', 'TB-109', 'TB-104']);
    expect(rows[3]).not.toMatch(/^..!/);
  });

  test('the pending token, the stage and the reviews are readable at 80x24', async () => {
    const rig = await openRig({ runs: twelve(), cols: 80, rows: 24 });
    const text = await rig.text();
    expect(text).toContain('[START DEVELOPMENT]');
    expect(text).toContain('[SUBMIT FOR TESTING]');
    expect(text).toContain('4/10');
    expect(text).toContain('6/6');
    expect(text).toContain('! 3 need me');
  });

  test('C058: a list that is sorted anew under the cursor keeps the same run selected', async () => {
    const rig = await openRig({ runs: twelve() });
    await rig.type('jjjj');
    const before = (await selectedRow(rig)).match(/TB-\d+/)?.[0];
    expect(before).toBeDefined();
    for (const index of [0, 1, 2, 5, 6]) {
      rig.client.change(sampleRun(index, { needsMe: true, needsMeReason: 'a dialog is open', activity: 'blocked' }));
    }
    expect((await selectedRow(rig)).match(/TB-\d+/)?.[0]).toBe(before);
    await rig.type('o');
    expect((await selectedRow(rig)).match(/TB-\d+/)?.[0]).toBe(before);
  });

  test('C058: a key acts on the run that was selected when it was pressed', async () => {
    const rig = await openRig({ runs: twelve() });
    await rig.type('jjjj');
    const id = rig.console.content().rows.join('') === '' ? '' : (await selectedRow(rig)).match(/TB-\d+/)?.[0];
    rig.client.change(sampleRun(0, { needsMe: true, activity: 'blocked', since: '2026-03-01T00:00:00.000Z' }));
    await rig.type('w');
    const run = rig.client.runs.find((each) => each.task.id === id);
    expect(rig.excursions).toEqual([`watch ${run?.id}`]);
  });

  test('views 1 to 5, filter and its end', async () => {
    const rig = await openRig({ runs: twelve() });
    const listed = async () => [...(await rig.text()).matchAll(/^[▸ ] . (TB-\d+)/gm)].map((match) => match[1]);
    await rig.type('2');
    expect(await listed()).toEqual(['TB-112', 'TB-109', 'TB-104']);
    await rig.type('5');
    expect(await listed()).toEqual(['TB-111']);
    await rig.type('1');
    await rig.type('/');
    await rig.typeSlowly('pinned');
    expect(await listed()).toEqual(['TB-107']);
    await rig.type('\r');
    expect(await rig.text()).toContain('filter /pinned');
    await rig.type('\u001b');
    expect((await listed()).length).toBe(12);
  });

  test('a search that is given up leads back to where it began', async () => {
    const rig = await openRig({ runs: twelve() });
    await rig.type('jjj');
    const before = await selectedRow(rig);
    await rig.type('/');
    await rig.typeSlowly('no such run');
    expect(await rig.text()).toContain('no run matches "no such run" here');
    await rig.type('\u001b');
    expect(await selectedRow(rig)).toBe(before);
  });

  test('n and N walk through the matches of a filter', async () => {
    const rig = await openRig({ runs: twelve() });
    await rig.type('/');
    await rig.typeSlowly('sizes');
    await rig.type('\r');
    const first = await selectedRow(rig);
    await rig.type('n');
    const second = await selectedRow(rig);
    expect(second).not.toBe(first);
    await rig.type('N');
    expect(await selectedRow(rig)).toBe(first);
  });

  test('! goes to the next run that needs a person, and around', async () => {
    const rig = await openRig({ runs: twelve() });
    const seen: (string | undefined)[] = [];
    for (let i = 0; i < 4; i++) {
      seen.push((await selectedRow(rig)).match(/TB-\d+/)?.[0]);
      await rig.type('!');
    }
    expect(seen).toEqual(['TB-112', 'TB-109', 'TB-104', 'TB-112']);
  });

  const allWorking = () =>
    twelve().map((run) => ({ ...run, activity: 'working' as const, stage: 'diagnose' as const, pendingToken: null }));

  test('C015: most of the fleet turning at once raises a banner', async () => {
    const rig = await openRig({ runs: allWorking() });
    for (const run of rig.client.runs.slice(0, 9)) rig.client.change({ ...run, activity: 'idle' });
    expect(await rig.text()).toContain('9 of 12 runs turned "idle"');
  });

  test('C015: runs that reach their gates together raise none', async () => {
    const rig = await openRig({ runs: allWorking() });
    for (const run of rig.client.runs.slice(0, 9))
      rig.client.change({ ...run, stage: 'await-development', pendingToken: '[START DEVELOPMENT]', activity: 'idle' });
    const text = await rig.text();
    expect(text.match(/START DEVELOPMENT/g)).toHaveLength(9);
    expect(text).not.toContain('turned "idle"');
  });

  test('a host that is gone is said at once, and rows stay', async () => {
    const rig = await openRig({ runs: twelve() });
    rig.connectFails = true;
    rig.client.drop();
    const text = await rig.text();
    expect(text).toContain('HOST LOST');
    expect(text).toContain('TB-104');
    rig.connectFails = false;
    await rig.link.open();
    expect(await rig.text()).not.toContain('HOST LOST');
  });

  test('text of an agent is shown inert', async () => {
    const title = 'evil \u001b[2J\u001b]52;c;AAAA\u0007 \u202e title\nsecond';
    const rig = await openRig({
      runs: [sampleRun(1, { task: { ...sampleRun(1).task, title }, lastLine: '\u001b[31mred\u001b[5n' })],
    });
    const bytes = rig.written.join('');
    expect(bytes).not.toContain('\u001b]52');
    expect(bytes).not.toContain('\u001b[5n');
    expect(bytes).not.toContain('\u202e');
    expect(await rig.text()).toContain('evil');
  });

  test('without colour the signs stay', async () => {
    const rig = await openRig({ runs: twelve(), env: { TERM: 'dumb' } });
    expect(rig.console.content().rows.join('')).not.toContain('\u001b');
    expect(await rig.text()).toMatch(/^▸ ! TB-112/m);
  });

  test('an empty home says how to start', async () => {
    const rig = await openRig({ runs: [] });
    expect(await rig.text()).toContain('gatehouse start');
  });

  test('y copies the run id', async () => {
    const rig = await openRig({ runs: twelve() });
    await rig.type('y');
    expect(rig.copied).toEqual(['tb-112-x11']);
  });
});
