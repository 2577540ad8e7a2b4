// The built product as a script sees it: commands in, JSON out.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../src/core/process-identity.ts';
import { isSameProcess } from '../../src/platform/process-identity.ts';
import type { RunDetail, RunSummary } from '../../src/core/run.ts';
import { type ProgramResult, runBuilt } from '../support/run-program.ts';
import { type TemporaryHome, temporaryHome } from '../support/temporary-home.ts';
import { waitFor } from '../support/wait-for.ts';

export class Product implements AsyncDisposable {
  readonly home: TemporaryHome;

  constructor(home: TemporaryHome = temporaryHome()) {
    this.home = home;
  }

  /** `gatehouse ARGS`. */
  run(args: readonly string[], input?: string): Promise<ProgramResult> {
    return runBuilt('gatehouse', args, { env: this.home.env, ...(input === undefined ? {} : { input }) });
  }

  /** Like `run`, for what must succeed. */
  async done(args: readonly string[], input?: string): Promise<string> {
    const result = await this.run(args, input);
    if (result.code !== 0)
      throw new Error(`gatehouse ${args.join(' ')}: exit ${result.code}\n${result.stderr}\n${result.stdout}`);
    return result.stdout;
  }

  async list(): Promise<RunSummary[]> {
    return JSON.parse(await this.done(['ls', '--json'])) as RunSummary[];
  }

  async show(run: string): Promise<RunDetail> {
    return JSON.parse(await this.done(['show', run, '--json'])) as RunDetail;
  }

  /** The demo's sample with `runs` runs; steps of the scripted agents take no time. */
  async demo(runs: number): Promise<RunSummary[]> {
    await this.done(['demo', '--no-ui', '--runs', String(runs), '--tempo', '0']);
    return this.list();
  }

  waitForRun(run: string, what: string, is: (row: RunSummary) => boolean, timeoutMs = 120_000): Promise<RunSummary> {
    return waitFor(async () => (await this.list()).find((row) => row.id === run && is(row)), {
      what: `${run} ${what}`,
      timeoutMs,
      intervalMs: 250,
    });
  }

  file(name: string, text: string | Uint8Array): string {
    const path = join(this.home.root, name);
    writeFileSync(path, text);
    return path;
  }

  /** Holders first: one that outlives its host brings another. */
  async [Symbol.asyncDispose](): Promise<void> {
    await waitFor(() => this.endHolders(), { what: 'the holders to end' });
    await this.home[Symbol.asyncDispose]();
  }

  private endHolders(): boolean {
    const runs = join(this.home.gatehouseHome, 'runs');
    const files = existsSync(runs) ? readdirSync(runs).map((run) => join(runs, run, 'holder.json')) : [];
    const alive = files.flatMap((file) => {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (text === '') return [];
      const identity = JSON.parse(text) as ProcessIdentity;
      return isSameProcess(identity) ? [identity.pid] : [];
    });
    for (const pid of alive) process.kill(pid, 'SIGTERM');
    return alive.length === 0;
  }
}

/** The line with the recommended options, as a person would type it after reading. */
export function recommendedLine(row: RunSummary): string {
  return [...row.decisions.map((d) => `${d.id}${d.recommended}`), row.pendingToken].join(' ');
}
