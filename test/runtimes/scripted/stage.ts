// A stage for the scripted agent: the sample repository, a worktree, a `lattice` of its own, and the agent in a real PTY.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSample } from '../../../src/demo/create-sample.ts';
import { scriptedArgv, type ScriptedLaunch } from '../../../src/runtimes/scripted/program.ts';
import type { Truth } from '../../../src/runtimes/scripted/truth.ts';
import { repositoryRoot } from '../../support/paths.ts';
import { openTerminal, type TestTerminal } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait-for.ts';
import { FakeLattice, type FakeState } from './fixtures/lattice.ts';

const builtMain = join(repositoryRoot, 'dist/runtimes/scripted/main.js');

export interface Stage extends AsyncDisposable {
  readonly dir: string;
  readonly worktree: string;
  readonly artifacts: string;
  state(): FakeState;
  change(change: Partial<FakeState>): void;
  launch(
    options: Partial<ScriptedLaunch> & { cols?: number; rows?: number; tempoMs?: number; env?: Record<string, string> },
  ): TestTerminal;
  control(line: string): void;
  truths(): Truth[];
  /** Waits until the agent has ended its turn for the n-th time. */
  turns(count: number): Promise<void>;
  artifact(name: string): string;
}

export async function openStage(task: string, branch = 'develop'): Promise<Stage> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-scripted-'));
  const sample = await createSample(join(dir, 'sample'));
  const worktree = join(dir, 'worktree');
  execFileSync('git', ['worktree', 'add', '--quiet', '-b', 'run', worktree, branch], { cwd: sample.clone });
  const baseline = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: worktree, encoding: 'utf8' }).trim();
  const [bin, artifacts] = ['bin', 'artifacts'].map((name) => join(dir, name)) as [string, string];
  for (const folder of [bin, artifacts]) mkdirSync(folder);
  const client = readFileSync(join(import.meta.dirname, 'fixtures/lattice-client.mjs'), 'utf8');
  // Without a package.json near it, Node takes a file for a module by its syntax.
  writeFileSync(join(bin, 'lattice'), `#!${process.execPath}\n${client}`);
  chmodSync(join(bin, 'lattice'), 0o755);
  const empty = {
    approved: null,
    feedback: null,
    reviews: 0,
    synced: false,
    skills: [],
    findings: [],
    evidence: [],
    history: [],
  };
  const lattice = new FakeLattice(
    { task, stage: 'diagnose', baseline, ...empty },
    { worktree, artifacts, index: join(dir, 'index') },
  );
  const latticeSocket = join(dir, 'lattice.sock');
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const chunks: Buffer[] = [];
    socket.on('error', () => {});
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () =>
      socket.end(JSON.stringify(lattice.act(JSON.parse(Buffer.concat(chunks).toString()) as string[]))),
    );
  });
  server.listen(latticeSocket);
  await once(server, 'listening');
  const [truth, control] = [join(dir, 'truth.jsonl'), join(dir, 'control')];
  const open: TestTerminal[] = [];

  const stage: Stage = {
    dir,
    worktree,
    artifacts,
    state: () => lattice.state,
    change: (change) => {
      lattice.state = { ...lattice.state, ...change };
    },
    launch: ({ cols = 100, rows = 30, tempoMs = 0, env = {}, ...launch }) => {
      const scenario = join(dir, `scenario-${open.length}.json`);
      writeFileSync(scenario, JSON.stringify({ ...(launch.scenario ? { extends: launch.scenario } : {}), tempoMs }));
      const session = launch.session ?? `session-${open.length + 1}`;
      const plan = {
        resume: false,
        prompt: null,
        control,
        truth,
        sessionDir: join(dir, 'sessions'),
        ...launch,
        session,
        scenario,
      };
      const [command = '', ...args] = scriptedArgv(plan, builtMain);
      const terminal = openTerminal({
        command,
        args,
        cwd: worktree,
        cols,
        rows,
        env: {
          ...inherited(),
          PATH: `${bin}:${process.env['PATH']}`,
          FAKE_LATTICE_SOCKET: latticeSocket,
          GATEHOUSE_ARTIFACTS: artifacts,
          ...env,
        },
      });
      open.push(terminal);
      return terminal;
    },
    control: (line) => writeFileSync(control, `${line}\n`, { flag: 'a' }),
    truths: () =>
      existsSync(truth)
        ? readFileSync(truth, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as Truth)
        : [],
    turns: async (count) => {
      await waitFor(
        () => stage.truths().filter(({ type }) => type === 'answer' || type === 'interrupted').length >= count,
        {
          what: () => `turn ${count} to end; the last it did: ${JSON.stringify(stage.truths().slice(-3))}`,
        },
      );
    },
    artifact: (name) => readFileSync(join(artifacts, name), 'utf8'),
    async [Symbol.asyncDispose]() {
      for (const terminal of open) await terminal[Symbol.asyncDispose]();
      server.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return stage;
}

/** The marks of the test run, and what programs need to start; nothing of the user's. */
function inherited(): Record<string, string> {
  const names = ['GATEHOUSE_TEST_FILE', 'HOME', 'LANG', 'TMPDIR'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
