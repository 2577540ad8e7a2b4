// A process is its pid and its start time; a pid alone may be somebody else by now, and a name proves nothing.
import type { ProcessIdentity } from '../core/process-identity.ts';
import { readStat } from './process-stat.ts';

/** One that has gone already has no start time, and is never taken for another. */
export function identify(pid: number): ProcessIdentity {
  return { pid, startTime: readStat(pid)?.startTime ?? '0' };
}

export function isSameProcess(known: ProcessIdentity): boolean {
  const present = readStat(known.pid);
  return present !== null && present.startTime === known.startTime;
}
