// What a home with runs costs and shows while nothing happens: no processes, no files that others may read.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { homePaths } from '../../src/platform/paths.ts';
import { builtPrograms } from '../support/paths.ts';
import { runProgram } from '../support/run-program.ts';
import { waitFor } from '../support/wait-for.ts';
import { Product, recommendedLine } from './product.ts';
import { Site, quiet } from './site.ts';

describe('a quiet home', () => {
  test.each(['auto', 'off'])(
    'C078: idle runs start no processes (sandbox %s)',
    { timeout: 180_000 },
    async (sandbox) => {
      await using site = await Site.open({
        config: { sandbox },
        fixtures: { silent: { file: 'never-reads.mjs', args: ['ready'] } },
      });
      for (let n = 0; n < 2; n++) await site.untilIdle((await site.scripted(quiet)).id);
      for (let n = 0; n < 2; n++)
        await site.until((await site.fixture('silent')).id, 'to run', (row) => row.sessionPid !== null);
      const host = await site.hostPid();
      // What the starts have left to do is over once nothing has been started for some seconds.
      let last = childrenEver(host);
      let since = Date.now();
      await waitFor(
        () => {
          const now = childrenEver(host);
          if (now !== last) [last, since] = [now, Date.now()];
          return Date.now() - since > 8_000;
        },
        { what: 'the host to start nothing for eight seconds', timeoutMs: 90_000, intervalMs: 200 },
      );
    },
  );

  test('C103: everything of a home is private from its creation, whatever the umask', {
    timeout: 300_000,
  }, async () => {
    await using product = new Product();
    const open = ['-c', 'umask 0; exec "$@"', 'sh', process.execPath, builtPrograms.gatehouse];
    const gatehouse = (...args: string[]) => runProgram('/bin/sh', [...open, ...args], { env: product.home.env });
    expect(await gatehouse('demo', '--no-ui', '--runs', '1', '--tempo', '0')).toMatchObject({ code: 0 });
    const loose = new Set<string>();
    const look = () => {
      for (const each of looseFiles(product)) loose.add(each);
      return true;
    };
    let approved = 0;
    await waitFor(
      async () => {
        look();
        const [row] = await product.list();
        if (row?.pendingToken) {
          const result = await gatehouse('approve', row.id, recommendedLine(row));
          approved += result.code === 0 ? 1 : 0;
        }
        return row?.stage === 'ready-for-testing';
      },
      { what: 'the whole run', timeoutMs: 240_000, intervalMs: 100 },
    );
    look();
    expect(approved).toBe(2);
    expect([...loose]).toEqual([]);

    // Its holder has gone in order: the next host must not take that for a death.
    await product.waitForRun('tb-101', 'to have let its session go', (row) => row.activity === 'exited');
    await product.done(['host', 'stop']);
    const [ended] = await product.list();
    expect(ended).toMatchObject({ stage: 'ready-for-testing', activity: 'exited', needsMe: false });
  });
});

/** Page faults of children that have ended, as the kernel adds them up for their parent: no child, no change. */
function childrenEver(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[8]);
}

/** Files that others could read, folders that others could enter. */
function looseFiles(product: Product): string[] {
  const { home, runs, socketDir } = homePaths(product.home.gatehouseHome, product.home.env);
  // What git and the agent write has the modes that they give it; it lies in folders that nobody else can enter.
  const isTheirs = (path: string) => {
    const [run, first = '', ...rest] = relative(runs, path).split('/');
    if (run === '..') return false;
    if (first === 'engine') return rest.join('/').startsWith('index');
    return /^(worktree|delivery)$/.test(first) || (first === 'artifacts' && rest.length > 0);
  };
  const found: string[] = [];
  const walk = (path: string): void => {
    if (isTheirs(path) || path.startsWith(join(home, 'demo', ''))) return;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || (!stat.isFile() && !stat.isDirectory() && !stat.isSocket())) return;
    if ((stat.mode & 0o077) !== 0) found.push(`${path.slice(home.length)} ${(stat.mode & 0o777).toString(8)}`);
    if (stat.isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
  };
  walk(home);
  walk(socketDir);
  return found;
}
