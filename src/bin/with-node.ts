// Our dependencies need a newer Node than many machines have. The installation brings one along as an npm package;
// a launcher that was started by an older Node hands over to it. Imports nothing: start-up time counts.

const oldestMajor = 22;

/** Runs `main` here when this process's Node is new enough, otherwise the whole program under the installed one. */
export async function withNode(main: () => Promise<number>): Promise<void> {
  // A reader that has seen enough (`| head`) is no fault; what is left to say has nobody to hear it.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  if (Number.parseInt(process.versions.node, 10) >= oldestMajor) process.exitCode = await main();
  else (await import('./hand-over.ts')).handOver(oldestMajor);
}
