// Finds what a session has started, through /proc. Never by name: by kernel session, by ancestry, and by a marker in the
// environment, which a process keeps through setsid and double fork. What clears its environment as well cannot be found.
import { readdirSync } from 'node:fs';
import type { LeftProcess, ProcessIdentity } from '../protocol/holder.ts';
import { readText } from './proc-file.ts';

export const markerVariable = 'GATEHOUSE_SESSION_ID';

/** What belongs to us: leaders of sessions that live, and a prefix of the marker. */
export interface Ownership {
  readonly leaders: readonly number[];
  readonly markerPrefix: string;
}

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  readonly startTime: string;
}

/** Zombies are left out: they are dead and only wait for their parent. */
export function findOwned(own: Ownership): LeftProcess[] {
  const all = new Map<number, ProcessStat>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : null;
    if (stat !== null) all.set(stat.pid, stat);
  }
  const owned: LeftProcess[] = [];
  for (const stat of all.values()) {
    if (stat.pid === process.pid) continue;
    if (own.leaders.includes(stat.session) || descendsFrom(stat, own.leaders, all) || isMarked(stat.pid, own)) {
      owned.push({ pid: stat.pid, startTime: stat.startTime, command: readCommand(stat.pid) });
    }
  }
  return owned;
}

export function identify(pid: number): ProcessIdentity {
  return { pid, startTime: readStat(pid)?.startTime ?? '0' };
}

function readStat(pid: number): ProcessStat | null {
  const text = readText(`/proc/${pid}/stat`);
  // The command in parentheses may hold anything, so fields are counted from its last closing one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, , session] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined || state === 'Z' || state === 'X') return null;
  return { pid, parent: Number(parent), session: Number(session), startTime };
}

function descendsFrom(stat: ProcessStat, ancestors: readonly number[], all: ReadonlyMap<number, ProcessStat>): boolean {
  let current: ProcessStat | undefined = stat;
  for (let depth = 0; current !== undefined && depth < 100; depth += 1) {
    if (ancestors.includes(current.pid)) return true;
    current = all.get(current.parent);
  }
  return false;
}

function isMarked(pid: number, own: Ownership): boolean {
  const environment = readText(`/proc/${pid}/environ`);
  const wanted = `${markerVariable}=${own.markerPrefix}`;
  return environment.startsWith(wanted) || environment.includes(`\0${wanted}`);
}

function readCommand(pid: number): string {
  const words = readText(`/proc/${pid}/cmdline`).split('\0').join(' ').trim();
  return words.slice(0, 200);
}
