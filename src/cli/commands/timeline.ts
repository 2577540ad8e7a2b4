// Reads files only: it needs no host, and starts none.
import { existsSync } from 'node:fs';
import { GatehouseError } from '../../core/error.ts';
import { maskStrings } from '../../core/secrets.ts';
import { homePaths, resolveHome } from '../../platform/paths.ts';
import { exitDone, say, sayJson } from '../output.ts';
import { paintFor } from '../paint.ts';
import { gatherFile } from '../../timeline/gather-file.ts';
import { gatherRun } from '../../timeline/gather-run.ts';
import type { Timeline } from '../../timeline/item.ts';
import { renderTimeline } from '../timeline/render-timeline.ts';

export async function timeline(
  homeOption: string | undefined,
  target: string,
  options: { json?: boolean },
): Promise<number> {
  const found = maskStrings(await gather(resolveHome(homeOption), target));
  if (options.json) sayJson(found);
  else say(renderTimeline(found, paintFor(process.stdout, process.env)));
  return exitDone;
}

/** A run of this home, else a file. */
function gather(home: string, target: string): Promise<Timeline> {
  const paths = homePaths(home);
  if (!/[/\\]|^\.+$/.test(target) && existsSync(paths.run(target).launch)) return gatherRun(paths, target);
  if (existsSync(target)) return gatherFile(target);
  throw new GatehouseError('run.unknown', `${target} is neither a run nor a file`, 'gatehouse ls lists the runs');
}
