// A real home, clone, worktree and run folders on disk, and sessions in them: the sandbox without the rest of the product.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../../src/core/config.ts';
import { homePaths, type HomePaths, type RunPaths } from '../../../src/platform/paths.ts';
import { sandboxArgv } from '../../../src/sandbox/argv.ts';
import { installRefusingHooks } from '../../../src/sandbox/git-hooks.ts';
import { planSandbox, type SandboxRequest } from '../../../src/sandbox/plan.ts';
import { prepareSandbox } from '../../../src/sandbox/prepare.ts';
import { type Bubblewrap, probeSandbox } from '../../../src/sandbox/probe.ts';
import type { SandboxPlan } from '../../../src/sandbox/sandbox-plan.ts';
import { sessionEnv } from '../../../src/sandbox/session-env.ts';
import { type ProgramResult, runProgram } from '../../support/run-program.ts';
import { type TemporaryHome, temporaryHome } from '../../support/temporary-home.ts';

export interface Site extends AsyncDisposable {
  readonly place: TemporaryHome;
  readonly userHome: string;
  readonly home: HomePaths;
  readonly run: RunPaths;
  readonly otherRun: RunPaths;
  readonly clone: string;
  readonly origin: string;
  plan(changes?: Partial<SandboxRequest>): Promise<SandboxPlan>;
  /** Runs a shell script in a session and gives what it printed. */
  session(script: string, changes?: Partial<SandboxRequest>): Promise<ProgramResult>;
  env(sandboxed: boolean, base?: Readonly<Record<string, string>>): Record<string, string>;
}

const noBinds: Config['binds'] = { readOnly: [], writable: [] };

export async function bubblewrap(): Promise<Bubblewrap> {
  const probe = await probeSandbox();
  if (probe.kind === 'none') throw new Error(`${probe.reason} ${probe.hint}`);
  return probe;
}

/** Has sockets' folders, but no sockets. */
export async function makeSite(): Promise<Site> {
  const place = temporaryHome();
  const userHome = place.env['HOME'] ?? '';
  const home = homePaths(place.gatehouseHome, place.env);
  const [run, otherRun] = [home.run('task-1'), home.run('task-2')];
  const origin = join(place.root, 'origin.git');
  const clone = join(userHome, 'code', 'product');
  for (const each of [run, otherRun]) makeRun(each);
  writeFileSync(join(home.home, 'config.json'), '{}');
  makeClone(origin, clone);
  git(clone, 'worktree', 'add', '-q', '-b', 'gatehouse/task-1', run.worktree);
  await installRefusingHooks(join(home.home, 'hooks'));

  const bwrap = await bubblewrap();
  const request: SandboxRequest = {
    bwrap,
    home,
    run,
    userHome,
    clone,
    writes: 'scratch',
    developmentApproved: false,
    frozen: [],
    programs: [dirname(process.execPath)],
    runtime: { writable: [], readOnly: [], stores: [], copied: [] },
    binds: noBinds,
  };
  const site: Site = {
    place,
    userHome,
    home,
    run,
    otherRun,
    clone,
    origin,
    plan: (changes) => planSandbox({ ...request, ...changes }),
    async session(script, changes) {
      const plan = await site.plan(changes);
      await prepareSandbox(plan);
      const [program = '', ...args] = sandboxArgv(plan, ['/bin/sh', '-c', script]);
      return runProgram(program, args, { env: site.env(true), cwd: run.worktree });
    },
    env: (sandboxed, base = place.env) =>
      sessionEnv(base, {
        runId: 'task-1',
        run,
        runtime: 'generic',
        latticeDir: join(place.root, 'bin'),
        sandboxed,
        hooksDir: join(home.home, 'hooks'),
      }),
    async [Symbol.asyncDispose]() {
      await place[Symbol.asyncDispose]();
      rmSync(home.socketDir, { recursive: true, force: true });
    },
  };
  return site;
}

function makeRun(run: RunPaths): void {
  for (const folder of [run.artifacts, run.evidence, run.runtime, run.runSocketDir, dirname(run.engineIndex)]) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  writeFileSync(run.state, '{"stage":"diagnose"}\n', { mode: 0o600 });
  writeFileSync(run.journal, '{}\n', { mode: 0o600 });
}

function makeClone(origin: string, clone: string): void {
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', origin]);
  mkdirSync(join(clone, 'src/deep'), { recursive: true });
  git(clone, 'init', '-q', '-b', 'main');
  writeFileSync(join(clone, 'README.md'), 'product\n');
  writeFileSync(join(clone, 'src/app.js'), 'export const answer = 41;\n');
  writeFileSync(join(clone, 'src/deep/more.js'), 'export {};\n');
  writeFileSync(join(clone, '.gitignore'), 'node_modules/\ndist/\n');
  execFileSync('ln', ['-s', 'README.md', join(clone, 'GUIDE.md')]);
  git(clone, 'add', '-A');
  git(clone, '-c', 'user.name=T', '-c', 'user.email=t@example.invalid', 'commit', '-q', '-m', 'Start');
  git(clone, 'remote', 'add', 'origin', `file://${origin}`);
  git(clone, 'push', '-q', 'origin', 'main');
  git(clone, 'remote', 'add', 'forge', 'https://operator:hunter2secret@forge.example/product.git');
  git(clone, 'config', 'http.https://forge.example/.extraheader', 'AUTHORIZATION: basic c2VjcmV0');
}

export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
