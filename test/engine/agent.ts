// A run with everything real but the sandbox and the agent program: real git, real files, real commands. `agent` writes the
// artifacts that the skills ask for, so that a test changes only what it is about.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, defaultConfig } from '../../src/core/config.ts';
import type { Effect } from '../../src/core/event.ts';
import type { Operator, RunState } from '../../src/core/state.ts';
import type { Task } from '../../src/core/task.ts';
import type { AskMethod, AskParams } from '../../src/engine/api.ts';
import { loadEngineKey } from '../../src/engine/engine-key.ts';
import type { CommandRequest, CommandResult, EnginePorts } from '../../src/engine/ports.ts';
import { HeadLedger } from '../../src/engine/head-ledger.ts';
import { type RunEngine, createRun, openRun } from '../../src/engine/run-engine.ts';
import { gitPort } from '../../src/git/git-port.ts';
import { homePaths } from '../../src/platform/paths.ts';
import { repositoryRoot } from '../support/paths.ts';
import { type TinyOptions, tinyRepository, writeIn } from '../support/tiny-repository.ts';
import { diagnosis, findings, type IdeaWords, idea, patchNotes, plan, report, verification } from './words.ts';

export { diagnosis, idea, patchNotes, png, report, verification } from './words.ts';

export const task: Task = {
  id: 'T-1',
  title: 'add subtracts',
  description: 'add(1, 2) gives -1.',
  labels: ['bug'],
  priority: 'normal',
};

export const operator: Operator = { name: 'Olga', user: 'olga', tty: 'pts/1', signature: null };

export interface SetupOptions extends TinyOptions {
  readonly config?: Config;
  readonly task?: Partial<Task>;
  readonly review?: 'fresh' | 'same';
  readonly skills?: string;
  /** False: a host that decides and never acts, as one that is killed at once. */
  readonly acts?: boolean;
}

export type Made = Awaited<ReturnType<typeof startRun>>;

export async function startRun(options: SetupOptions = {}) {
  const repository = tinyRepository(options);
  const { shared, heads, effects, session } = await engineAt(repository.dir, options);
  const { paths, key } = shared;
  const engine = await createRun({ ...shared, heads: await heads() });
  if (options.acts !== false) engine.start();
  return {
    repository,
    paths,
    engine,
    effects,
    session,
    key,
    /** A host that starts again on the same files. */
    reopen: async ({ acts = true } = {}): Promise<RunEngine> => {
      const again = await openRun({ ...shared, heads: await heads() });
      await again.inspect();
      if (acts) again.start();
      return again;
    },
    done: async () => {
      await engine.settled();
      repository.remove();
    },
  };
}

/** What an engine needs to work on the run below this folder; the same for every process that opens it. */
export async function engineAt(dir: string, options: SetupOptions = {}) {
  const home = homePaths(join(dir, 'home'), { XDG_RUNTIME_DIR: dir });
  mkdirSync(home.home, { mode: 0o700, recursive: true });
  const effects: Effect[] = [];
  /** `ended`: how often files were replaced while no session may live. */
  const session = { id: 's1' as string | null, ended: 0 };
  let last = 0;
  const ports: EnginePorts = {
    // Every look at the clock is a moment later, so that the order of records can be seen.
    clock: () => new Date((last = Math.max(last + 1, Date.now()))),
    git: gitPort,
    skills: options.skills ?? join(repositoryRoot, 'skills'),
    runCommand,
    effects: (given) => effects.push(...given),
    currentSession: () => session.id,
    withoutSession: (work) => {
      session.ended++;
      return work();
    },
  };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const key = await loadEngineKey(home.engineKey);
  const config = options.config ?? defaultConfig;
  // Every host reads it anew.
  const heads = async () => (await HeadLedger.open(home.heads, key)).of('r1');
  const shared = {
    run: 'r1',
    paths: home.run('r1'),
    task: { ...task, ...options.task },
    repo: join(dir, 'clone'),
    review: options.review ?? ('fresh' as const),
    key,
    config,
    ports,
    log,
  };
  return { shared, heads, effects, session };
}

/**
 * Builds a run once and gives it back as it was, as often as it is asked for: all its files are put back to the same place
 * and a new engine opens them.
 */
export async function checkpoint(
  build: () => Promise<Made>,
): Promise<{ again: (how?: { acts?: boolean }) => Promise<Made>; remove: () => void }> {
  const made = await build();
  await made.engine.settled();
  const { dir } = made.repository;
  const saved = `${dir}.saved`;
  cpSync(dir, saved, { recursive: true, verbatimSymlinks: true });
  return {
    again: async (how = {}) => {
      rmSync(dir, { recursive: true, force: true });
      cpSync(saved, dir, { recursive: true, verbatimSymlinks: true });
      made.effects.length = 0;
      made.session.id = 's1';
      return { ...made, engine: await made.reopen(how) };
    },
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
      rmSync(saved, { recursive: true, force: true });
    },
  };
}

