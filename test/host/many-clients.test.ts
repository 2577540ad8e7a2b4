// Several clients at once against one host: what was accepted is on record exactly once, whoever asked.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { RunSummary } from '../../src/core/run.ts';
import { verifyChain } from '../../src/engine/journal.ts';
import { loadEngineKey } from '../../src/engine/engine-key.ts';
import { patient, select, type } from '../e2e/at-the-console.ts';
import { recommendedLine } from '../e2e/product.ts';
import { caseSize } from '../support/case-size.ts';
import { type TestTerminal, openBuilt } from '../support/terminal.ts';
import { waitFor } from '../support/wait-for.ts';
import { DemoHome } from './demo-home.ts';

const operations = 1_000;
const runs = 4;
/** Runs that each console, and the command line, stops meanwhile. */
const stops = caseSize({ usual: 4, full: 30 });

test('C100: two consoles, two clients and the command line with 1,000 mixed operations: no update is lost', {
  timeout: 600_000,
}, async () => {
  await using demo = new DemoHome();
  const { product } = demo;
  await product.demo(runs);
  const rows = await waitFor(
    async () => {
      const all = await product.list();
      return all.every((row) => row.pendingToken !== null) ? all : undefined;
    },
    { what: 'all runs to wait at gate 1', timeoutMs: 240_000, intervalMs: 500 },
  );
  const clients = await demo.connect(2);
  const task = readFileSync(join(product.home.gatehouseHome, 'demo/tasks', demo.firstTask()), 'utf8');
  const accepted: Record<string, string[]> = { stop: [], feedback: [], approve: [], start: [] };
  const repo = rows[0] === undefined ? '' : ((await product.show(rows[0].id)).state?.repository?.root ?? '');

  const wrong: string[] = [];

  /** What the nth operation is follows from n alone; both clients do the same kinds on the same runs. */
  const operate = async (client: Client, n: number): Promise<void> => {
    const which = Math.floor(n / 10) % runs;
    const row = rows[which] as RunSummary;
    const run = row.id;
    const name = `operator ${n}`;
    const actor = { name, user: 'test', tty: null };
    const note = (kind: string) => () => void accepted[kind]?.push(`${run} ${name}`);
    const refused = ({ code = '' }: { code?: string }) => {
      if (!/^(gate|run|stage|review)\.|^usage\.invalid$/.test(code)) wrong.push(`${n}: ${code}`);
    };
    const check = (is: boolean) => {
      if (!is) wrong.push(`${n}: another answer`);
    };
    switch (n % 10) {
      case 0:
      case 1:
      case 2:
        return client.request('run.stop', { run, actor }).then(note('stop'));
      case 3:
        return client
          .request('run.approve', { run, line: '[START DEVELOPMENT] ', actor })
          .then(note('approve'), refused);
      case 4:
        return which < 2
          ? client.request('run.approve', { run, line: recommendedLine(row), actor }).then(note('approve'), refused)
          : client.request('run.feedback', { run, text: `from ${n}`, actor }).then(note('feedback'), refused);
      case 5:
        return n > 200 || n < 100
          ? client.request('run.grant', { run, actor }).then(() => check(false), refused)
          : client
              .request('run.start', {
                taskText: task.replace(/^id: .*$/m, `id: N-${n}`),
                source: 'test',
                repo,
                actor,
                runtime: 'scripted',
              })
              .then(({ run: started }) => accepted['start']?.push(started.id))
              .then(() => {});
      case 6:
        return client.request('run.show', { run }).then((detail) => check(detail.id === run));
      case 7:
        return client
          .request('run.artifact', { run, name: 'diagnosis.md' })
          .then((found) => check(found.name === 'diagnosis.md'));
      default:
        return client.request('runs.list', {}).then((list) => check(list.runs.length >= runs));
    }
  };
  await using first = openBuilt('gatehouse', { env: product.home.env, cols: 120, rows: 40 });
  await using second = openBuilt('gatehouse', { env: product.home.env, cols: 90, rows: 24 });
  const others = [
    ...[first, second].map((terminal) => (row: RunSummary) => stopByKeys(terminal, row)),
    (row: RunSummary) => product.done(['stop', row.id]),
  ].map(async (stop, which) => {
    for (let n = 0; n < stops; n += 1) {
      const row = rows[(n + which) % runs] as RunSummary;
      await stop(row);
      accepted['stop']?.push(`${row.id} Test Operator`);
    }
  });
  const batch = 20;
  for (let from = 0; from < operations; from += batch * clients.length)
    await Promise.all(
      clients.flatMap((client, which) =>
        Array.from({ length: batch }, (_, index) => operate(client, from + index * clients.length + which)),
      ),
    );
  await Promise.all(others);

  expect(wrong).toEqual([]);
  expect(accepted['stop']).toHaveLength(operations * 0.3 + others.length * stops);
  expect(accepted['start']?.length).toBeGreaterThan(5);
  // Each gate was decided once, by one of them.
  expect(accepted['approve']?.map((each) => each.split(' ')[0]).toSorted()).toEqual(
    rows.slice(0, 2).map((row) => row.id),
  );
  expect(accepted['feedback']?.map((each) => each.split(' ')[0]).toSorted()).toEqual(
    rows.slice(2).map((row) => row.id),
  );
  const key = await loadEngineKey(join(product.home.gatehouseHome, 'engine.key'));
  const recorded: Record<string, string[]> = { 'session.stopped': [], 'gate.sent-back': [], 'gate.approved': [] };
  for (const row of rows) {
    const chain = verifyChain(readFileSync(join(row.dir, 'journal.jsonl'), 'utf8'), key);
    expect({ fault: chain.fault, torn: chain.torn }).toEqual({ fault: null, torn: false });
    const state = JSON.parse(readFileSync(join(row.dir, 'state.json'), 'utf8')) as { seq: number; head: string };
    expect(state).toMatchObject({ seq: chain.entries.length, head: chain.entries.at(-1)?.hash });
    for (const { event } of chain.entries)
      if ('operator' in event) recorded[event.type]?.push(`${row.id} ${event.operator.name}`);
  }
  expect(recorded['session.stopped']?.toSorted()).toEqual(accepted['stop']?.toSorted());
  expect(recorded['gate.sent-back']?.toSorted()).toEqual(accepted['feedback']?.toSorted());
  expect(recorded['gate.approved']?.toSorted()).toEqual(accepted['approve']?.toSorted());
  const ids = (await product.list()).map((row) => row.id).toSorted();
  expect(ids).toEqual([...rows.map((row) => row.id), ...(accepted['start'] ?? [])].toSorted());
});

async function stopByKeys(terminal: TestTerminal, { id, task }: RunSummary): Promise<void> {
  await select(terminal, task.id);
  terminal.write('X');
  await terminal.waitForText(`Type the run id to stop it: ${id}`, patient);
  await type(terminal, id);
  await terminal.waitForText(`> ${id}`, patient);
  terminal.write('\r');
  await terminal.waitForText(`${id} is stopped`, patient);
}
