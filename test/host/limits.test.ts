// `limits` of config.json, on the built product.
import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { limitedArgv, probeLimits } from '../../src/sandbox/limits.ts';
import { MemoryGroup } from './memory-group.ts';
import { ShellAgents } from './shell-agent.ts';

/** There the kernel refuses a further process, and what a program then does is its own. */
const systemd = existsSync('/run/systemd/system');
const groupBytes = 150 * 1024 * 1024;
const canGroup = (() => {
  using group = MemoryGroup.make(groupBytes);
  return group !== null;
})();
const rest = 'while :; do sleep 0.2; done';
/** Takes 40 MB more every tenth of a second, never more than a tenth of what a small machine has. */
const greedy = `node -e 'const kept = []; const t = setInterval(() => { kept.push(Buffer.alloc(40e6, 1)); if (kept.length > 25) clearInterval(t); }, 100)'`;

describe('limits', () => {
  test('C030: a run that takes more memory than it may is killed and says so; others go on', {
    timeout: 180_000,
  }, async () => {
    await using agents = new ShellAgents(
      `case "$GATEHOUSE_RUN" in t-1) sleep 1; ${greedy};; *) printf 'small'; ${rest};; esac`,
      { limits: { memoryMb: 200, processes: 500 } },
    );
    const { product } = agents;
    const { id } = await agents.start('T-1');
    const other = await agents.start('T-2');
    const killed = await product.waitForRun(id, 'to be killed', (row) => row.activity === 'exited');
    expect(killed.activityReason).toMatch(/^killed: out of memory, /);
    const force = await probeLimits({ memoryMb: 200 });
    const shown = await product.show(id);
    expect(shown.limits).toContain('200 MB, 500 processes and threads for each run');
    expect(shown.limits).toContain(force.kind === 'systemd' ? 'kept by the kernel' : 'looked at once a second');
    expect(shown.sessions[0]?.exit?.note).toMatch(/^killed: out of memory, /);
    expect(await product.list()).toContainEqual(expect.objectContaining({ id: other.id, lastLine: 'small' }));
    expect((await product.show(other.id)).sessionPid).not.toBeNull();
    expect((await product.run(['doctor'])).stdout).toMatch(/run limits.*200 MB/);
    // What is known of it outlives the host.
    await product.done(['stop', id]);
    await agents.killHost();
    expect((await product.show(id)).sessions[0]?.exit?.note).toMatch(/^killed: out of memory, /);
  });

  test.skipIf(!canGroup)(
    'C030: a child that the kernel ends for memory takes its own run along and no other',
    {
      timeout: 180_000,
    },
    async () => {
      using group = MemoryGroup.make(groupBytes);
      if (group === null) throw new Error('a control group could be made a moment ago');
      {
        await using agents = new ShellAgents(
          `case "$GATEHOUSE_RUN" in t-1) sleep 3; echo $$ >${group.members}; ${greedy};; *) printf 'small'; ${rest};; esac`,
        );
        const { product } = agents;
        const { id } = await agents.start('T-1');
        const other = await agents.start('T-2');
        const killed = await product.waitForRun(id, 'to be killed', (row) => row.activity === 'exited');
        expect(killed.activityReason).toMatch(/^killed: out of memory, by the kernel/);
        expect(await product.list()).toContainEqual(expect.objectContaining({ id: other.id, lastLine: 'small' }));
        const { sessionPid, sessions } = await product.show(other.id);
        expect({ alive: sessionPid !== null, sessions: sessions.length }).toEqual({ alive: true, sessions: 1 });
        await product.done(['stop', id]);
      }
    },
  );

  test.skipIf(systemd)(
    'a run that starts more processes than it may is killed and says so',
    { timeout: 180_000 },
    async () => {
      await using agents = new ShellAgents(`sleep 1; for n in $(seq 40); do sleep 300 & done; wait`, {
        limits: { processes: 30 },
      });
      const { id } = await agents.start();
      const ended = await agents.product.waitForRun(id, 'to be ended', (row) => row.activity === 'exited');
      expect(ended.activityReason).toMatch(/^killed: \d+ processes and threads where 30 are allowed/);
    },
  );

  test.skipIf(systemd)('where no systemd runs, it is said who looks instead', async () => {
    expect(await probeLimits({ memoryMb: 100 })).toEqual({
      kind: 'watched',
      reason: 'systemd does not run this machine',
    });
  });

  test('a scope hides from the session how systemd is reached', () => {
    const env = { XDG_RUNTIME_DIR: '/run/user/7' };
    const force = { kind: 'systemd', program: '/usr/bin/systemd-run', manager: ['--user'], env } as const;
    const argv = limitedArgv(force, { memoryMb: 0.5, processes: 9 }, 'gatehouse-x', ['claude', '--resume']);
    expect(argv.join(' ')).toBe(
      '/usr/bin/env XDG_RUNTIME_DIR=/run/user/7 /usr/bin/systemd-run --user --scope --quiet --unit=gatehouse-x ' +
        '-p MemoryMax=524288 -p MemorySwapMax=0 -p TasksMax=9 -- /usr/bin/env -u XDG_RUNTIME_DIR claude --resume',
    );
  });
});