export function stateOf(engine: RunEngine): RunState {
  if (engine.state === null) throw new Error('the run has no state');
  return engine.state;
}

/** Asks, and throws when it is refused. */
export async function must<M extends AskMethod>(engine: RunEngine, method: M, params: AskParams[M]): Promise<string> {
  const answer = await engine.ask(method, params);
  if (answer.ok) return answer.result.text;
  const { code, message, problems } = answer.rejection;
  throw new Error(`${method} refused: ${code} ${message}\n${problems.map((p) => JSON.stringify(p)).join('\n')}`);
}

export async function refusal<M extends AskMethod>(engine: RunEngine, method: M, params: AskParams[M]) {
  const answer = await engine.ask(method, params);
  if (answer.ok) throw new Error(`${method} was not refused: ${answer.result.text}`);
  return answer.rejection;
}

export function agent(made: Made, engine: RunEngine = made.engine) {
  const write = (name: string, text: string) => writeIn(made.paths.artifacts, name, text);
  const skill = (name: string) => must(engine, 'skill', { name });
  const run = async (...argv: string[]) => {
    const text = await must(engine, 'evidence.run', { argv, cwd: made.paths.worktree });
    return /^(E\d+)/.exec(text)?.[1] ?? '';
  };
  const add = async (file: string, more: Partial<AskParams['evidence.add']> = {}) => {
    const text = await must(engine, 'evidence.add', { file, cwd: made.paths.worktree, ...more });
    return /^(E\d+)/.exec(text)?.[1] ?? '';
  };
  const advance = () => must(engine, 'advance', {});
  const self = {
    write,
    skill,
    run,
    add,
    advance,
    diagnose: async () => {
      await skill('lattice-diagnose');
      const seen = await run('node', 'src/index.js');
      const lines = await add('src/add.js:1-3');
      write('diagnosis.md', diagnosis(seen, lines));
      await advance();
    },
    draft: async (more: Partial<IdeaWords> = {}) => {
      await skill('lattice-idea');
      write('idea.md', idea(more));
      await advance();
    },
    implement: async (fix = 'export function add(a, b) {\n  return a + b;\n}\n') => {
      await skill('lattice-explore');
      await skill('lattice-implement');
      write('findings.md', findings);
      write('plan.md', plan);
      writeIn(made.paths.worktree, 'src/add.js', fix);
      await advance();
    },
    review: async (blocking: readonly string[] = []) => {
      made.session.id = `reviewer-${stateOf(engine).entry}`;
      await skill('lattice-review');
      const synced = await must(engine, 'sync', {});
      const tree = /^tree: (\w+)$/m.exec(synced)?.[1] ?? '';
      const files = await changed(engine);
      write('review-report.md', report(tree, blocking, files));
      await advance();
      made.session.id = 's1';
    },
    patch: async (fix: string, answers: readonly string[]) => {
      await skill('lattice-implement');
      writeIn(made.paths.worktree, 'src/add.js', fix);
      write('patch-notes.md', patchNotes(answers));
      await advance();
    },
    verify: async (result: 'pass' | 'fail' = 'pass') => {
      await skill('lattice-verify');
      const tests = await run('node', 'test/add.test.js');
      const shown = await run('node', '-e', "import('./src/index.js').then((m) => console.log(m.add(1, 2)))");
      write('verification.md', verification(tests, shown, result));
      await advance();
    },
    toGate1: async () => {
      await self.diagnose();
      await self.draft();
    },
    approve: async (line = '1A [START DEVELOPMENT]') => {
      const answer = await engine.approve({ line, operator });
      if (!answer.ok) throw new Error(`not approved: ${answer.rejection.message}`);
      return answer;
    },
    toGate2: async () => {
      await self.toGate1();
      await self.approve();
      await self.implement();
      await self.review();
      await self.verify();
    },
  };
  return self;
}

async function changed(engine: RunEngine): Promise<string[]> {
  const { stat } = await engine.diff();
  return stat
    .split('\n')
    .flatMap((line) => /^ (\S+)\s+\|/.exec(line)?.[1] ?? [])
    .filter((path) => path !== '');
}

export function overwrite(path: string, text: string): void {
  writeFileSync(path, text);
}

/** Runs it without a sandbox. */
export function runCommand(request: CommandRequest): Promise<CommandResult> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const [program = '', ...args] = request.argv;
    const child = spawn(program, args, {
      cwd: request.cwd,
      env: { ...process.env, ...request.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const end = (exitCode: number | null, signal: string | null, failure: string | null) =>
      resolve({ exitCode, signal, timedOut: false, durationMs: performance.now() - startedAt, failure });
    child.stdout.on('data', (chunk: Buffer) => request.onOutput(chunk));
    child.stderr.on('data', (chunk: Buffer) => request.onOutput(chunk));
    child.on('error', (error) => end(null, null, error.message));
    child.on('close', (code, signal) => end(code, signal, null));
  });
}
