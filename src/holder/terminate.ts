import { setTimeout as delay } from 'node:timers/promises';
import type { LeftProcess } from '../protocol/holder.ts';

const pollMs = 25;
/** What SIGKILL does not end within this time hangs in the kernel; it is reported, not waited for. */
const killRoundsMs = 2_000;

/** TERM, then KILL after the grace time; what is forked meanwhile is found in the next round. @returns what is left. */
export async function terminate(find: () => LeftProcess[], graceMs: number): Promise<LeftProcess[]> {
  const asked = new Set<string>();
  for (const deadline = Date.now() + graceMs; Date.now() < deadline; await delay(pollMs)) {
    const found = find();
    if (found.length === 0) return [];
    for (const { pid, startTime } of found) {
      const key = `${pid} ${startTime}`;
      if (asked.has(key)) continue;
      asked.add(key);
      send(pid, 'SIGTERM');
      // A stopped process takes no TERM.
      send(pid, 'SIGCONT');
    }
  }
  for (const deadline = Date.now() + killRoundsMs; ; await delay(pollMs)) {
    const found = find();
    if (found.length === 0 || Date.now() > deadline) return found;
    for (const { pid } of found) send(pid, 'SIGKILL');
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or not ours to signal; the next round tells.
  }
}
