// What the product gives a session of each agent program of the operator's home, with the folders made as it makes them.
import { mkdirSync } from 'node:fs';
import type { RuntimeName } from '../../../src/core/config.ts';
import { adapterFor, defaultRuntimeConfig } from '../../../src/runtimes/registry.ts';
import type { RuntimeAccess } from '../../../src/sandbox/plan.ts';
import { launchContext } from '../../runtimes/launch-context.ts';
import type { Site } from './site.ts';

export type RealRuntime = Exclude<RuntimeName, 'scripted' | 'generic'>;

export function runtimeAccess(site: Site, runtimes: readonly RealRuntime[]): RuntimeAccess {
  const plans = runtimes.map((runtime) => {
    const config = defaultRuntimeConfig(runtime);
    const { runtime: runtimeDir, worktree } = site.run;
    const agentEnv = site.env(true);
    const context = launchContext({ config, runtimeDir, worktree, instructionsFile: import.meta.filename, agentEnv });
    return adapterFor(config).launch(context);
  });
  const writable = plans.flatMap((plan) => plan.writable.map(({ path }) => path));
  const stores = plans.flatMap((plan) => plan.stores);
  for (const path of [...writable, ...stores.map((store) => store.path)]) mkdirSync(path, { recursive: true });
  return { writable, readOnly: [], stores, copied: plans.flatMap((plan) => plan.copied) };
}
