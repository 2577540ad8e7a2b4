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
  /** In a process group of its own, all of which is killed when the time is over: what it has started cannot hold us up. */
  readonly endGroup?: boolean;
}

/** Runs a program to its end; a failure is a value, only a program that cannot be started at all has exitCode null and a message in stderr. */
export async function exec(file: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  const { endGroup = false } = options;
  const child = execa(file, [...args], {
    reject: false,
    stripFinalNewline: false,
    detached: endGroup,
    extendEnv: options.env === undefined,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.env === undefined ? {} : { env: options.env }),
    ...(options.input === undefined ? { stdin: 'ignore' as const } : { input: options.input }),
    ...(options.timeoutMs === undefined || endGroup ? {} : { timeout: options.timeoutMs }),
    ...(options.maxBytes === undefined ? {} : { maxBuffer: options.maxBytes }),
    ...(options.signal === undefined ? {} : { cancelSignal: options.signal }),
  });
  const limit = endGroup && options.timeoutMs !== undefined ? groupLimit(child.pid, options.timeoutMs) : null;
  const result = await child;
  limit?.clear();
  return {
    exitCode: result.exitCode ?? null,
    signal: result.signal ?? null,
    timedOut: result.timedOut || limit?.reached() === true,
    stdout: result.stdout ?? '',
    stderr:
      result.stderr ||
      (result.exitCode === undefined && result.failed ? (result.shortMessage ?? '') : (result.stderr ?? '')),
    durationMs: result.durationMs,
  };
}

function groupLimit(pid: number | undefined, timeoutMs: number): { clear: () => void; reached: () => boolean } {
  let reached = false;
  const timer = setTimeout(() => {
    reached = true;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }, timeoutMs);
  return { clear: () => clearTimeout(timer), reached: () => reached };
}

export interface StreamingResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly durationMs: number;
  /** Why the program could not be started at all. */
  readonly failure: string | null;
}

/** Like `exec`, with both outputs handed on as they come and not kept. What it leaves in its process group is ended. */
export async function execStreaming(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; timeoutMs: number; onOutput: (chunk: Buffer) => void },
): Promise<StreamingResult> {
  const child = execa(file, [...args], {
    reject: false,
    extendEnv: false,
    buffer: false,
    encoding: 'buffer',
    stdin: 'ignore',
    all: true,
    cwd: options.cwd,
    env: { ...options.env },
    timeout: options.timeoutMs,
    forceKillAfterDelay: 2_000,
  });
  child.all.on('data', (chunk: Buffer) => options.onOutput(chunk));
  const result = await child;
  const started = result.exitCode !== undefined || result.signal !== undefined;
  return {
    exitCode: result.exitCode ?? null,
    signal: result.signal ?? null,
    timedOut: result.timedOut,
    durationMs: result.durationMs,
    failure: started ? null : (result.shortMessage ?? 'it could not be started'),
  };
}
