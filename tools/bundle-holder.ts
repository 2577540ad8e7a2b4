// The holder as one CommonJS file: node's module loader for ES modules alone would cost each holder 2 MB of private memory.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Writes `holder.cjs` into `dist` when the holder's entry has been compiled. */
export async function bundleHolder(dist: string): Promise<void> {
  const input = join(dist, 'holder/main.js');
  if (!existsSync(input)) return;
  const bundle = await rolldown({ input, platform: 'node', external: [/^node:/, 'node-pty'], logLevel: 'warn' });
  try {
    await bundle.write({ file: join(dist, 'holder.cjs'), format: 'cjs', codeSplitting: false });
  } finally {
    await bundle.close();
  }
}
