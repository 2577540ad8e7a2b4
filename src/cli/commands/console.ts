// Attach and watch, replay: they take over the terminal as the console does. Loaded late, as one bundled file.
import { existsSync } from 'node:fs';
import { GatehouseError } from '../../core/error.ts';
import { homePaths, resolveHome } from '../../platform/paths.ts';
import { withClient } from '../connect.ts';
import { loadLauncher } from '../load-launcher.ts';

export async function attach(homeOption: string | undefined, run: string, mode: 'attach' | 'watch'): Promise<number> {
  const home = resolveHome(homeOption);
  await withClient(home, (client) => client.request('run.show', { run }));
  const { launchAttach } = await loadLauncher();
  return launchAttach(home, run, mode);
}

export async function replay(
  homeOption: string | undefined,
  target: string,
  options: { at?: string },
): Promise<number> {
  const atMs = options.at === undefined ? 0 : clockTime(options.at);
  const file = recordingOf(resolveHome(homeOption), target);
  const { launchReplay } = await loadLauncher();
  return launchReplay({ file, atMs, label: target });
}

/** A run's recording, or the file itself. */
export function recordingOf(home: string, target: string): string {
  const ofRun = /[/\\]/.test(target) ? null : homePaths(home).run(target).recording;
  for (const path of [ofRun, target]) if (path !== null && existsSync(path)) return path;
  throw new GatehouseError(
    'file.unreadable',
    `${target} is neither a run with a recording nor a file`,
    'gatehouse ls lists the runs',
  );
}

/** `90`, `12:30`, `1:02:03` as milliseconds. */
function clockTime(text: string): number {
  if (!/^\d{1,6}(:[0-5]?\d){0,2}$/.test(text)) {
    throw new GatehouseError('usage.invalid', `"${text}" is not a time`, 'give it as 90, 12:30 or 1:02:03');
  }
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000;
}
