// Many runs of a real host, each with a real holder and an agent that is a small shell script; for the benchmarks.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../src/client/client.ts';
import type { RunDetail, RunSummary } from '../../src/core/run.ts';
import { hostArgv } from '../../src/platform/program-files.ts';
import type { HostStatus } from '../../src/protocol/operator.ts';
import { Product } from '../../test/e2e/product.ts';
import { tinyRepository } from '../../test/support/tiny-repository.ts';
import { waitFor } from '../../test/support/wait-for.ts';

export const agentFile = join(import.meta.dirname, 'agent.bash');
export const fleetSize = { cols: 120, rows: 40 };
/** On the screen of every agent that has drawn itself once. */
const atWork = 'esc to interrupt';
const actor = { name: 'Bench', user: 'bench', tty: null };

export interface AgentPace {
  readonly seconds: number;
  readonly lines: number;
}

interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
}

export class Fleet implements AsyncDisposable {
  /** Of the host that was started with the fleet. */
  readonly hostPid: number;
  /** To be replaced with the host. */
  client: Client;
  readonly runs: RunSummary[] = [];
  private readonly product: Product;
  private readonly repository = tinyRepository();
  private readonly loopFile: string;

  /** Starts the host with the probe of its event loop in it. */
  static async open(pace: AgentPace): Promise<Fleet> {
    const product = new Product();
    const { home } = product;
    // The host, and clients in this process, are those of this home.
    Object.assign(process.env, home.env);
    mkdirSync(home.gatehouseHome, { mode: 0o700 });
    const args = [agentFile, String(pace.seconds), String(pace.lines), '{prompt}'];
    const busy = { kind: 'generic', program: 'bash', args, ready: '' };
    writeFileSync(
      join(home.gatehouseHome, 'config.json'),
      JSON.stringify({ startAtOnce: 16, runtimes: { busy }, agents: { busy: { runtime: 'busy' } } }),
    );
    const [program = '', ...hostArgs] = hostArgv(home.gatehouseHome);
    const loopFile = join(home.root, 'loop.json');
    const probe = ['--import', join(import.meta.dirname, 'loop-probe.ts')];
    const host = spawn(program, [...probe, ...hostArgs], {
      detached: true,
      stdio: 'ignore',
      cwd: '/',
      env: { ...process.env, GATEHOUSE_BENCH_LOOP: loopFile },
    });
    host.unref();
    const client = await waitFor(() => Client.connectIfRunning(home.gatehouseHome), { what: 'the host' });
    return new Fleet(product, client, host.pid ?? 0, loopFile);
  }

  private constructor(product: Product, client: Client, hostPid: number, loopFile: string) {
    this.product = product;
    this.client = client;
    this.hostPid = hostPid;
    this.loopFile = loopFile;
    process.on('exit', this.removeHome);
  }

  get home(): string {
    return this.product.home.gatehouseHome;
  }

  /** Starts so many more, and returns when all are at work. */
  async start(count: number): Promise<void> {
    const startedAt = performance.now();
    for (let n = 0; n < count; n += 1) {
      const id = `B-${String(this.runs.length + 1).padStart(3, '0')}`;
      const taskText = `---\nid: ${id}\ntitle: A task of a benchmark\nlabels: []\npriority: normal\n---\nDo it.\n`;
      const start = { taskText, source: 'bench', repo: this.repository.clone, agent: 'busy', actor };
      this.runs.push((await this.client.request('run.start', start)).run);
    }
    await waitFor(async () => (await this.rows()).every((row) => row.lastLine.includes(atWork)), {
      what: 'all agents to be at work',
      timeoutMs: 240_000,
      intervalMs: 500,
    });
    const seconds = (performance.now() - startedAt) / 1_000;
    process.stdout.write(`${count} runs started in ${seconds.toFixed(0)} s; load ${loadavg()[0]?.toFixed(1)}\n`);
  }

  /** Of the run that was started as `index`, from 0. */
  id(index: number): string {
    return this.runs[index]?.id ?? '';
  }

  async rows(): Promise<RunSummary[]> {
    return (await this.client.request('runs.list', {})).runs;
  }

  status(): Promise<HostStatus> {
    return this.client.request('host.status', {});
  }

  show(run: string): Promise<RunDetail> {
    return this.client.request('run.show', { run });
  }

  async holderPids(): Promise<number[]> {
    const details = await Promise.all(this.runs.map((run) => this.show(run.id)));
    return details.map((detail) => detail.holderPid ?? 0);
  }

  async stop(run: string): Promise<void> {
    await this.client.request('run.stop', { run, actor });
  }

  async resume(run: string): Promise<void> {
    await this.client.request('run.resume', { run, actor });
  }

  /** Types a line to an agent. */
  async type(run: string, text: string): Promise<void> {
    const ignore = { onOutput: () => {}, onEvent: () => {}, onEnd: () => {} };
    const stream = await this.client.attach(run, 'write', fleetSize, ignore);
    stream.write(Buffer.from(`${text}\n`));
    stream.close();
  }

  /** How late the host's event loop is while `action` goes on. */
  async loopDelay<T>(action: () => Promise<T>): Promise<{ lateMs: LoopDelay; result: T }> {
    process.kill(this.hostPid, 'SIGUSR2');
    const result = await action();
    process.kill(this.hostPid, 'SIGUSR2');
    await waitFor(() => existsSync(this.loopFile), { what: 'the delay of the loop' });
    const lateMs = JSON.parse(readFileSync(this.loopFile, 'utf8')) as LoopDelay;
    rmSync(this.loopFile);
    return { lateMs, result };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.client.close();
    await this.product[Symbol.asyncDispose]();
    this.repository.remove();
    process.off('exit', this.removeHome);
  }

  /** Whatever runs in a home ends when its folder is gone. */
  private readonly removeHome = (): void => {
    rmSync(this.product.home.root, { recursive: true, force: true, maxRetries: 3 });
  };
}
