// Finds what a session has started, through /proc. Never by name: by kernel session, by ancestry, and by a marker in the
// environment, which a process keeps through setsid and double fork. What clears its environment as well cannot be found.
import { readdirSync } from 'node:fs';
import { type ProcessStat, readProc, readStat } from '../platform/process-stat.ts';
import type { LeftProcess } from '../protocol/holder.ts';

export const markerVariable = 'GATEHOUSE_SESSION_ID';

/** What belongs to us: leaders of sessions that live, and a prefix of the marker. */
export interface Ownership {
  readonly leaders: readonly number[];
  readonly markerPrefix: string;
}

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

function descendsFrom(stat: ProcessStat, ancestors: readonly number[], all: ReadonlyMap<number, ProcessStat>): boolean {
  let current: ProcessStat | undefined = stat;
  for (let depth = 0; current !== undefined && depth < 100; depth += 1) {
    if (ancestors.includes(current.pid)) return true;
    current = all.get(current.parent);
  }
  return false;
}

function isMarked(pid: number, own: Ownership): boolean {
  const environment = readProc(`/proc/${pid}/environ`);
  const wanted = `${markerVariable}=${own.markerPrefix}`;
  return environment.startsWith(wanted) || environment.includes(`\0${wanted}`);
}

function readCommand(pid: number): string {
  const words = readProc(`/proc/${pid}/cmdline`).split('\0').join(' ').trim();
  return words.slice(0, 200);
}
