// Finds processes by what stands in their environment. Detached ones (holders, hosts) are nobody's children any more,
// but they keep the environment they were started with.
import { readdirSync, readFileSync } from 'node:fs';
import { waitFor } from './wait-for.ts';

export interface LiveProcess {
  readonly pid: number;
  readonly command: string;
}

/** Live processes (no zombies) with `NAME=value` in their first environment; this one is left out. */
export function processesWithEnv(name: string, value: string): LiveProcess[] {
  const wanted = `${name}=${value}`;
  return livePids()
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(wanted))
    .map(describeProcess);
}

/** Live children of this process. */
export function childProcesses(): LiveProcess[] {
  return childrenOf(process.pid);
}

export function childrenOf(parent: number): LiveProcess[] {
  return livePids()
    .filter((pid) => read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1] === String(parent))
    .map(describeProcess);
}

/** True until the process is gone or a zombie. */
export function isAlive(pid: number): boolean {
  const stat = read(`/proc/${pid}/stat`);
  return stat !== '' && !stat.split(') ').at(-1)?.startsWith('Z');
}

/** SIGKILL for exactly the processes that `find` gives, until it gives none: a dying host may start one more. */
export async function killAll(find: () => LiveProcess[]): Promise<void> {
  await waitFor(
    () => {
      const found = find();
      for (const { pid } of found) kill(pid);
      return found.length === 0;
    },
    {
      what: () =>
        `the end of ${find()
          .map(({ command }) => command)
          .join(', ')}`,
    },
  );
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}

function livePids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid && isAlive(pid));
}

function describeProcess(pid: number): LiveProcess {
  return { pid, command: `${pid} ${read(`/proc/${pid}/cmdline`).split('\0').join(' ').trim()}` };
}

/** Empty when the process is gone or not ours to read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
