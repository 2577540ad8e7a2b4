import { maskStrings } from '../../core/secrets.ts';
import { withClient } from '../connect.ts';
import { exitDone, say, sayJson } from '../output.ts';
import { paintFor } from '../paint.ts';
import { renderShow } from '../show/render-show.ts';

export function show(home: string | undefined, run: string, options: { json?: boolean }): Promise<number> {
  return withClient(home, async (client) => {
    const detail = maskStrings(await client.request('run.show', { run }));
    if (options.json) sayJson(detail);
    else say(renderShow(detail, { paint: paintFor(process.stdout, process.env), now: Date.now() }));
    return exitDone;
  });
}
