// Child processes that are run to their end. The only user of execa.
import { execa } from 'execa';

export interface ExecResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

export interface ExecOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly timeoutMs?: number;
  /** Longest output kept, in bytes; what is over it is cut. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Runs a program to its end; a failure is a value, only a program that cannot be started at all has exitCode null and a message in stderr. */
export async function exec(file: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  const result = await execa(file, [...args], {
    reject: false,
    stripFinalNewline: false,
    extendEnv: options.env === undefined,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
    ...(options.maxBytes === undefined ? {} : { maxBuffer: options.maxBytes }),
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
  });
  return {
    exitCode: result.exitCode ?? null,
    signal: result.signal ?? null,
    timedOut: result.timedOut,
    stdout: result.stdout ?? '',
    stderr:
      result.stderr ||
      (result.exitCode === undefined && result.failed ? (result.shortMessage ?? '') : (result.stderr ?? '')),
    durationMs: result.durationMs,
  };
}
