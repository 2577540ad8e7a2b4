// The bare call. Imports next to nothing: what stands between the start and the first frame is waited for by a person.
import { loadLauncher } from '../load-launcher.ts';

export async function openConsole(homeOption: string | undefined): Promise<number> {
  const { launchConsole } = await loadLauncher();
  // Everything else is loaded behind the first frame.
  return launchConsole(async () => (await import('../../platform/paths.ts')).resolveHome(homeOption));
}
