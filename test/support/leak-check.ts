// After each test file: no live process, PTY, socket, timer or file handle of ours is left. Runs in every worker.
import { randomUUID } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { afterAll } from 'vitest';
import { childProcesses, killAll, processesWithEnv } from './processes.ts';
import { patienceMs, waitFor } from './wait-for.ts';

/** Every process that a test starts inherits this mark, unless the test gives it an environment without it. */
const markName = 'GATEHOUSE_TEST_FILE';
const mark = randomUUID();
process.env[markName] = mark;

/** Closing takes a moment: a socket that was told to end, a child that was told to stop. */
const graceMs = 10_000;

// Made by Node at the first look, by whichever library looks first; not anybody's leak.
void [process.stdin, process.stdout, process.stderr];

const descriptorsBefore = new Set(openDescriptors());
const resourcesBefore = countResources();

afterAll(async () => {
  try {
    await waitFor(() => leaks().length === 0, { what: 'everything to be closed', timeoutMs: graceMs });
  } catch {
    const left = leaks();
    await killAll(() => processesWithEnv(markName, mark));
    throw new Error(`this file leaves behind:\n  ${left.join('\n  ')}`);
  }
}, 2 * patienceMs);

function leaks(): string[] {
  const processes = new Map(
    [...childProcesses(), ...processesWithEnv(markName, mark)].map(({ pid, command }) => [pid, `process ${command}`]),
  );
  const descriptors = openDescriptors().filter((descriptor) => !descriptorsBefore.has(descriptor));
  const resources = [...countResources()]
    .map(([name, count]) => ({ name, extra: count - (resourcesBefore.get(name) ?? 0) }))
    .filter(({ extra }) => extra > 0)
    .map(({ name, extra }) => `${extra} x ${name}`);
  return [...processes.values(), ...descriptors, ...resources];
}

/** PTYs, sockets and files. Left out: pipes and what the test runner opens by itself (modules, event loop). */
function openDescriptors(): string[] {
  return readdirSync('/proc/self/fd')
    .map(readDescriptor)
    .filter(
      (target) => target.startsWith('socket:') || target.startsWith('/dev/p') || /^\/(tmp|run|var)(\/|$)/.test(target),
    );
}

function readDescriptor(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

/** Handles that keep a process alive. Timers are counted here too; the runner's own were there before. */
function countResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) {
    if (/^(Timeout|Immediate|FSEventWrap|StatWatcher|.*(TCP|Pipe|TTY|Process).*)$/.test(name)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}
