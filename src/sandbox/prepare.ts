// Writes what a plan needs on disk before its session starts: 0600, folders 0700.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SandboxPlan } from './sandbox-plan.ts';
import { prepareStore } from './stores.ts';

export async function prepareSandbox(plan: SandboxPlan): Promise<void> {
  for (const store of plan.stores) await prepareStore(store);
  for (const folder of plan.folders) await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { path, content, mode = 0o600 } of plan.files) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, content, { mode });
  }
}
