import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { currentActor } from '../../client/actor.ts';
import type { RuntimeName } from '../../core/config.ts';
import { GatehouseError } from '../../core/error.ts';
import type { RunSummary } from '../../core/run.ts';
import { withClient } from '../connect.ts';
import { readInput } from '../input.ts';
import { complain, exitDone, exitRefused, say, sayJson } from '../output.ts';

interface StartOptions {
  readonly repo: string;
  readonly runtime?: string;
  readonly agent?: string;
  readonly json?: boolean;
}

/** One run per task file; a task that cannot be started does not keep the others from it. */
export async function start(
  home: string | undefined,
  tasks: readonly string[],
  options: StartOptions,
): Promise<number> {
  const texts = await Promise.all(tasks.map(readTask));
  return withClient(home, async (client) => {
    const actor = await currentActor();
    const started: RunSummary[] = [];
    let failed = false;
    for (const { source, text } of texts) {
      try {
        const { run } = await client.request('run.start', {
          taskText: text,
          source,
          repo: resolve(options.repo),
          actor,
          ...(options.runtime === undefined ? {} : { runtime: options.runtime as RuntimeName }),
          ...(options.agent === undefined ? {} : { agent: options.agent }),
        });
        started.push(run);
        if (options.json) continue;
        say(`${run.id}: started with ${run.runtime} in ${run.worktree}`);
        if (run.runtimeWarning !== null) say(`${run.id}: ${run.runtimeWarning}`);
      } catch (error) {
        failed = true;
        complain(error);
      }
    }
    if (options.json) sayJson(started);
    return failed ? exitRefused : exitDone;
  });
}

async function readTask(source: string): Promise<{ source: string; text: string }> {
  if (source === '-') return { source: 'standard input', text: await readInput() };
  try {
    return { source, text: await readFile(source, 'utf8') };
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (cause as Error).message;
    throw new GatehouseError('task.unreadable', `${source}: ${why}`, 'name a task file, or - for standard input', {
      cause,
    });
  }
}
