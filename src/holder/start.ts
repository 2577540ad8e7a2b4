// How a host starts a holder: detached, in a session of its own, with the flags that keep it small.
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { GatehouseError } from '../core/error.ts';
import type { ProcessIdentity } from '../core/process-identity.ts';
import type { HolderSpec } from '../protocol/holder.ts';

const mainFile = fileURLToPath(new URL('../../dist/holder.cjs', import.meta.url));

/**
 * A young generation of 1 MB is enough for relaying bytes; more would only stay resident. See memory.ts for the other.
 * Helper threads for so small a heap cost more memory (2 MB while busy) and time than they save.
 */
const v8Flags = ['--max-semi-space-size=1', '--single-threaded', '--expose-gc'];

/** One thread, one arena, and freed memory goes back to the system soon. */
const smallMemory = {
  UV_THREADPOOL_SIZE: '1',
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_TOP_PAD_: '0',
};

const pollMs = 10;
const startLimitMs = 10_000;
const logTailChars = 2_000;

export function holderArgv(specFile: string): string[] {
  return [process.execPath, ...v8Flags, mainFile, specFile];
}

/** Nothing else of our environment goes into a holder. */
export function holderEnv(): Record<string, string> {
  return { ...smallMemory, ...pick(['PATH', 'HOME', 'LANG', 'TZ']) };
}

/**
 * Writes the spec into the run's folder and returns once the holder listens.
 * @throws GatehouseError `internal` (its details are the end of the holder's log) when it does not come up.
 */
export async function startHolder(spec: HolderSpec): Promise<ProcessIdentity> {
  const specFile = join(spec.runDir, 'holder-spec.json');
  const logFile = join(spec.runDir, 'holder.log');
  writeFileSync(specFile, JSON.stringify(spec), { mode: 0o600 });
  const log = openSync(logFile, 'a', 0o600);
  const [program = '', ...args] = holderArgv(specFile);
  const child = spawn(program, args, { detached: true, stdio: ['ignore', log, log], cwd: '/', env: holderEnv() });
  closeSync(log);
  const fate: { ended: string | null } = { ended: null };
  child.on('error', (error) => (fate.ended = error.message));
  child.on('exit', (code, signal) => (fate.ended = `it ended with ${signal ?? code}`));
  child.unref();
  for (const deadline = Date.now() + startLimitMs; Date.now() < deadline; await delay(pollMs)) {
    if (fate.ended !== null) {
      const details = readFileSync(logFile, 'utf8').slice(-logTailChars);
      throw new GatehouseError('internal', `the holder did not start: ${fate.ended}`, `see ${logFile}`, { details });
    }
    const identity = readIdentity(spec.runDir);
    if (identity?.pid === child.pid && identity !== null) return identity;
  }
  throw new GatehouseError('internal', 'the holder does not come up', `see ${logFile}`);
}

/** Who holds this run, or held it when it was killed; null when nobody does. A holder that ends in order leaves none. */
export function readIdentity(runDir: string): ProcessIdentity | null {
  try {
    const { pid, startTime } = JSON.parse(readFileSync(join(runDir, 'holder.json'), 'utf8')) as ProcessIdentity;
    return { pid, startTime };
  } catch {
    // Not there, or being written.
    return null;
  }
}

function pick(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
