// node-pty forks first and lets the child fail: a program that is not there would look like a session that ended with 1.
// So what can be known before is checked before.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { ErrorBody } from '../core/error.ts';
import { isExecutable } from '../platform/executable.ts';
import type { SpawnParams } from '../protocol/holder.ts';

/** @returns the path of the program, or why it cannot be started. */
export function checkLaunch(params: SpawnParams): { readonly path: string } | { readonly error: ErrorBody } {
  const [program] = params.argv;
  if (program === undefined || program === '') return failed('no program is named');
  if (!isDirectory(params.cwd)) return failed(`the working directory ${params.cwd} is not there`);
  const path = findProgram(program, params);
  if (path === null) return failed(`${program} is not an executable program${program.includes('/') ? '' : ' on PATH'}`);
  const interpreter = readInterpreter(path);
  if (interpreter !== null && !isExecutable(interpreter)) {
    return failed(`${path} wants the interpreter ${interpreter}, which is not there`);
  }
  return { path };
}

export function failed(message: string): { readonly error: ErrorBody } {
  const hint = 'check the runtime in config.json; `gatehouse doctor` lists what is installed';
  return { error: { code: 'runtime.launch-failed', message, hint } };
}

function findProgram(program: string, { cwd, env }: SpawnParams): string | null {
  if (program.includes('/')) {
    const path = isAbsolute(program) ? program : resolve(cwd, program);
    return isExecutable(path) ? path : null;
  }
  for (const folder of (env.PATH ?? '/usr/local/bin:/usr/bin:/bin').split(':')) {
    const path = resolve(cwd, folder, program);
    if (isExecutable(path)) return path;
  }
  return null;
}

function readInterpreter(path: string): string | null {
  const head = Buffer.alloc(256);
  try {
    const fd = openSync(path, 'r');
    const size = readSync(fd, head, 0, head.length, 0);
    closeSync(fd);
    return /^#!\s*(\S+)/.exec(head.toString('latin1', 0, size))?.[1] ?? null;
  } catch {
    // Executable but not readable: nothing more can be known.
    return null;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
