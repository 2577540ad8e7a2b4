// What a sandbox adds to the start of a session: `true` bare, `true` in the smallest sandbox, and in a full one with a
// real home, clone and worktree; and what planning costs.
import { spawnSync } from 'node:child_process';
import { sandboxArgv } from '../src/sandbox/argv.ts';
import { prepareSandbox } from '../src/sandbox/prepare.ts';
import { probeSandbox } from '../src/sandbox/probe.ts';
import { makeSite } from '../test/sandbox/support/site.ts';

const rounds = 40;

const probe = await probeSandbox();
if (probe.kind === 'none') {
  process.stdout.write(`no sandbox here: ${probe.reason}\n`);
} else {
  await using site = await makeSite();
  const planning: number[] = [];
  let plan = await site.plan();
  for (let round = 0; round < 10; round += 1) {
    const startedAt = performance.now();
    plan = await site.plan();
    await prepareSandbox(plan);
    planning.push(performance.now() - startedAt);
  }
  const commands: Readonly<Record<string, readonly string[]>> = {
    bare: ['true'],
    smallest: [probe.program, '--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', 'true'],
    session: sandboxArgv(plan, ['true']),
  };
  // In turns, so that a busy moment of the machine falls on all of them.
  const times: Record<string, number[]> = { bare: [], smallest: [], session: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, [command = '', ...args]] of Object.entries(commands)) {
      const startedAt = performance.now();
      const { status } = spawnSync(command, args, { cwd: site.run.worktree, env: site.env(true), stdio: 'ignore' });
      if (status !== 0) throw new Error(`${name} ended with ${status}`);
      times[name]?.push(performance.now() - startedAt);
    }
  }
  const bare = median(times['bare'] ?? []);
  for (const [name, each] of Object.entries(times)) {
    const ms = median(each);
    process.stdout.write(`${name.padEnd(10)} ${ms.toFixed(1).padStart(6)} ms  ${(ms / bare).toFixed(1)} x bare\n`);
  }
  process.stdout.write(`planning   ${median(planning).toFixed(1).padStart(6)} ms\n`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
