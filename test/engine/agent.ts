// A run with everything real but the sandbox and the agent program: real git, real files, real commands. `agent` writes the
// artifacts that the skills ask for, so that a test changes only what it is about.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { type Config, defaultConfig } from '../../src/core/config.ts';
import type { Effect } from '../../src/core/event.ts';
import type { Operator, RunState } from '../../src/core/state.ts';
import type { Task } from '../../src/core/task.ts';
import type { AskMethod, AskParams } from '../../src/engine/api.ts';
import { loadEngineKey } from '../../src/engine/engine-key.ts';
import type { CommandRequest, CommandResult, EnginePorts } from '../../src/engine/ports.ts';
import { type RunEngine, createRun, openRun } from '../../src/engine/run-engine.ts';
import { gitPort } from '../../src/git/git-port.ts';
import { homePaths } from '../../src/platform/paths.ts';
import { repositoryRoot } from '../support/paths.ts';
import { type TinyOptions, tinyRepository, writeIn } from '../support/tiny-repository.ts';

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
}

export type Made = Awaited<ReturnType<typeof startRun>>;

export async function startRun(options: SetupOptions = {}) {
  const repository = tinyRepository(options);
  const home = homePaths(join(repository.dir, 'home'), { XDG_RUNTIME_DIR: repository.dir });
  mkdirSync(home.home, { mode: 0o700 });
  const key = await loadEngineKey(home.engineKey);
  const paths = home.run('r1');
  const effects: Effect[] = [];
  const session = { id: 's1' as string | null };
  let ticks = 0;
  const ports: EnginePorts = {
    // Every look at the clock is a moment later, so that the order of records can be seen.
    clock: () => new Date(Date.parse('2026-05-04T10:00:00.000Z') + ticks++ * 1000),
    git: gitPort,
    skills: options.skills ?? join(repositoryRoot, 'skills'),
    runCommand,
    effects: (given) => effects.push(...given),
    currentSession: () => session.id,
  };
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const shared = { run: 'r1', paths, key, config: options.config ?? defaultConfig, ports, log };
  const engine = await createRun({
    ...shared,
    task: { ...task, ...options.task },
    repo: repository.clone,
    review: options.review ?? 'fresh',
  });
  engine.start();
  return {
    repository,
    paths,
    engine,
    effects,
    session,
    key,
    /** A host that starts again on the same files. */
    reopen: async (): Promise<RunEngine> => {
      const again = await openRun(shared);
      again.start();
      return again;
    },
    done: async () => {
      await engine.settled();
      repository.remove();
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

export function diagnosis(seen: string, lines: string): string {
  return `# Diagnosis

## Summary

\`add\` subtracts.

## Reproduction

It runs (${seen}).

## Evidence

- ${seen}: the product runs
- ${lines}: the line

## Root cause

A minus in \`src/add.js:2\` (${lines}).

## Affected places

- src/add.js: the function
`;
}

interface IdeaWords {
  readonly change: string;
  readonly decisions: string;
}

export function idea(words: Partial<IdeaWords> = {}): string {
  return `# Proposal

User-facing: no
Visible: no

## Change

- B1: ${words.change ?? 'add adds'} (E1)

## Must stay

- the export of index.js (E2)

## Decisions

${
  words.decisions ??
  `### 1. Is a test added?

- A: No
- B: Yes

Recommended: A`
}

## Risks

None
`;
}

const findings = `# Findings

## Files read

- src/add.js: the function

## Call sites

- \`src/index.js:1\` exports it

## Tests

- test/add.test.js: only zero

## Conventions

- plain functions
`;

const plan = `# Plan

## Files

- src/add.js: plus

## Steps

1. Put a plus

## Verification

- B1: run it
`;

export function report(tree: string, blocking: readonly string[], files: readonly string[]): string {
  const listed = ['src/add.js', ...files].join(', ');
  const answer = (heading: string, value: string) =>
    `### ${heading}\n\nAnswer: ${value}\nFiles: ${listed}\n\nLooked at it.\n`;
  const found = blocking.map((id) => `### ${id} blocking: not right\n\n\`src/add.js:2\` is wrong for large numbers.\n`);
  return `# Review

Tree: ${tree}
Verdict: ${blocking.length === 0 ? 'pass' : 'blocked'}

## Answers

${[answer('Root cause', 'yes'), answer('Call sites', 'yes'), answer('Tests', 'yes'), answer('Obsolete paths', 'no'), answer('Unrelated changes', 'no')].join('\n')}
## Findings

${found.length === 0 ? 'None\n' : found.join('\n')}`;
}

export function patchNotes(ids: readonly string[]): string {
  const answers = ids.map((id) => `### ${id}\n\nFiles: src/add.js\n\nMended as the finding says.\n`).join('\n');
  return `# Patch\n\n## Answers\n\n${answers}\n## Decisions taken\n\nNone\n`;
}

export function verification(tests: string, shown: string, result: 'pass' | 'fail' = 'pass'): string {
  const failures =
    result === 'pass' ? '' : '\n## Failures\n\n### V1 blocking: wrong\n\n`src/add.js:2` gives the wrong sum.\n';
  return `# Verification

Result: ${result}
Preview: None

## Behaviours

- B1: add adds -> ${shown}

## Tests

Run as declared (${tests}).

## Images

None

## Decisions taken

- kept the name

## Limits

None
${failures}`;
}

/** A small but whole PNG. */
export function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  header.writeUInt8(2, 9);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const pixels = deflateSync(Buffer.alloc((width * 3 + 1) * height));
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

export function overwrite(path: string, text: string): void {
  writeFileSync(path, text);
}

export function removeFile(path: string): void {
  rmSync(path);
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
