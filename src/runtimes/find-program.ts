// Finds an agent program and asks its version. The one thing here that starts it.
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { RuntimeConfig } from '../core/config.ts';
import { exec } from '../platform/exec.ts';
import { isExecutable } from '../platform/executable.ts';
import type { ProbeResult } from './adapter.ts';

export interface ProgramFacts {
  readonly name: string;
  readonly program: string;
  /** How to get it; shown as the hint. */
  readonly install: string;
  /** The version that our recorded material comes from. */
  readonly proved: string;
  /** Older ones are refused: something we need is not there yet. */
  readonly minimum: string;
}

// opencode takes 3-4 s for `--version` on an idle machine, and many times that on a busy one.
const versionTimeoutMs = 60_000;

export async function probeProgram(
  facts: ProgramFacts,
  config: RuntimeConfig,
  env: NodeJS.ProcessEnv,
): Promise<ProbeResult> {
  const wanted = config.program ?? facts.program;
  const program = findProgram(wanted, env);
  if (program === null) return missing(`${facts.name}: ${wanted} is not on PATH`, facts.install);
  const asked = await exec(program, ['--version'], {
    env: { ...env, ...config.env },
    timeoutMs: versionTimeoutMs,
    maxBytes: 65_536,
  });
  const version = /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(`${asked.stdout}\n${asked.stderr}`)?.[0];
  if (version === undefined)
    return missing(
      `${facts.name}: ${program} --version did not answer with a version (exit code ${asked.exitCode ?? '?'})`,
      facts.install,
    );
  if (compareVersions(version, facts.minimum) < 0)
    return missing(`${facts.name}: ${program} is ${version}; ${facts.minimum} or newer is needed`, facts.install);
  return version === facts.proved
    ? { ok: true, program, version }
    : {
        ok: true,
        program,
        version,
        warning: `${facts.name} ${version}: tried with ${facts.proved}, its dialogs may look different`,
      };
}

/** Absolute path of an executable file; a name is looked up on PATH. */
export function findProgram(wanted: string, env: NodeJS.ProcessEnv): string | null {
  if (isAbsolute(wanted) || wanted.includes('/')) return isExecutable(wanted) ? resolve(wanted) : null;
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, wanted)).find(isExecutable) ?? null;
}

function missing(message: string, hint: string): ProbeResult {
  return { ok: false, code: 'runtime.missing', message, hint };
}

/** By numbers, as far as both have them; a pre-release counts as its release. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('-')[0]?.split('.').map(Number) ?? []);
  for (let index = 0; index < 3; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
