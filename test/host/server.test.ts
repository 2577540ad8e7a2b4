// Clients that stop reading: a console that was suspended, or stands behind a dead connection.
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { RunSummary } from '../../src/core/run.ts';
import { type ClientHandlers } from '../../src/host/requests.ts';
import { OperatorServer } from '../../src/host/server.ts';
import { Channel } from '../../src/protocol/channel.ts';
import type { OperatorEvent } from '../../src/protocol/operator.ts';
import { waitFor } from '../support/wait-for.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const folder = mkdtempSync('/tmp/gh-server-');
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('C080: a subscriber that reads nothing costs the host little, and is told all rows when it reads again', {
  timeout: 60_000,
}, async () => {
  const rows = Array.from({ length: 20 }, (_, n) => ({ id: `r${n}`, lastLine: '' }));
  const path = join(folder, 'op.sock');
  const server = new OperatorServer(
    { rows: () => rows as unknown as RunSummary[] },
    (client) =>
      ({
        'runs.subscribe': () => {
          client.subscribe();
          return { runs: [] };
        },
      }) as unknown as ClientHandlers,
    silent,
  );
  await server.listen(path);
  const subscribe = async (onEvent: (event: OperatorEvent) => void) => {
    const channel = new Channel(createConnection(path));
    channel.handle({ onEvent: (event) => onEvent(event as OperatorEvent) });
    await channel.request('runs.subscribe', {});
    return channel;
  };
  let lazyBytes = 0;
  let lazyLast = '';
  const lazy = await subscribe((event) => {
    if (event.event !== 'runs.changed') return;
    lazyBytes += JSON.stringify(event).length;
    lazyLast = event.changed.findLast((row) => row.id === 'r19')?.lastLine ?? lazyLast;
  });
  lazy.pause();
  let told = 0;
  const other = await subscribe(() => (told += 1));

  const line = 'x'.repeat(16_000);
  const change = (n: number) => {
    for (const row of rows) row.lastLine = `${n} ${line}`;
    server.touch();
  };
  // 320 kB each; the one that reads is told each time.
  for (let n = 1; n <= 40; n++) {
    change(n);
    await waitFor(() => told === n, { what: `change ${n}` });
  }
  lazy.resume();
  await waitFor(() => lazyLast.startsWith('40 '), { what: 'the present rows' });
  expect(lazyBytes).toBeLessThan((40 * 320_000) / 3);
  lazy.destroy();
  other.destroy();
  await server.close();
});
