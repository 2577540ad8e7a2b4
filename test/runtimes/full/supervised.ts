// A Gatehouse of its own for real runtimes: an operator's home, the sample repository, the scripted model, and the
// built programs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSample, type Sample } from '../../../src/demo/create-sample.ts';
import { Client } from '../../../src/client/client.ts';
import type { RunDetail, RunSummary } from '../../../src/core/run.ts';
import type { OperatorMethod, Params, Result } from '../../../src/protocol/operator.ts';
import { type ProgramResult, runBuilt } from '../../support/run-program.ts';
import { killAll, processesWithEnv } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { modelOf, type OperatorHome, operatorHome, type RealRuntime } from '../lab/operator-home.ts';
import { programFolder } from '../lab/programs.ts';
import { patienceMs } from '../lab/session.ts';
import { startModel, type ScriptedModel } from '../model/server.ts';
import type { ModelPlan } from '../model/exchange.ts';

export interface Supervised extends AsyncDisposable {
  readonly operator: OperatorHome;
  readonly sample: Sample;
  readonly model: ScriptedModel;
  readonly home: string;
  readonly runs: string;
  gatehouse(...args: string[]): Promise<ProgramResult>;
  /** Starts a task of the sample, as `TB-101`, with the agent of that runtime. */
  start(task: string, runtime: RealRuntime): Promise<RunSummary>;
  rows(): Promise<RunSummary[]>;
  show(run: string): Promise<RunDetail>;
  hostPid(): Promise<number>;
  waitFor(run: string, what: string, holds: (row: RunDetail) => boolean, timeoutMs?: number): Promise<RunDetail>;
}

export interface SupervisedOptions {
  readonly sandbox?: 'require' | 'off';
  /** By runtime, for a run without anybody to ask. */
  readonly permissionModes?: Readonly<Partial<Record<RealRuntime, string>>>;
  /** More of config.json. */
  readonly config?: Readonly<Record<string, unknown>>;
}

const idlePlan: ModelPlan = () => ({ kind: 'say', text: 'Nothing is planned.' });

export async function supervised(
  runtimes: readonly RealRuntime[],
  options: SupervisedOptions = {},
): Promise<Supervised> {
  const model = await startModel(idlePlan);
  const operator = operatorHome(runtimes, model.url);
  const state = join(operator.home, '.local', 'state', 'gatehouse');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const agentOf = (runtime: RealRuntime) => {
    const permissionMode = options.permissionModes?.[runtime];
    return { runtime, model: modelOf[runtime], ...(permissionMode === undefined ? {} : { permissionMode }) };
  };
  const byName = <T>(value: (runtime: RealRuntime) => T) =>
    Object.fromEntries(runtimes.map((runtime) => [runtime, value(runtime)]));
  writeFileSync(
    join(state, 'config.json'),
    JSON.stringify({
      sandbox: options.sandbox ?? 'require',
      // Each is installed under the name that we call it by.
      runtimes: byName((runtime) => ({ kind: runtime, program: join(programFolder, runtime) })),
      agents: byName(agentOf),
      ...options.config,
    }),
  );
  const sample = await createSample(join(operator.home, 'src'));
  const env = { ...operator.env, GATEHOUSE_TEST_FILE: process.env['GATEHOUSE_TEST_FILE'] ?? '' };
  const gatehouse = (...args: string[]) => runBuilt('gatehouse', args, { env });
  const json = async <T>(...args: string[]): Promise<T> => {
    const { stdout, stderr } = await gatehouse(...args, '--json');
    if (stdout.trim() === '') throw new Error(stderr);
    return JSON.parse(stdout) as T;
  };
  // Sockets are looked for where the product under test puts them. Its host is one that the built program has started,
  // with the operator's environment; a client of ours looks far more often than programs can be started.
  process.env['XDG_RUNTIME_DIR'] = operator.env['XDG_RUNTIME_DIR'];
  const ask = async <M extends OperatorMethod>(method: M, params: Params<M>): Promise<Result<M>> => {
    const client = (await Client.connectIfRunning(state)) ?? (await gatehouse('ls'), await Client.connect(state));
    try {
      return await client.request(method, params);
    } finally {
      client.close();
    }
  };
  const rows = async () => (await ask('runs.list', {})).runs;

  return {
    operator,
    sample,
    model,
    home: state,
    runs: join(state, 'runs'),
    gatehouse,
    rows,
    start: async (task, runtime) => {
      const file = sample.tasks.find((each) => each.includes(task)) ?? task;
      const [started] = await json<RunSummary[]>('start', file, '--repo', sample.clone, '--agent', runtime);
      if (started === undefined) throw new Error('nothing was started');
      return started;
    },
    show: (run) => ask('run.show', { run }),
    hostPid: async () => (await ask('host.status', {})).pid,
    waitFor: async (run, what, holds, timeoutMs = patienceMs) => {
      let last: RunDetail | null = null;
      return waitFor(
        async () => {
          last = await ask('run.show', { run });
          return holds(last) ? last : null;
        },
        { what: () => `${what}; last seen: ${JSON.stringify(last, null, 1)}`, timeoutMs, intervalMs: 200 },
      );
    },
    async [Symbol.asyncDispose]() {
      await gatehouse('host', 'stop');
      await killAll(() => processesWithEnv('HOME', operator.home));
      await model[Symbol.asyncDispose]();
      operator[Symbol.dispose]();
    },
  };
}
