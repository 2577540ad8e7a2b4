// A full file system below the home: one line what is wrong, one what to do, nothing half-changed, and on it goes later.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { RunSummary } from '../../src/core/run.ts';
import { recommendedLine } from '../e2e/product.ts';
import { tinyRepository } from '../support/tiny-repository.ts';
import { waitFor } from '../support/wait-for.ts';
import { SmallDisk, canMount } from './small-disk.ts';

const config = {
  sandbox: 'off',
  runtimes: {
    counter: {
      kind: 'generic',
      program: '/bin/sh',
      args: ['-c', 'n=0; while :; do n=$((n+1)); echo "count $n"; sleep 0.1; done', '{prompt}'],
      ready: '',
    },
  },
  agents: { counter: { runtime: 'counter' } },
};
const task = '---\nid: T-1\ntitle: A task\nlabels: []\npriority: normal\n---\nCount.\n';

describe.skipIf(!canMount)('a full disk', () => {
  test('approve, feedback and start are refused and change nothing; sessions and runs go on', {
    timeout: 300_000,
  }, async () => {
    await using disk = await SmallDisk.make();
    const repository = tinyRepository();
    const { run, list, write } = onDisk(disk);
    write('config.json', JSON.stringify(config));
    await run(['demo', '--no-ui', '--runs', '2', '--tempo', '0']);
    await run(['start', '-', '--repo', repository.clone, '--agent', 'counter'], task);
    const rows = await waitFor(
      async () => {
        const all = await list();
        return all.filter((row) => row.pendingToken !== null).length === 2 ? all : undefined;
      },
      { what: 'two runs to wait at gate 1', timeoutMs: 120_000, intervalMs: 500 },
    );
    const [first, second] = rows.filter((row) => row.pendingToken !== null) as [RunSummary, RunSummary];
    const before = records(disk, [first.id, second.id]);
    const git = () => [repository.git('branch', '--list'), repository.git('worktree', 'list')];
    const gitBefore = git();

    disk.fill();
    const refused = [
      await disk.run(['approve', first.id, recommendedLine(first)]),
      await disk.run(['feedback', second.id, 'Say more.']),
      await disk.run(['start', '-', '--repo', repository.clone, '--agent', 'counter'], task.replace('T-1', 'T-2')),
    ];
    for (const { code, stdout, stderr } of refused) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^gatehouse: .*disk is full.*\n {2}free some space.*\n$/);
    }
    expect(records(disk, [first.id, second.id])).toEqual(before);
    expect((await list()).map((row) => [row.id, row.stage])).toEqual(rows.map((row) => [row.id, row.stage]));
    expect(git()).toEqual(gitBefore);
    expect(existsSync(disk.path('runs', 't-2'))).toBe(false);

    // The session goes on, and so does its screen.
    const count = async () =>
      Number(/count (\d+)/.exec((await list()).find((row) => row.id === 't-1')?.lastLine ?? '')?.[1]);
    const then = await count();
    await waitFor(async () => (await count()) > then + 5, { what: 'the counter to go on', intervalMs: 250 });
    expect((await list()).find((row) => row.id === 't-1')?.activity).not.toBe('exited');

    disk.makeRoom();
    await run(['approve', first.id, recommendedLine(first)]);
    await run(['feedback', second.id, 'Say more.']);
    await run(['start', '-', '--repo', repository.clone, '--agent', 'counter'], task.replace('T-1', 'T-2'));
    const now = await count();
    await waitFor(() => readFileSync(disk.path('runs/t-1/session.cast'), 'utf8').includes(`count ${now + 1}\\r`), {
      what: 'the recording to go on',
    });
    await waitFor(async () => (await list()).find((row) => row.id === first.id)?.stageNumber === 9, {
      what: 'the approved run to reach gate 2',
      timeoutMs: 120_000,
      intervalMs: 500,
    });
    repository.remove();
  });
});

function onDisk(disk: SmallDisk) {
  const run = async (args: readonly string[], input?: string): Promise<string> => {
    const { code, stdout, stderr } = await disk.run(args, input);
    if (code !== 0) throw new Error(`gatehouse ${args.join(' ')}: exit ${code}\n${stderr}`);
    return stdout;
  };
  return {
    run,
    list: async () => JSON.parse(await run(['ls', '--json'])) as RunSummary[],
    write: (name: string, text: string) => writeFileSync(disk.path(name), text),
  };
}

function records(disk: SmallDisk, ids: readonly string[]): Record<string, string> {
  const names = ['state.json', 'journal.jsonl', 'run.json'];
  const files = ids.flatMap((id) => names.map((name) => `runs/${id}/${name}`));
  const left = ids.flatMap((id) => readdirSync(disk.path('runs', id)).filter((name) => name.endsWith('.tmp')));
  return {
    ...Object.fromEntries(files.map((file) => [file, readFileSync(disk.path(file), 'utf8')])),
    left: left.join(),
  };
}
