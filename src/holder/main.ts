// `node main.js SPECFILE`: the process that owns one run's PTY and recording. See src/README.md.
import { readFileSync } from 'node:fs';
import type { HolderSpec } from '../protocol/holder.ts';
import { Holder } from './holder.ts';
import { refuseIfServed } from './unix-server.ts';

// A fault in one request or timer must not take the session along.
process.on('uncaughtException', (error) => console.error(error));
process.on('unhandledRejection', (error) => console.error(error));
// The logout of a terminal, a stray Ctrl-C and the debugger signal mean nothing to a process without a terminal.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGUSR1'] as const) process.on(signal, () => undefined);

void main(process.argv[2] ?? '');

async function main(specFile: string): Promise<void> {
  try {
    const spec = JSON.parse(readFileSync(specFile, 'utf8')) as HolderSpec;
    // Before the recording is touched: its owner may be alive.
    for (const path of [spec.holderSocket, spec.runSocket]) await refuseIfServed(path);
    const holder = new Holder(spec, () => process.exit(0));
    process.on('SIGTERM', () => void holder.close());
    await holder.start();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
