// The demo without a sandbox, and clients of its host within the test's own process.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { Client } from '../../src/client/client.ts';
import { Product } from '../e2e/product.ts';

export class DemoHome implements AsyncDisposable {
  readonly product = new Product();
  private readonly clients: Client[] = [];

  constructor(config: object = {}) {
    mkdirSync(this.product.home.gatehouseHome, { mode: 0o700 });
    const file = join(this.product.home.gatehouseHome, 'config.json');
    writeFileSync(file, JSON.stringify({ sandbox: 'off', ...config }));
  }

  async connect(count: number): Promise<Client[]> {
    // Where the socket is follows from the environment.
    vi.stubEnv('XDG_RUNTIME_DIR', this.product.home.runtimeDir);
    const made = Array.from({ length: count }, () => Client.connect(this.product.home.gatehouseHome));
    this.clients.push(...(await Promise.all(made)));
    return this.clients;
  }

  firstTask(): string {
    return readdirSync(join(this.product.home.gatehouseHome, 'demo/tasks')).toSorted()[0] ?? '';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.clients) client.close();
    vi.unstubAllEnvs();
    await this.product[Symbol.asyncDispose]();
  }
}
