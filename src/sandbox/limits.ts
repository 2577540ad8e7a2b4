// Memory and process limits of one session. systemd keeps them in the kernel, for everything that the session starts,
// where this user may ask it; elsewhere the host looks once a second. Resource limits (`ulimit`) are no help: those of
// memory are per process and count what a JavaScript engine only reserves, the one of processes is per user.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Config } from '../core/config.ts';
import { exec } from '../platform/exec.ts';

export type Limits = Config['limits'];

export type LimitForce =
  /** `manager`: the arguments that name the systemd that was asked; `env`: how it is reached. */
  | {
      readonly kind: 'systemd';
      readonly program: string;
      readonly manager: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'watched'; readonly reason: string };

const askMs = 5_000;
const trialBytes = 64 * 1024 * 1024;

/** Asked by making a scope and reading back what the kernel keeps: controllers are often not handed on to users. */
export async function probeLimits(wanted: Limits, env: NodeJS.ProcessEnv = process.env): Promise<LimitForce> {
  const watched = (reason: string): LimitForce => ({ kind: 'watched', reason });
  if (wanted.memoryMb === undefined && wanted.processes === undefined) return watched('nothing is limited');
  if (!existsSync('/run/systemd/system')) return watched('systemd does not run this machine');
  const program = (env['PATH'] ?? '')
    .split(delimiter)
    .map((dir) => join(dir, 'systemd-run'))
    .find((path) => existsSync(path));
  if (program === undefined) return watched('systemd-run is not on PATH');
  const manager = process.getuid?.() === 0 ? [] : ['--user'];
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
  const reach = Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  const force: LimitForce = { kind: 'systemd', program, manager, env: reach };
  const read = 'cat "/sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)/memory.max"';
  const limits = { memoryMb: trialBytes / 1024 / 1024, processes: 16 };
  const [first = '', ...args] = limitedArgv(force, limits, `gatehouse-trial-${process.pid}`, ['/bin/sh', '-c', read]);
  const tried = await exec(first, args, { timeoutMs: askMs, maxBytes: 64 * 1024 });
  if (tried.exitCode !== 0) return watched(`systemd-run: ${tried.stderr.trim().split('\n').at(-1) ?? 'failed'}`);
  return tried.stdout.trim() === String(trialBytes)
    ? force
    : watched('systemd has no memory controller for this user (Delegate= of user@.service)');
}

/** The scope is left by its own programs only: they run in the same terminal, with the same pid as without it. */
export function limitedArgv(
  force: Extract<LimitForce, { kind: 'systemd' }>,
  limits: Limits,
  unit: string,
  argv: readonly string[],
): string[] {
  const { memoryMb, processes } = limits;
  const properties = [
    ...(memoryMb === undefined ? [] : [`MemoryMax=${Math.round(memoryMb * 1024 * 1024)}`, 'MemorySwapMax=0']),
    ...(processes === undefined ? [] : [`TasksMax=${processes}`]),
  ];
  const reach = Object.entries(force.env).map(([name, value]) => `${name}=${value}`);
  // How systemd is reached is not the session's to know.
  const forget = Object.keys(force.env).flatMap((name) => ['-u', name]);
  const run = [force.program, ...force.manager, '--scope', '--quiet', `--unit=${unit}`];
  const set = properties.flatMap((property) => ['-p', property]);
  return ['/usr/bin/env', ...reach, ...run, ...set, '--', '/usr/bin/env', ...forget, ...argv];
}

/** Did the kernel end programs of this scope for memory? A scope that failed stays known until it is forgotten here. */
export async function endedForMemory(force: Extract<LimitForce, { kind: 'systemd' }>, unit: string): Promise<boolean> {
  const ask = { timeoutMs: askMs, maxBytes: 64 * 1024 };
  const shown = await exec(
    'systemctl',
    [...force.manager, 'show', `${unit}.scope`, '--property=Result', '--value'],
    ask,
  );
  await exec('systemctl', [...force.manager, 'reset-failed', `${unit}.scope`], ask);
  return shown.stdout.trim() === 'oom-kill';
}

/** Null when there is none. */
export function describeLimits(limits: Limits, force: LimitForce): string | null {
  const { memoryMb, processes } = limits;
  const parts = [
    ...(memoryMb === undefined ? [] : [`${memoryMb} MB`]),
    ...(processes === undefined ? [] : [`${processes} processes and threads`]),
  ];
  if (parts.length === 0) return null;
  const how =
    force.kind === 'systemd' ? 'kept by the kernel (systemd scope)' : 'looked at once a second by the host, not exact';
  return `${parts.join(', ')} for each run, ${how}`;
}
