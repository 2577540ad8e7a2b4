// Everything that takes over the terminal: the console, attach and watch, replay. Loaded late, as one bundled file.
import { resolveHome } from '../../platform/paths.ts';

export async function openConsole(homeOption: string | undefined): Promise<number> {
  const { launchConsole } = await import('../../tui/launch.ts');
  return launchConsole({ home: resolveHome(homeOption) });
}
