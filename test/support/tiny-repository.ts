// A bare origin and a clone of a very small product, made in a moment. No network, no identity of the machine's.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TinyRepository {
  readonly dir: string;
  /** Bare; empty string when made without a remote. */
  readonly origin: string;
  readonly clone: string;
  git(...args: string[]): string;
  gitIn(folder: string, ...args: string[]): string;
  write(path: string, text: string): void;
  /** Commits files on a branch of the origin, as another developer would. */
  pushAs(branch: string, files: Readonly<Record<string, string>>, message?: string): string;
  remove(): void;
}

export interface TinyOptions {
  readonly remote?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  readonly policy?: Readonly<Record<string, unknown>> | null;
}

export const tinyFiles: Readonly<Record<string, string>> = {
  'src/add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'src/index.js': "export { add } from './add.js';\n",
  'test/add.test.js': "import { add } from '../src/add.js';\nif (add(0, 0) !== 0) process.exit(1);\n",
  '.gitignore': 'node_modules/\nout/\n',
  'README.md': '# Tiny\n',
};

const policy = {
  testCommand: 'node test/add.test.js',
  branches: { urgent: 'main', high: 'staging', integration: 'develop' },
  developmentBranch: 'develop',
};

export function tinyRepository(options: TinyOptions = {}): TinyRepository {
  const dir = mkdtempSync(join(tmpdir(), 'gh-tiny-'));
  const clone = join(dir, 'clone');
  const origin = options.remote === false ? '' : join(dir, 'origin.git');
  const gitIn = (folder: string, ...args: string[]) => run(folder, args);
  const git = (...args: string[]) => run(clone, args);
  const write = (path: string, text: string) => writeIn(clone, path, text);

  mkdirSync(clone);
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Olga Operator');
  git('config', 'user.email', 'olga@example.org');
  for (const [path, text] of Object.entries(options.files ?? tinyFiles)) write(path, text);
  if (options.policy !== null) write('gatehouse.json', JSON.stringify(options.policy ?? policy));
  git('add', '--all');
  git('commit', '--quiet', '-m', 'First');
  git('branch', 'staging');
  git('branch', 'develop');
  if (origin !== '') {
    gitIn(dir, 'clone', '--quiet', '--bare', clone, origin);
    git('remote', 'add', 'origin', origin);
    git('fetch', '--quiet');
  }
  return {
    dir,
    origin,
    clone,
    git,
    gitIn,
    write,
    pushAs: (branch, files, message = 'Work of somebody else') => {
      const other = mkdtempSync(join(dir, 'other-'));
      gitIn(dir, 'clone', '--quiet', '--branch', branch, origin === '' ? clone : origin, other);
      for (const [path, text] of Object.entries(files)) writeIn(other, path, text);
      gitIn(other, 'add', '--all');
      gitIn(other, '-c', 'user.name=Dev', '-c', 'user.email=dev@example.org', 'commit', '--quiet', '-m', message);
      gitIn(other, 'push', '--quiet', 'origin', branch);
      return gitIn(other, 'rev-parse', 'HEAD');
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

export function writeIn(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function run(cwd: string, args: string[]): string {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  return execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}
