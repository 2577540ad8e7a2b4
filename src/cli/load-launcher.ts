import { existsSync } from 'node:fs';

/** What starts the console; the build has it as one file, which loads faster. */
export function loadLauncher(): Promise<typeof import('../tui/launch.ts')> {
  const bundle = new URL('../start/launch.js', import.meta.url);
  return existsSync(bundle) ? import(bundle.href) : import('../tui/launch.ts');
}
