// What a live process has used, as the kernel counts it.
import { readdirSync, readFileSync } from 'node:fs';

/** User and system time of all its threads; 100 ticks a second everywhere that matters. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export function residentMegabytes(pid: number): number {
  return megabytes(`/proc/${pid}/smaps_rollup`, /^Rss: +(\d+) kB$/gm);
}

/** What would be free if it ended: nothing of it is shared with other processes. */
export function privateMegabytes(pid: number): number {
  return megabytes(`/proc/${pid}/smaps_rollup`, /^Private_(?:Clean|Dirty): +(\d+) kB$/gm);
}

export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

function megabytes(file: string, line: RegExp): number {
  const kilobytes = [...readFileSync(file, 'utf8').matchAll(line)].map((match) => Number(match[1]));
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}
