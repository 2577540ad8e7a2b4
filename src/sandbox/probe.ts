// Can a session be put into a sandbox here? Asked by making one, because versions and settings lie.
import { access, constants, readFile } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { exec } from '../platform/exec.ts';
import { isolation } from './isolation.ts';

export interface Bubblewrap {
  readonly program: string;
  readonly version: string;
  /** `--size`, since 0.7. Without it private folders may grow to half of the memory. */
  readonly limitsSize: boolean;
}

export type SandboxProbe =
  | ({ readonly kind: 'bwrap' } & Bubblewrap)
  | { readonly kind: 'none'; readonly reason: string; readonly hint: string };

export interface ProbeOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Where settings of the kernel are read from; tests show another one. */
  readonly procSys?: string;
}

// Options that every plan uses; 0.5 is the first with --perms.
const trial = [
  ...isolation,
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  '--perms',
  '1777',
  '--tmpfs',
  '/tmp',
  '--remount-ro',
  '/tmp',
  '--',
  '/bin/sh',
  '-c',
  'exit 42',
];

const installHint = 'Install it: apt install bubblewrap (Debian, Ubuntu), dnf install bubblewrap (Fedora).';

export async function probeSandbox({
  env = process.env,
  procSys = '/proc/sys',
}: ProbeOptions = {}): Promise<SandboxProbe> {
  if (process.platform !== 'linux') {
    return { kind: 'none', reason: 'sandboxes are made with Linux namespaces', hint: 'Run Gatehouse on Linux.' };
  }
  const program = await findProgram('bwrap', env);
  if (program === null) return { kind: 'none', reason: 'bwrap is not installed', hint: installHint };
  const asked = await exec(program, ['--version'], { timeoutMs: 10_000 });
  const version = /(\d+\.\d+(?:\.\d+)?)/.exec(asked.stdout)?.[1];
  if (asked.exitCode !== 0 || version === undefined) {
    return { kind: 'none', reason: `${program} does not start: ${firstLine(asked.stderr)}`, hint: installHint };
  }
  const tried = await exec(program, trial, { timeoutMs: 10_000 });
  if (tried.exitCode === 42) return { kind: 'bwrap', program, version, limitsSize: isAtLeast(version, [0, 7]) };
  return { kind: 'none', ...(await explain(program, version, tried.stderr, procSys)) };
}

async function explain(
  program: string,
  version: string,
  stderr: string,
  procSys: string,
): Promise<{ reason: string; hint: string }> {
  const said = firstLine(stderr);
  if (/unknown option/i.test(said)) {
    return { reason: `bwrap ${version} is too old (${said})`, hint: 'Install bubblewrap 0.5 or newer.' };
  }
  if ((await setting(procSys, 'kernel/unprivileged_userns_clone')) === '0') {
    return {
      reason: 'the kernel forbids user namespaces (kernel.unprivileged_userns_clone = 0)',
      hint: 'As root: sysctl -w kernel.unprivileged_userns_clone=1, and put it into /etc/sysctl.d to keep it.',
    };
  }
  if ((await setting(procSys, 'user/max_user_namespaces')) === '0') {
    return {
      reason: 'the kernel forbids user namespaces (user.max_user_namespaces = 0)',
      hint: 'As root: sysctl -w user.max_user_namespaces=15000, and put it into /etc/sysctl.d to keep it.',
    };
  }
  if ((await setting(procSys, 'kernel/apparmor_restrict_unprivileged_userns')) === '1') {
    return {
      reason: `AppArmor forbids user namespaces to ${program} (kernel.apparmor_restrict_unprivileged_userns = 1)`,
      hint: 'Give bwrap an AppArmor profile with "userns," (Ubuntu: apt install apparmor-profiles), or set the sysctl to 0.',
    };
  }
  if (/proc/.test(said)) {
    return {
      reason: `inside this container a private /proc cannot be mounted (${said})`,
      hint: 'Start the container with an unmasked /proc (docker: --security-opt systempaths=unconfined).',
    };
  }
  return {
    reason: `bwrap ${version} cannot make a namespace here (${said})`,
    hint: 'In a container allow user namespaces (docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined).',
  };
}

async function setting(procSys: string, name: string): Promise<string | null> {
  try {
    return (await readFile(join(procSys, name), 'utf8')).trim();
  } catch {
    // Kernels without this switch have no such file.
    return null;
  }
}

async function findProgram(name: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  for (const folder of (env['PATH'] ?? '/usr/bin:/bin').split(delimiter).filter(isAbsolute)) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      return path;
    } catch {
      // The next folder may have it.
    }
  }
  return null;
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ours = 0, oursMinor = 0] = version.split('.').map(Number);
  return ours > major || (ours === major && oursMinor >= minor);
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
