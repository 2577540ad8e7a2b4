// Memory and threads of a process and everything below it, as the kernel counts them now.
import { readFileSync } from 'node:fs';

export interface Usage {
  /** Resident memory without what is shared with files: the sum counts nothing twice that is worth counting. */
  readonly bytes: number;
  readonly threads: number;
}

const pageBytes = 4096;

export function treeUsage(pid: number): Usage {
  let bytes = 0;
  let threads = 0;
  const queue = [pid];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    try {
      const [, resident = '0', shared = '0'] = readFileSync(`/proc/${next}/statm`, 'utf8').split(' ');
      const stat = readFileSync(`/proc/${next}/stat`, 'utf8');
      bytes += (Number(resident) - Number(shared)) * pageBytes;
      // Field 20; counted after the name, which may hold spaces and parentheses.
      threads += Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[17]);
      const children = readFileSync(`/proc/${next}/task/${next}/children`, 'utf8').trim();
      if (children !== '') queue.push(...children.split(' ').map(Number));
    } catch {
      // It ended while we looked.
    }
  }
  return { bytes, threads };
}

/** How often the kernel has ended a process for want of memory since it booted; null where it does not say. */
export function memoryKills(): number | null {
  try {
    const count = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'utf8'))?.[1];
    return count === undefined ? null : Number(count);
  } catch {
    return null;
  }
}
