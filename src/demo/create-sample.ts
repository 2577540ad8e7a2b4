// Makes the sample product that the demo works on: a bare origin with a history of its own, a clone, and task files.
// The same commits come out every time: identities and dates are fixed, and no git configuration of the user is read.
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { historyStream } from './history-stream.ts';

const taskDir = fileURLToPath(new URL('tasks', import.meta.url));
const branches = ['main', 'staging', 'develop'] as const;

export interface Sample {
  /** The bare repository that the clone pushes to. */
  readonly origin: string;
  /** The operator's clone, on `main`, with local branches for all three. */
  readonly clone: string;
  /** Task files, most urgent first. */
  readonly tasks: readonly string[];
}

export async function createSample(dir: string): Promise<Sample> {
  const origin = join(dir, 'origin.git');
  const clone = join(dir, 'tidybuild');
  await mkdir(dir, { recursive: true });
  await git(dir, ['init', '--quiet', '--bare', '--template=', '-b', 'main', origin]);
  // A hook that a user's template directory brings along must not decide about the sample.
  await git(origin, ['config', 'core.hooksPath', '/dev/null']);
  await git(origin, ['fast-import', '--quiet'], await historyStream());

  await git(dir, ['clone', '--quiet', '--template=', '-b', 'main', origin, clone]);
  await git(clone, ['config', 'user.name', 'Sample Operator']);
  await git(clone, ['config', 'user.email', 'operator@tidybuild.example']);
  for (const branch of branches) {
    if (branch !== 'main') await git(clone, ['branch', '--quiet', '--track', branch, `origin/${branch}`]);
  }
  return { origin, clone, tasks: await writeTasks(join(dir, 'tasks')) };
}

async function writeTasks(target: string): Promise<string[]> {
  await cp(taskDir, target, { recursive: true });
  const names = (await readdir(target)).filter((name) => name.endsWith('.md'));
  return names.toSorted().map((name) => join(target, name));
}

function git(cwd: string, args: readonly string[], input?: Buffer): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    LC_ALL: 'C',
  };
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd, env, stdio: ['pipe', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`git ${args[0]} failed: ${errors.trim()}`)),
    );
    // git may end before it has read everything; its exit code then says why.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}
