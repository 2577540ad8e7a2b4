// CPU time of a process and everything below it. Evidence of work for programs that report nothing themselves.
import { readFileSync } from 'node:fs';

/** Clock ticks used so far by `pid` and its descendants that still live; 0 when it is gone. */
export function treeCpuTicks(pid: number): number {
  let ticks = 0;
  const queue = [pid];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    try {
      const stat = readFileSync(`/proc/${next}/stat`, 'utf8');
      // Counted after the name, which may hold spaces and parentheses: utime and stime are fields 14 and 15.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      ticks += Number(fields[11]) + Number(fields[12]);
      const children = readFileSync(`/proc/${next}/task/${next}/children`, 'utf8').trim();
      if (children !== '') queue.push(...children.split(' ').map(Number));
    } catch {
      // It ended while we looked.
    }
  }
  return ticks;
}
