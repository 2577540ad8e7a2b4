// What the kernel says about processes in /proc (proc_pid_stat(5)). Light, because every holder carries it.
import { readFileSync } from 'node:fs';
import type { ProcessIdentity } from '../core/process-identity.ts';

export interface ProcessStat extends ProcessIdentity {
  readonly parent: number;
  /** The kernel's session, led by the process with this pid. */
  readonly session: number;
  /** CPU time used so far, in clock ticks. */
  readonly cpuTicks: number;
  readonly threads: number;
}

/** Null when it is gone, or dead and only waits for its parent. */
export function readStat(pid: number): ProcessStat | null {
  const text = readProc(`/proc/${pid}/stat`);
  // The name in parentheses may hold spaces and parentheses; fields are counted after the last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, parent, , session] = fields;
  const startTime = fields[19];
  if (startTime === undefined || state === 'Z' || state === 'X') return null;
  return {
    pid,
    startTime,
    parent: Number(parent),
    session: Number(session),
    cpuTicks: Number(fields[11]) + Number(fields[12]),
    threads: Number(fields[17]),
  };
}

/** A process and everything below it that lives. */
export function readTree(pid: number): ProcessStat[] {
  const found: ProcessStat[] = [];
  const queue = [pid];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const stat = readStat(next);
    if (stat === null) continue;
    found.push(stat);
    const children = readProc(`/proc/${next}/task/${next}/children`).trim();
    if (children !== '') queue.push(...children.split(' ').map(Number));
  }
  return found;
}

/** A file of /proc; empty when the process has gone meanwhile or belongs to somebody else. */
export function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
