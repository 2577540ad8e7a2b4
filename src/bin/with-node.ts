// Our dependencies need a newer Node than many machines have. The installation brings one along as an npm package;
// a launcher that was started by an older Node hands over to it. Loads only built-ins: start-up time counts.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';

const oldestMajor = 22;

/** Runs `main` here when this process's Node is new enough, otherwise starts this program again under the installed one. */
export async function withNode(main: () => Promise<number>): Promise<void> {
  if (Number.parseInt(process.versions.node, 10) >= oldestMajor) {
    process.exitCode = await main();
    return;
  }
  const node = installedNode();
  if (node === null) {
    process.stderr.write(`Node ${oldestMajor} or newer is needed; this is ${process.versions.node}.\n`);
    process.stderr.write('Install a newer Node, or run `npm ci` on Linux, which brings one along.\n');
    process.exitCode = 1;
    return;
  }
  handOver(node);
}

function handOver(node: string): void {
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
