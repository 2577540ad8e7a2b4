// The built product with a sample repository, and runs whose agents a test steers: scripted ones by their control file,
// generic ones by fixture programs. Talks to the real host over the operator socket, as console and CLI do.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../../src/client/client.ts';
import type { RunDetail, RunSummary } from '../../src/core/run.ts';
import { createSample } from '../../src/demo/create-sample.ts';
import type { Params } from '../../src/protocol/operator.ts';
import type { TemporaryHome } from '../support/temporary-home.ts';
import { waitFor } from '../support/wait-for.ts';
import { Product } from './product.ts';

export const actor = { name: 'Test Operator', user: 'operator', tty: null };
const agents = join(import.meta.dirname, '../fixtures/agents');

/** An agent that ends its turn at once and then waits for what it is told. */
export const quiet = { stages: { diagnose: [{ do: 'end-turn', text: 'I wait.' }] } };

interface SiteOptions {
  readonly home?: TemporaryHome;
  /** Merged into config.json. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Fixture programs by name, each with its arguments and settings; started with `agent: NAME`. */
  readonly fixtures?: Readonly<Record<string, FixtureAgent>>;
}

interface FixtureAgent {
  readonly file: string;
  /** `scripted`: it reports, and is driven, as the scripted agent. */
  readonly kind?: 'generic' | 'scripted';
  readonly args?: readonly string[];
  readonly ready?: string;
  readonly resumeArgs?: readonly string[];
  /** What config.json says of the agent beside its runtime. */
  readonly agent?: Readonly<Record<string, unknown>>;
}

export class Site implements AsyncDisposable {
  readonly product: Product;
  private readonly clients: Client[] = [];
  private sample: { clone: string; tasks: readonly string[] } | null = null;
  private started = 0;

  private constructor(home?: TemporaryHome) {
    this.product = new Product(home);
  }

  static async open({ home, config = {}, fixtures = {} }: SiteOptions = {}): Promise<Site> {
    const site = new Site(home);
    const { gatehouseHome, root, runtimeDir } = site.product.home;
    const entries = Object.entries(fixtures);
    mkdirSync(gatehouseHome, { recursive: true, mode: 0o700 });
    writeFileSync(
      join(gatehouseHome, 'config.json'),
      JSON.stringify({
        ...config,
        runtimes: Object.fromEntries(entries.map(([name, fixture]) => [name, runtimeOf(fixture)])),
        agents: Object.fromEntries(entries.map(([name, { agent }]) => [name, { runtime: name, ...agent }])),
      }),
    );
    site.sample = await createSample(join(root, 'sample'));
    // Sockets are looked for where the product under test puts them.
    process.env['XDG_RUNTIME_DIR'] = runtimeDir;
    // The host is one that the built program has started, with the home's own environment.
    await site.product.done(['ls']);
    return site;
  }

  get home(): string {
    return this.product.home.gatehouseHome;
  }

  async client(): Promise<Client> {
    const client = await Client.connect(this.home);
    this.clients.push(client);
    return client;
  }

  /** The next task of the sample, worked by a scripted agent. */
  scripted(scenario: Readonly<Record<string, unknown>> = {}): Promise<RunSummary> {
    const dir = join(this.home, 'runs', this.nextTask().id, 'runtime', 'scripted');
    const files = { control: join(dir, 'control'), truth: join(dir, 'truth') };
    return this.start({ runtime: 'scripted', scenario: { tempoMs: 0, ...files, ...scenario } });
  }

  /** The next task, worked by one of the site's fixture programs. */
  fixture(agent: string): Promise<RunSummary> {
    return this.start({ agent });
  }

  steer(run: string, command: string): void {
    appendFileSync(join(this.home, 'runs', run, 'runtime', 'scripted', 'control'), `${command}\n`);
  }

  /** What the scripted agent of a run really did. */
  truth(run: string): Record<string, unknown>[] {
    const path = join(this.home, 'runs', run, 'runtime', 'scripted', 'truth');
    const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Waits until a text is in the recording: whatever was steered before it has happened. */
  recorded(run: string, text: string, timeoutMs = 60_000): Promise<boolean> {
    const path = join(this.home, 'runs', run, 'session.cast');
    return waitFor(() => readFileSync(path, 'utf8').includes(text), { what: `${text} in the recording`, timeoutMs });
  }

  async show(run: string): Promise<RunDetail> {
    const client = await Client.connect(this.home);
    try {
      return await client.request('run.show', { run });
    } finally {
      client.close();
    }
  }

  async rows(): Promise<RunSummary[]> {
    const client = await Client.connect(this.home);
    try {
      return (await client.request('runs.list', {})).runs;
    } finally {
      client.close();
    }
  }

  until(run: string, what: string, is: (row: RunDetail) => boolean, timeoutMs = 90_000): Promise<RunDetail> {
    let last: RunDetail | null = null;
    return waitFor(
      async () => {
        last = await this.show(run);
        return is(last) ? last : undefined;
      },
      {
        what: () => `${run} ${what}; it is ${last?.stage}, ${last?.activity}: ${last?.activityReason}`,
        timeoutMs,
        intervalMs: 100,
      },
    );
  }

  untilIdle(run: string): Promise<RunDetail> {
    return this.until(run, 'to be idle', (row) => row.activity === 'idle');
  }

  async hostPid(): Promise<number> {
    const client = await Client.connect(this.home);
    try {
      return (await client.request('host.status', {})).pid;
    } finally {
      client.close();
    }
  }

  hostLog(): string {
    return readFileSync(join(this.home, 'host.log'), 'utf8');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.clients) client.close();
    await this.product[Symbol.asyncDispose]();
  }

  private nextTask(): { file: string; id: string } {
    const { tasks = [] } = this.sample ?? {};
    const file = tasks[this.started % tasks.length] ?? '';
    const round = Math.floor(this.started / tasks.length);
    const task = /TB-\d+/i.exec(file)?.[0].toLowerCase() ?? '';
    return { file, id: round === 0 ? task : `${task}-${round + 1}` };
  }

  private async start(how: Partial<Params<'run.start'>>): Promise<RunSummary> {
    const { file } = this.nextTask();
    this.started += 1;
    const client = await Client.connect(this.home);
    try {
      const { run } = await client.request('run.start', {
        taskText: await readFile(file, 'utf8'),
        source: file,
        repo: this.sample?.clone ?? '',
        actor,
        ...how,
      });
      return run;
    } finally {
      client.close();
    }
  }
}

function runtimeOf({ file, kind = 'generic', args = [], ready = 'ready', resumeArgs }: FixtureAgent) {
  if (kind === 'scripted') return { kind, program: join(agents, file), args };
  return {
    kind,
    program: process.execPath,
    // The prompt is an argument, so that nothing is typed that the test does not type.
    args: [join(agents, file), ...args, '{prompt}'],
    ready,
    ...(resumeArgs === undefined ? {} : { resumeArgs }),
  };
}
