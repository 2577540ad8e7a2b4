// A process is its pid and its start time; a pid alone may be somebody else by now, and a name proves nothing.
import { readFileSync } from 'node:fs';

export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks since boot, field 22 of /proc/PID/stat. */
  readonly startTicks: string;
}

export function identify(pid: number): ProcessIdentity | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces and parentheses; fields are counted after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    return startTicks === undefined || state === 'Z' || state === 'X' ? null : { pid, startTicks };
  } catch {
    return null;
  }
}

export function isSameProcess(known: ProcessIdentity): boolean {
  return identify(known.pid)?.startTicks === known.startTicks;
}
