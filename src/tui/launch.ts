// What the command line starts: paints at once, then loads the rest. Imports nothing large.
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { GatehouseError } from '../core/error.ts';
import { openFirstFrame } from './first-frame.ts';
import type { ConsolePorts } from './ports.ts';

type Main = typeof import('./main.tsx');

export interface LaunchOptions {
  /** As a function it is asked for only once the first frame is on the screen. */
  readonly home: string | (() => Promise<string>);
  readonly ports?: ConsolePorts;
}

/** The console of a home, until the operator quits. @throws GatehouseError `terminal.unusable` without a terminal. */
export async function launchConsole(options: LaunchOptions): Promise<number> {
  requireTerminal('gatehouse ls shows the runs as text');
  const opened = openFirstFrame(process.stdin, process.stdout, process.env);
  const [main, home] = await Promise.all([loadMain(), homeOf(options)]);
  return main.runConsole({ home, ports: options.ports ?? clientPorts(main, home), opened });
}

/** A run's live terminal, read-write or read-only, until it is left. `run`: a run id, or a task id that only one run has. */
export async function launchAttach(
  options: LaunchOptions & { readonly run: string; readonly mode: 'attach' | 'watch' },
): Promise<number> {
  requireTerminal('gatehouse show tells about the run as text');
  const opened = openFirstFrame(process.stdin, process.stdout, process.env);
  const [main, home] = await Promise.all([loadMain(), homeOf(options)]);
  const ports = options.ports ?? clientPorts(main, home);
  return main.runConsole({ home, ports, opened, begin: { mode: options.mode, run: options.run } });
}

/** A recording, from `atMs` on. */
export async function launchReplay(options: {
  readonly file: string;
  readonly atMs?: number;
  readonly label?: string;
}): Promise<number> {
  requireTerminal('gatehouse timeline tells what happened as text');
  const { file, atMs, label } = options;
  const opened = openFirstFrame(process.stdin, process.stdout, process.env);
  const main = await loadMain();
  return main.runReplay({
    file,
    opened,
    ...(atMs === undefined ? {} : { at: atMs }),
    ...(label === undefined ? {} : { label }),
  });
}

async function homeOf({ home }: LaunchOptions): Promise<string> {
  return typeof home === 'string' ? home : home();
}

function requireTerminal(instead: string): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new GatehouseError('terminal.unusable', 'standard input and output are not a terminal', instead);
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
    connect: () => main.connectHost(home),
    // Asks git for the operator's name: loaded when a decision is recorded, not before.
    actor: async () => (await import('../client/actor.ts')).currentActor(),
    signer: async () => (await import('../client/approval-settings.ts')).requiredSigner(home),
    timeline: async (run) => (await import('../timeline/gather-run.ts')).gatherRunAt(run.dir),
  };
}
