// `gatehouse demo`: a sample product with real bugs, and runs of the scripted agent on them.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '../../client/client.ts';
import { currentActor } from '../../client/actor.ts';
import { createSample } from '../../demo/create-sample.ts';
import { makeHomeFolders } from '../../platform/home-folders.ts';
import { homePaths, resolveHome } from '../../platform/paths.ts';
import { withClient } from '../connect.ts';
import { loadLauncher } from '../load-launcher.ts';
import { exitDone, say } from '../output.ts';
import { openConsole } from './open-console.ts';

interface DemoOptions {
  readonly runs: number;
  readonly ui: boolean;
  readonly tempo?: number;
}

export async function demo(homeOption: string | undefined, options: DemoOptions): Promise<number> {
  const home = resolveHome(homeOption);
  if (options.ui) (await loadLauncher()).requireTerminal('gatehouse demo --no-ui starts the runs without the console');
  const left = options.ui ? await unfinished(home) : 0;
  if (left > 0) say(`${left} runs of an earlier demo are not finished; opening the console on them`);
  else await startRuns(home, options);
  return options.ui ? openConsole(homeOption) : exitDone;
}

async function startRuns(home: string, options: DemoOptions): Promise<void> {
  say('demo: making the sample repository ...');
  makeHomeFolders(homePaths(home));
  const sample = await createSample(freeFolder(home));
  say(`demo: ${sample.clone} (origin ${sample.origin})`);
  await withClient(home, async (client) => {
    const actor = await currentActor();
    for (let n = 0; n < options.runs; n++) {
      const file = sample.tasks[n % sample.tasks.length] ?? '';
      const { run } = await client.request('run.start', {
        taskText: await readFile(file, 'utf8'),
        source: file,
        repo: sample.clone,
        runtime: 'scripted',
        scenario: options.tempo === undefined ? {} : { tempoMs: options.tempo },
        actor,
      });
      say(`demo: ${n + 1}/${options.runs} ${run.id} started`);
    }
  });
}

/** Runs that still go on in this home. */
async function unfinished(home: string): Promise<number> {
  const client = await Client.connect(home);
  try {
    const { runs } = await client.request('runs.list', {});
    return runs.filter((run) => run.runtime === 'scripted' && run.stage !== 'ready-for-testing').length;
  } finally {
    client.close();
  }
}

function freeFolder(home: string): string {
  for (let n = 1; ; n++) {
    const folder = join(home, n === 1 ? 'demo' : `demo-${n}`);
    if (!existsSync(folder)) return folder;
  }
}
