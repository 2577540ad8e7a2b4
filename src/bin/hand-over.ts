import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

/** Starts this program again under the Node that the installation brought along, and ends as it ends. */
export function handOver(oldestMajor: number): void {
  const node = installedNode();
  if (node === null) {
    process.stderr.write(`Node ${oldestMajor} or newer is needed; this is ${process.versions.node}.\n`);
    process.stderr.write('Install a newer Node, or run `npm ci` on Linux, which brings one along.\n');
    process.exitCode = 1;
    return;
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // The terminal sends these to both processes; the program under us decides what they mean.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {});
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    process.stderr.write(`${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 128 + constants.signals[signal] : 1);
  });
}

function installedNode(): string | null {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return null;
  }
}
