// Who is at this terminal: the name git would use, the login, the tty. Recorded with every decision.
import { readlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { exec } from '../platform/exec.ts';
import type { Actor } from '../protocol/operator.ts';

export async function currentActor(): Promise<Actor> {
  const user = loginName();
  const git = await exec('git', ['config', '--get', 'user.name'], { timeoutMs: 5_000 });
  const name = git.exitCode === 0 ? git.stdout.trim() : '';
  return { name: name === '' ? user : name.slice(0, 200), user, tty: terminalName() };
}

function loginName(): string {
  try {
    return userInfo().username;
  } catch {
    // A uid without an entry in the password file.
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}

function terminalName(): string | null {
  if (!process.stdin.isTTY) return null;
  try {
    return readlinkSync('/proc/self/fd/0');
  } catch {
    return null;
  }
}
