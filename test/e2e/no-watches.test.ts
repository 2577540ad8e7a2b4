// A host that gets no file watch, because the system has none left for it. The limit is one of a user namespace of its own.
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtPrograms } from '../support/paths.ts';
import { runProgram } from '../support/run-program.ts';
import { openBuilt } from '../support/terminal.ts';
import { waitFor } from '../support/wait-for.ts';
import { Product } from './product.ts';

const withoutWatches = ['-Ur', 'sh', '-c', 'echo 0 > /proc/sys/user/max_inotify_watches && exec "$@"', 'sh'];
const possible = spawnSync('unshare', [...withoutWatches, 'true']).status === 0;

test.skipIf(!possible)(
  'C084: changes are noticed without watches, and a banner says how',
  { timeout: 180_000 },
  async () => {
    await using product = new Product();
    const demo = [process.execPath, builtPrograms.gatehouse, 'demo', '--no-ui', '--runs', '1', '--tempo', '0'];
    const started = await runProgram('unshare', [...withoutWatches, ...demo], { env: product.home.env });
    expect(started).toMatchObject({ code: 0 });
    const waiting = await product.waitForRun('tb-101', 'to wait at gate 1', (row) => row.pendingToken !== null);
    expect(waiting.changes).toBe('rescanned');

    // Nobody asks for anything meanwhile: the host finds it by itself.
    appendFileSync(join(waiting.dir, 'artifacts', 'idea.md'), '\nAnd one more thing.\n');
    const journal = () => readFileSync(join(waiting.dir, 'journal.jsonl'), 'utf8');
    await waitFor(() => journal().includes('"gate.represented"'), {
      what: 'the gate to be presented again',
    });

    await using terminal = openBuilt('gatehouse', { env: product.home.env, cols: 120, rows: 30 });
    await terminal.waitForText('No file watches left: artifacts of 1 of 1 runs');
  },
);
