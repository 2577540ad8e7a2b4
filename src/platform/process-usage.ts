// What a process and everything below it use, as the kernel counts it now.
import { readProc, readTree } from './process-stat.ts';

export interface Usage {
  /** Resident memory without what is shared with files: the sum counts nothing twice that is worth counting. */
  readonly bytes: number;
  readonly threads: number;
}

const pageBytes = 4096;

export function treeUsage(pid: number): Usage {
  const tree = readTree(pid);
  const bytes = tree.map((each) => {
    const [, resident = '0', shared = '0'] = readProc(`/proc/${each.pid}/statm`).split(' ');
    return (Number(resident) - Number(shared)) * pageBytes;
  });
  return { bytes: sum(bytes), threads: sum(tree.map((each) => each.threads)) };
}

/** CPU time in clock ticks; 0 when it is gone. Evidence of work for programs that report nothing themselves. */
export function treeCpuTicks(pid: number): number {
  return sum(readTree(pid).map((each) => each.cpuTicks));
}

/** How often the kernel has ended a process for want of memory since it booted; null where it does not say. */
export function memoryKills(): number | null {
  const count = /^oom_kill (\d+)$/m.exec(readProc('/proc/vmstat'))?.[1];
  return count === undefined ? null : Number(count);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
