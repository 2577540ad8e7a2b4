// From the start of a command to its end: what the launchers and their imports cost beyond Node itself.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { compare } from './support/report.ts';

const bin = join(import.meta.dirname, '../dist/bin');

for (const program of ['gatehouse', 'lattice']) {
  await compare({
    what: `${program} --version`,
    unit: 'ms',
    referenceName: 'node -e 0',
    ours: () => runMs([join(bin, `${program}.js`), '--version']),
    reference: () => runMs(['-e', '0']),
    target: '<= 2x',
  });
}

function runMs(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}; is it built (npm run build)?`);
  return performance.now() - startedAt;
}
