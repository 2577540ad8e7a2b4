// A Gatehouse of its own for one real runtime: an operator's home, the sample repository, the scripted model, and the
// built programs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSample, type Sample } from '../../../src/demo/create-sample.ts';
import type { RunDetail, RunSummary } from '../../../src/core/run.ts';
import { type ProgramResult, runBuilt } from '../../support/run-program.ts';
import { killAll, processesWithEnv } from '../../support/processes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type OperatorHome, operatorHome, type RealRuntime } from '../lab/operator-home.ts';
import { programFolder } from '../lab/programs.ts';
import { patienceMs } from '../lab/session.ts';
import { startModel, type ScriptedModel } from '../model/server.ts';
import type { ModelPlan } from '../model/exchange.ts';

export interface Supervised extends AsyncDisposable {
  readonly operator: OperatorHome;
  readonly sample: Sample;
  readonly model: ScriptedModel;
  readonly runs: string;
  gatehouse(...args: string[]): Promise<ProgramResult>;
  /** Starts a task of the sample, as `TB-101`. */
  start(task: string): Promise<RunSummary>;
  row(run: string): Promise<RunSummary>;
  show(run: string): Promise<RunDetail>;
  waitForRow(run: string, what: string, holds: (row: RunSummary) => boolean, timeoutMs?: number): Promise<RunSummary>;
}

export interface SupervisedOptions {
  readonly sandbox?: 'require' | 'off';
  readonly permissionMode?: string;
}

const programNames: Readonly<Record<RealRuntime, string>> = {
  claude: 'claude',
  codex: 'codex',
  omp: 'omp',
  opencode: 'opencode',
};

const idlePlan: ModelPlan = () => ({ kind: 'say', text: 'Nothing is planned.' });

export async function supervised(runtime: RealRuntime, options: SupervisedOptions = {}): Promise<Supervised> {
  const model = await startModel(idlePlan);
  const operator = operatorHome(runtime, model.url);
  const state = join(operator.home, '.local', 'state', 'gatehouse');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  const permissionMode = options.permissionMode;
  writeFileSync(
    join(state, 'config.json'),
    JSON.stringify({
      sandbox: options.sandbox ?? 'require',
      runtimes: { [runtime]: { kind: runtime, program: join(programFolder, programNames[runtime]) } },
      agents: {
        main: { runtime, model: operator.model, ...(permissionMode === undefined ? {} : { permissionMode }) },
      },
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
  const row = async (run: string) => {
    const found = (await json<RunSummary[]>('ls')).find((each) => each.id === run);
    if (found === undefined) throw new Error(`no run ${run}`);
    return found;
  };

  return {
    operator,
    sample,
    model,
    runs: join(state, 'runs'),
    gatehouse,
    row,
    start: async (task) => {
      const file = sample.tasks.find((each) => each.includes(task)) ?? task;
      const [started] = await json<RunSummary[]>('start', file, '--repo', sample.clone, '--agent', 'main');
      if (started === undefined) throw new Error('nothing was started');
      return started;
    },
    show: (run) => json<RunDetail>('show', run),
    waitForRow: async (run, what, holds, timeoutMs = patienceMs) => {
      let last: RunSummary | null = null;
      return waitFor(
        async () => {
          last = await row(run);
          return holds(last) ? last : null;
        },
        { what: () => `${what}; last seen: ${JSON.stringify(last, null, 1)}`, timeoutMs, intervalMs: 1_000 },
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
