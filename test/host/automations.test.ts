// Automations of the configuration, on the built product: what runs outside when a run enters a stage.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Product } from '../e2e/product.ts';
import { waitFor } from '../support/wait-for.ts';

interface Heard {
  readonly id: string;
  readonly automation: string;
  readonly from: string;
  readonly to: string;
  readonly run: { readonly id: string; readonly stage: string };
}

describe('automations', () => {
  test('a command gets the run as JSON, once per transition; one that fails or hangs changes nothing', {
    timeout: 180_000,
  }, async () => {
    await using product = new Product();
    const heardFile = join(product.home.root, 'heard');
    configure(product, [
      { name: 'tell', on: 'draft', command: ['/bin/sh', '-c', `cat >> ${heardFile}`] },
      { name: 'tell-gate', on: 'await-development', command: ['/bin/sh', '-c', `cat >> ${heardFile}`] },
      { name: 'fails', on: 'draft', command: ['/bin/sh', '-c', 'echo sk-ant-api03-0123456789abcdefghij; exit 3'] },
      // Its child would hold the pipes open for as long as it lives.
      { name: 'hangs', on: 'draft', command: ['/bin/sh', '-c', 'sleep 600 & wait'], timeoutSeconds: 1 },
      { name: 'missing', on: 'draft', command: ['/nowhere/at-all'] },
    ]);
    const [row] = await product.demo(1);
    const run = row?.id ?? '';
    await product.waitForRun(run, 'to reach gate 1', (each) => each.pendingToken !== null);
    const notes = await waitFor(
      () => {
        const all = readNotes(row?.dir ?? '');
        return all.filter((note) => note.what !== 'started').length === 5 ? all : undefined;
      },
      { what: () => `five ends: ${JSON.stringify(readNotes(row?.dir ?? ''))}` },
    );
    expect(end(notes, 'fails')).toMatchObject({ what: 'failed', exitCode: 3, output: '[masked]\n' });
    expect(end(notes, 'hangs')).toMatchObject({ what: 'failed', timedOut: true });
    expect(end(notes, 'missing')).toMatchObject({ what: 'failed' });
    expect(end(notes, 'tell')).toMatchObject({ what: 'done', exitCode: 0 });
    const heard = readHeard(heardFile);
    expect(heard.map((each) => [each.automation, each.from, each.to, each.run.id].join(' ')).toSorted()).toEqual([
      `tell diagnose draft ${run}`,
      `tell-gate draft await-development ${run}`,
    ]);

    // A host that was killed before it noted how far it had come gives the same effects again.
    await killHost(product);
    writeFileSync(join(row?.dir ?? '', 'effects.done'), '1\n');
    await product.waitForRun(run, 'to be adopted', (each) => each.pendingToken !== null);
    await product.done(['feedback', run, 'Once more, please.']);
    await product.waitForRun(run, 'to reach gate 1 again', (each) => each.stage === 'await-development');
    await waitFor(() => readHeard(heardFile).length === 4, {
      what: () => `two more transitions: ${readFileSync(heardFile, 'utf8').slice(-2000)}`,
    });
    expect(new Set(readHeard(heardFile).map((each) => each.id)).size).toBe(4);
  });

  test('one that was cut off with its host is fired again, with the same id', { timeout: 180_000 }, async () => {
    await using product = new Product();
    const heardFile = join(product.home.root, 'heard');
    const go = join(product.home.root, 'go');
    const command = ['/bin/sh', '-c', `cat >> ${heardFile}; while [ ! -e ${go} ]; do sleep 0.1; done`];
    configure(product, [{ name: 'slow', on: 'diagnose', command, timeoutSeconds: 300 }]);
    const [row] = await product.demo(1);
    await waitFor(() => existsSync(heardFile) && readHeard(heardFile).length === 1, { what: 'the command to run' });
    await killHost(product);
    await product.list();
    await waitFor(() => readHeard(heardFile).length === 2, { what: 'the command to run again' });
    writeFileSync(go, '');
    await waitFor(() => end(readNotes(row?.dir ?? ''), 'slow'), { what: 'its end' });
    expect(new Set(readHeard(heardFile).map((each) => each.id)).size).toBe(1);
    await killHost(product);
    await product.list();
    expect(readHeard(heardFile)).toHaveLength(2);
  });

  test('a testing agent is started as one new run, and its own stages start no other', {
    timeout: 180_000,
  }, async () => {
    await using product = new Product();
    configure(product, [
      {
        name: 'try-it',
        on: 'diagnose',
        startAgent: { agent: 'tester', title: 'Try {task}', description: 'Try what {run} says about "{title}".' },
      },
    ]);
    const [row] = await product.demo(1);
    const testing = await waitFor(async () => (await product.list()).find((each) => each.id !== row?.id), {
      what: 'the testing run',
      intervalMs: 250,
    });
    expect(testing).toMatchObject({ agent: 'tester', task: { id: 'TB-101-testing', title: 'Try TB-101' } });
    const its = await waitFor(() => end(readNotes(testing.dir), 'try-it'), { what: 'its own entry of the stage' });
    expect(its).toMatchObject({ what: 'done' });
    expect(its).not.toHaveProperty('run');
    expect(end(readNotes(row?.dir ?? ''), 'try-it')).toMatchObject({ what: 'done', run: testing.id });
    await killHost(product);
    writeFileSync(join(row?.dir ?? '', 'effects.done'), '1\n');
    // Even where the note of it is lost, the run itself tells.
    writeFileSync(join(row?.dir ?? '', 'automations.jsonl'), '');
    await product.list();
    const again = await waitFor(() => end(readNotes(row?.dir ?? ''), 'try-it'), { what: 'the effect again' });
    expect(again).toMatchObject({ what: 'done', run: testing.id });
    expect(await product.list()).toHaveLength(2);
  });
});

function configure(product: Product, automations: readonly object[]): void {
  mkdirSync(product.home.gatehouseHome, { mode: 0o700 });
  const agents = { tester: { runtime: 'scripted' } };
  const config = { sandbox: 'off', agents, automations };
  writeFileSync(join(product.home.gatehouseHome, 'config.json'), JSON.stringify(config));
}

async function killHost(product: Product): Promise<void> {
  const { pid } = JSON.parse(await product.done(['host', 'status', '--json'])) as { pid: number };
  process.kill(pid, 'SIGKILL');
}

function readNotes(dir: string): { what: string; automation: string }[] {
  const file = join(dir, 'automations.jsonl');
  return existsSync(file) ? readLines<{ what: string; automation: string }>(file) : [];
}

function end(notes: readonly { what: string; automation: string }[], automation: string) {
  return notes.find((note) => note.automation === automation && note.what !== 'started');
}

const readHeard = (file: string) => readLines<Heard>(file);

function readLines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
