// Limits of the machine that dozens of runs can reach, and whether it lets processes live after a logout.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { exec } from '../../platform/exec.ts';
import { type Check, fail, ok, warn } from './check.ts';

// Sockets, recordings and watches of sixty runs, many times over.
const files = { least: 256, comfortable: 4096 };
// An agent with its tools and test runners is easily thirty processes.
const processes = { least: 128, comfortable: 2048 };
const watches = { instances: 128, watches: 16_384 };

export interface LimitFacts {
  /** /proc/self/limits. */
  readonly limits: string | null;
  readonly watches: string | null;
  readonly instances: string | null;
  /** pids.max of the control group we are in. */
  readonly groupProcesses: string | null;
}

export async function limitFacts(): Promise<LimitFacts> {
  const group = /^0::(.*)$/m.exec((await text('/proc/self/cgroup')) ?? '')?.[1] ?? '/';
  const [limits, watchesMax, instances, groupProcesses] = await Promise.all([
    text('/proc/self/limits'),
    text('/proc/sys/fs/inotify/max_user_watches'),
    text('/proc/sys/fs/inotify/max_user_instances'),
    text(`/sys/fs/cgroup${group}/pids.max`),
  ]);
  return { limits, watches: watchesMax, instances, groupProcesses };
}

export function checkLimits(facts: LimitFacts): Check[] {
  if (facts.limits === null) return [warn('limits', 'unknown: there is no /proc here', 'run Gatehouse on Linux')];
  const open = soft(facts.limits, 'Max open files');
  const own = soft(facts.limits, 'Max processes');
  const grouped = number(facts.groupProcesses);
  const count = Math.min(own, grouped);
  const where = grouped < own ? ' (pids.max of the control group)' : '';
  const watched = number(facts.watches);
  const instances = number(facts.instances);
  return [
    judge('open files', open, files, 'raise it: ulimit -n 65536, or nofile in /etc/security/limits.conf'),
    judge(
      'processes',
      count,
      processes,
      'raise it: ulimit -u 8192, nproc in limits.conf, or TasksMax of the systemd slice',
      where,
    ),
    watched < watches.watches || instances < watches.instances
      ? warn(
          'file watches',
          `${show(watched)} watches, ${show(instances)} instances`,
          'as root: sysctl fs.inotify.max_user_watches=262144 fs.inotify.max_user_instances=512',
        )
      : ok('file watches', `${show(watched)} watches, ${show(instances)} instances`),
  ];
}

function judge(
  name: string,
  value: number,
  limit: { least: number; comfortable: number },
  todo: string,
  where = '',
): Check {
  const says = `${show(value)} at most${where}`;
  if (value < limit.least) return fail(name, says, todo);
  return value < limit.comfortable ? warn(name, `${says}: too few for dozens of runs`, todo) : ok(name, says);
}

function soft(limits: string, name: string): number {
  return number(new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(limits)?.[1] ?? null);
}

/** What is not there or says `max` limits nothing. */
function number(value: string | null): number {
  const digits = /^\d+/.exec(value?.trim() ?? '')?.[0];
  return digits === undefined ? Number.POSITIVE_INFINITY : Number(digits);
}

function show(value: number): string {
  return Number.isFinite(value) ? String(value) : 'unlimited';
}

export interface LogoutFacts {
  /** Does systemd run this machine. */
  readonly systemd: boolean;
  readonly linger: boolean | null;
  readonly killsUserProcesses: boolean | null;
  readonly user: string;
  /** Where the sockets are. */
  readonly socketDir: string;
}

export async function logoutFacts(socketDir: string): Promise<LogoutFacts> {
  const user = userInfo().username;
  const systemd = existsSync('/run/systemd/system');
  if (!systemd) return { systemd, linger: null, killsUserProcesses: null, user, socketDir };
  const ask = { timeoutMs: 5_000, maxBytes: 65_536 };
  const [linger, kills] = await Promise.all([
    exec('loginctl', ['show-user', user, '--property=Linger'], ask),
    exec(
      'busctl',
      [
        'get-property',
        'org.freedesktop.login1',
        '/org/freedesktop/login1',
        'org.freedesktop.login1.Manager',
        'KillUserProcesses',
      ],
      ask,
    ),
  ]);
  return {
    systemd,
    linger: yesNo(/Linger=(yes|no)/.exec(linger.stdout)?.[1]),
    killsUserProcesses: yesNo(/b (true|false)/.exec(kills.stdout)?.[1]),
    user,
    socketDir,
  };
}

export function checkLogout(facts: LogoutFacts): Check {
  const { systemd, linger, killsUserProcesses, user, socketDir } = facts;
  const todo = `loginctl enable-linger ${user}`;
  if (!systemd) return ok('logout', 'no systemd: nothing ends runs when you log out');
  if (linger === true) return ok('logout', 'lingering is on: runs outlive a logout');
  if (killsUserProcesses === true)
    return warn('logout', 'all runs end when you log out (KillUserProcesses=yes, no lingering)', todo);
  if (socketDir.startsWith('/run/user/'))
    return warn('logout', `${socketDir} is removed with your last logout, so runs cannot be reached afterwards`, todo);
  return linger === null && killsUserProcesses === null
    ? warn('logout', 'unknown: logind does not answer', `to be sure that runs outlive a logout: ${todo}`)
    : ok('logout', 'runs outlive a logout (KillUserProcesses=no)');
}

function yesNo(value: string | undefined): boolean | null {
  return value === undefined ? null : value === 'yes' || value === 'true';
}

async function text(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // Not Linux, or not this kernel.
    return null;
  }
}
