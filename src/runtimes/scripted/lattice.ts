// Calls `lattice` as any agent does: as a program on PATH, its text read by eye.
import { spawn } from 'node:child_process';

export interface ProgramResult {
  /** Null when a signal ended it or it did not start. */
  readonly code: number | null;
  readonly output: string;
}

/** More than this of a program's output is not kept in mind. */
const keptBytes = 200_000;

/** Standard output and errors in one text. An abort ends the program. */
export function runProgram(argv: readonly string[], cwd: string, signal: AbortSignal): Promise<ProgramResult> {
  const [program = '', ...args] = argv;
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], signal });
    const chunks: Buffer[] = [];
    let size = 0;
    const keep = (chunk: Buffer): void => {
      if (size < keptBytes) chunks.push(chunk);
      size += chunk.length;
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ code: null, output: `${program}: ${error.message}\n` });
    });
    child.on('close', (code) => resolve({ code, output: Buffer.concat(chunks).toString('utf8') }));
  });
}

/** What the footer says: the shortest complete answer to "where do I stand". */
export interface Standing {
  readonly task: string;
  readonly stage: string;
  readonly reviews: number;
  readonly token: string | null;
}

export function readStanding(footer: string): Standing | null {
  const field = (name: string): string | undefined =>
    new RegExp(`^\\[lattice\\] ${name}: (.*)$`, 'm').exec(footer)?.[1];
  const task = field('task');
  const stage = field('stage')?.split(' ')[0];
  if (task === undefined || stage === undefined) return null;
  const token = field('token') ?? 'none';
  return { task, stage, reviews: Number.parseInt(field('reviews') ?? '0', 10), token: token === 'none' ? null : token };
}

/** The first evidence id in what `lattice evidence` printed. */
export function readEvidenceId(output: string): string | null {
  return /(?<!\w)E[1-9]\d*(?!\w)/.exec(output)?.[0] ?? null;
}
