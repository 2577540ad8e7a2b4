// A host that is killed between Enter and its answer, seen from the console: what is said is what is on record.
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunDetail } from '../../src/core/run.ts';
import { type TestTerminal, openBuilt } from '../support/terminal.ts';
import { recommendedLine } from './product.ts';
import { Site } from './site.ts';

const patient = { timeoutMs: 60_000 };

describe('C095: the host is killed between Enter and its answer', () => {
  test('before it has read the line: not recorded, the line stays, and Enter sends it again', {
    timeout: 240_000,
  }, async () => {
    await using site = await Site.open();
    await using gate = await openGate(site);
    const { terminal, waiting, line } = gate;
    const pid = await site.hostPid();
    // It takes the request into its socket and never reads it.
    process.kill(pid, 'SIGSTOP');
    terminal.write('\r');
    await terminal.waitForText('sent; waiting for the record', patient);
    process.kill(pid, 'SIGKILL');
    await terminal.waitForText('Not recorded: the connection was lost', patient);
    await terminal.waitForText(`> ${line}`, patient);
    expect((await site.show(waiting.id)).state?.approvals).toEqual([]);

    terminal.write('\r');
    await terminal.waitForText('Recorded at', patient);
    expect((await site.show(waiting.id)).state?.approvals).toMatchObject([{ line, gate: 'development' }]);
  });

  test('after it has written the approval: recorded, once', { timeout: 240_000 }, async () => {
    await using site = await Site.open();
    await using gate = await openGate(site);
    const { terminal, waiting, line } = gate;
    const journal = join(waiting.dir, 'journal.jsonl');
    const pid = await site.hostPid();
    const watcher = watch(journal, () => {
      if (!readFileSync(journal, 'utf8').includes('"gate.approved"')) return;
      watcher.close();
      process.kill(pid, 'SIGKILL');
    });
    try {
      terminal.write('\r');
      await terminal.waitForText('Recorded at', patient);
    } finally {
      watcher.close();
    }
    expect(await site.hostPid()).not.toBe(pid);
    expect((await site.show(waiting.id)).state?.approvals).toMatchObject([{ line, gate: 'development' }]);
  });
});

interface Gate extends AsyncDisposable {
  readonly terminal: TestTerminal;
  readonly waiting: RunDetail;
  readonly line: string;
}

/** A console whose token prompt holds the line that opens gate 1. Enter is still to be pressed. */
async function openGate(site: Site): Promise<Gate> {
  const { id } = await site.scripted();
  const waiting = await site.until(id, 'to reach gate 1', (row) => row.pendingToken !== null);
  const line = recommendedLine(waiting);
  const terminal = openBuilt('gatehouse', { env: site.product.home.env, cols: 110, rows: 40 });
  await terminal.waitForText(waiting.task.id, patient);
  terminal.write('t');
  await terminal.waitForText('You approve exactly this', patient);
  // A key at a time: what comes in one piece is taken for a paste.
  for (const [index, character] of Array.from(line).entries()) {
    terminal.write(character);
    await terminal.waitForText(`> ${line.slice(0, index + 1).trimEnd()}`, patient);
  }
  return { terminal, waiting, line, [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose]() };
}
