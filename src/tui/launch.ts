// What the command line starts: paints at once, then loads the rest. Imports nothing large.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { GatehouseError } from '../core/error.ts';
import { onTerminal } from './first-frame.ts';
import type { ConsolePorts } from './ports.ts';

type Main = typeof import('./main.tsx');

// Each of these gives the exit code.

/** The console of a home, until the operator quits. `home` is asked for only once the first frame is on the screen. */
export function launchConsole(home: () => Promise<string>): Promise<number> {
  requireTerminal('gatehouse ls shows the runs as text');
  return onTerminal(async (opened) => {
    const [main, ofHome] = await Promise.all([loadMain(), home()]);
    return main.runConsole({ home: ofHome, ports: clientPorts(main, ofHome), opened });
  });
}

/** A run's live terminal, read-write or read-only, until it is left. */
export function launchAttach(home: string, run: string, mode: 'attach' | 'watch'): Promise<number> {
  requireTerminal('gatehouse show tells about the run as text');
  return onTerminal(async (opened) => {
    const main = await loadMain();
    return main.runConsole({ home, ports: clientPorts(main, home), opened, begin: { mode, run } });
  });
}

/** A recording, from `atMs` on. */
export function launchReplay(replay: { file: string; atMs: number; label: string }): Promise<number> {
  requireTerminal('gatehouse timeline tells what happened as text');
  return onTerminal(async (opened) => (await loadMain()).runReplay({ ...replay, opened }));
}

/** `instead`: what can be done without one. @throws GatehouseError `terminal.unusable`. */
export function requireTerminal(instead: string): void {
  const why = unusable();
  if (why !== null) throw new GatehouseError('terminal.unusable', why, instead);
}

function unusable(): string | null {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return 'standard input and output are not a terminal';
  const term = process.env['TERM'] ?? '';
  if (term === '') return 'TERM is not set, so what this terminal can do is not known';
  return term === 'dumb' ? 'this terminal obeys no escape sequences (TERM=dumb)' : null;
}

/** The built product has everything in one file beside this folder; that is several times faster to load. */
async function loadMain(): Promise<Main> {
  const bundle = new URL('../console.js', import.meta.url);
  process.env['NODE_ENV'] ??= 'production';
  // Compiled code is kept beside the bundle; where that cannot be written, Node goes on without.
  enableCompileCache(fileURLToPath(new URL('../.compile-cache', import.meta.url)));
  if (existsSync(bundle)) return (await import(bundle.href)) as Main;
  return import('./main.tsx');
}

function clientPorts(main: Main, home: string): ConsolePorts {
  return {
    connect: (signal) => main.connectHost(home, signal),
    // Asks git for the operator's name: loaded when a decision is recorded, not before.
    actor: async () => (await import('../client/actor.ts')).currentActor(),
    signer: async () => (await import('../client/approval-settings.ts')).requiredSigner(home),
    timeline: async (run) => (await import('../timeline/gather-run.ts')).gatherRunAt(run.dir),
  };
}
