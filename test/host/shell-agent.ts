// Runs whose agent is a shell script: whatever a program can do, without a workflow.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSummary } from '../../src/core/run.ts';
import { Product } from '../e2e/product.ts';
import { type TinyRepository, tinyRepository } from '../support/tiny-repository.ts';

export class ShellAgents implements AsyncDisposable {
  readonly product = new Product();
  readonly repository: TinyRepository = tinyRepository();

  /** `script` gets the prompt as `$0`. */
  constructor(script: string, config: object = {}) {
    mkdirSync(this.product.home.gatehouseHome, { mode: 0o700 });
    const shell = { kind: 'generic', program: '/bin/sh', args: ['-c', script, '{prompt}'], ready: '' };
    this.configure({ runtimes: { shell }, ...config });
  }

  /** Before the first run. */
  configure(config: object): void {
    const whole = { sandbox: 'off', agents: { shell: { runtime: 'shell' } }, ...config };
    writeFileSync(join(this.product.home.gatehouseHome, 'config.json'), JSON.stringify(whole));
  }

  async start(id = 'T-1'): Promise<RunSummary> {
    const task = `---\nid: ${id}\ntitle: A task\nlabels: []\npriority: normal\n---\nDo something.\n`;
    const args = ['start', '-', '--repo', this.repository.clone, '--agent', 'shell', '--json'];
    const [row] = JSON.parse(await this.product.done(args, task)) as RunSummary[];
    if (row === undefined) throw new Error('no run was started');
    return row;
  }

  async killHost(): Promise<void> {
    const { pid } = JSON.parse(await this.product.done(['host', 'status', '--json'])) as { pid: number };
    process.kill(pid, 'SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.product[Symbol.asyncDispose]();
    this.repository.remove();
  }
}
