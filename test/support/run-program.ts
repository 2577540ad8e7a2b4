import { spawn } from 'node:child_process';
import { builtPrograms } from './paths.ts';

export interface ProgramResult {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProgramOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Standard input; empty when not given. */
  readonly input?: string;
}

/** Runs a built program without a terminal and gives what it printed. Never throws for an exit code. */
export function runBuilt(
  program: keyof typeof builtPrograms,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  return runProgram(process.execPath, [builtPrograms[program], ...args], options);
}

export async function runProgram(
  command: string,
  args: readonly string[],
  { env, cwd, input = '' }: ProgramOptions,
): Promise<ProgramResult> {
  const child = spawn(command, args, { env: { ...env }, cwd, stdio: 'pipe' });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A program that ends without reading its input is no fault of the test.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    // 'close', not 'exit': the pipes may still hold output. A background process must not inherit them.
    child.on('close', (code, signal) => {
      resolve({ code, signal, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
    });
  });
}
