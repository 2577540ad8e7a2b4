// Agents that kill by name, within a PID namespace of the test's own; and numbers of processes that have come to name others.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunDetail, RunSummary } from '../../src/core/run.ts';
import { homePaths } from '../../src/platform/paths.ts';
import { builtPrograms, repositoryRoot } from '../support/paths.ts';
import { PidNamespace, canMakePidNamespace } from '../support/pid-namespace.ts';
import { isAlive } from '../support/processes.ts';
import { temporaryHome } from '../support/temporary-home.ts';
import { tinyRepository } from '../support/tiny-repository.ts';
import { waitFor } from '../support/wait-for.ts';
import { Site } from './site.ts';

const rest = 'while :; do sleep 0.2; done';
const scripts = {
  quiet: `echo alive; ${rest}`,
  killer: `sleep 1; tmux kill-server; pkill node; pkill -9 node; pkill -9 -f 'gate[h]ouse'; pkill -9 -f 'host/ma[i]n'; pkill -9 -f 'hold[e]r'; echo over; ${rest}`,
};

describe('killing by name', () => {
  test.skipIf(!canMakePidNamespace)(
    'C025: an agent that does it reaches its own run only',
    {
      timeout: 240_000,
    },
    async () => {
      await using home = temporaryHome();
      const { gatehouseHome, root } = home;
      mkdirSync(gatehouseHome, { mode: 0o700 });
      mkdirSync(join(root, 'tmux'), { mode: 0o700 });
      const runtimes = Object.entries(scripts).map(([name, script]) => [
        name,
        { kind: 'generic', program: '/bin/sh', args: ['-c', script, '{prompt}'], ready: '' },
      ]);
      const agents = Object.keys(scripts).map((name) => [name, { runtime: name }]);
      const config = { sandbox: 'require', runtimes: Object.fromEntries(runtimes), agents: Object.fromEntries(agents) };
      writeFileSync(join(gatehouseHome, 'config.json'), JSON.stringify(config));
      // The operator's tmux is the one that would be found by an agent that is not confined.
      await using namespace = await PidNamespace.open({ ...home.env, TMUX_TMPDIR: join(root, 'tmux') });
      const gatehouse = async (args: readonly string[], input?: string) => {
        const result = await namespace.run(process.execPath, [builtPrograms.gatehouse, ...args], input);
        expect(result).toMatchObject({ code: 0 });
        return result.stdout;
      };
      const show = async (id: string) => JSON.parse(await gatehouse(['show', id, '--json'])) as RunDetail;
      const until = (id: string, line: string) =>
        waitFor(async () => ((await show(id)).lastLine === line ? show(id) : undefined), {
          what: `${id} to say "${line}"`,
          timeoutMs: 60_000,
          intervalMs: 200,
        });
      const repository = tinyRepository();
      try {
        const start = async (id: string, agent: string) => {
          const task = `---\nid: ${id}\ntitle: A task\nlabels: []\npriority: normal\n---\nDo something.\n`;
          const args = ['start', '-', '--repo', repository.clone, '--agent', agent, '--json'];
          return (JSON.parse(await gatehouse(args, task)) as RunSummary[])[0]?.id ?? '';
        };
        expect(await namespace.run('tmux', ['new-session', '-d', 'sleep 3000'])).toMatchObject({ code: 0 });
        const others = [await start('T-1', 'quiet'), await start('T-2', 'quiet')];
        const before = await Promise.all(others.map((id) => until(id, 'alive')));
        const host = await gatehouse(['host', 'status', '--json']);
        await until(await start('T-3', 'killer'), 'over');
        const pidOf = (status: string) => (JSON.parse(status) as { pid: number }).pid;
        expect(pidOf(await gatehouse(['host', 'status', '--json']))).toBe(pidOf(host));
        const after = await Promise.all(others.map((id) => show(id)));
        expect(after.map((run) => [run.holderPid, run.sessionPid])).toEqual(
          before.map((run) => [run.holderPid, run.sessionPid]),
        );
        expect(await namespace.run('tmux', ['list-sessions'])).toMatchObject({ code: 0 });
      } finally {
        repository.remove();
      }
    },
  );

  test('C026: nothing in the code looks for a process by its name', () => {
    const src = join(repositoryRoot, 'src');
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => /\.[cm]?tsx?$/.test(file));
    expect(files.length).toBeGreaterThan(200);
    const byName = /\b(pkill|killall|pgrep|pidof|fuser)\b|['"`]ps['"`]|\/comm\b/;
    expect(files.filter((file) => byName.test(readFileSync(join(src, file), 'utf8')))).toEqual([]);
  });

  test('C026: a pid that names another process by now is left alone', { timeout: 120_000 }, async () => {
    await using site = await Site.open({
      config: { sandbox: 'off' },
      fixtures: { silent: { file: 'never-reads.mjs', args: ['ready'] } },
    });
    const { id } = await site.fixture('silent');
    const { holderPid, dir } = await site.until(id, 'to be alive', (row) => row.sessionPid !== null);
    const bystander = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const pid = bystander.pid ?? 0;
    try {
      // As after a restart of the machine: the numbers on record are given to others.
      const claims = [join(dir, 'holder.json'), homePaths(site.home).hostIdentity].map((file) => {
        const identity = JSON.parse(readFileSync(file, 'utf8')) as object;
        return { file, text: JSON.stringify({ ...identity, pid }) };
      });
      const host = await site.hostPid();
      process.kill(holderPid ?? 0, 'SIGKILL');
      process.kill(host, 'SIGKILL');
      await waitFor(() => !isAlive(host) && !isAlive(holderPid ?? 0), { what: 'both to be gone' });
      for (const { file, text } of claims) writeFileSync(file, text);
      await site.until(id, 'to be lost', (row) => row.activity === 'lost');
      await site.product.run(['stop', id]);
      await site.product.done(['resume', id]);
      await site.until(id, 'to be alive again', (row) => row.sessionPid !== null);
      await site.product.done(['host', 'stop']);
      expect(isAlive(pid)).toBe(true);
    } finally {
      bystander.kill('SIGKILL');
    }
  });
});
