import type { Client } from '../../client/client.ts';
import { maskSecrets, maskStrings } from '../../core/secrets.ts';
import { withClient } from '../connect.ts';
import { exitDone, say, sayJson } from '../output.ts';
import { paintFor } from '../paint.ts';
import { renderShow } from '../show/render-show.ts';

interface ShowOptions {
  readonly json?: boolean;
  readonly pullRequest?: boolean;
}

export function show(home: string | undefined, run: string, options: ShowOptions): Promise<number> {
  return withClient(home, async (client) => {
    if (options.pullRequest) return pullRequest(client, run);
    const detail = maskStrings(await client.request('run.show', { run }));
    if (options.json) sayJson(detail);
    else say(renderShow(detail, { paint: paintFor(process.stdout, process.env), now: Date.now() }));
    return exitDone;
  });
}

/** Title line and text for a pull request of the review branch: what the second gate showed. */
async function pullRequest(client: Client, run: string): Promise<number> {
  const { task } = await client.request('run.show', { run });
  const { text } = await client.request('run.artifact', { run, name: 'ship-summary.md' });
  say(maskSecrets(`${task.id}: ${task.title}\n\n${text.trimEnd()}`));
  return exitDone;
}
