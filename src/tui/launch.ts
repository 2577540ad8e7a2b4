// What the command line starts: paints at once, then loads the rest. Imports nothing large.
import { existsSync } from 'node:fs';
import { GatehouseError } from '../core/error.ts';
import { openFirstFrame } from './first-frame.ts';

type Main = typeof import('./main.tsx');

/** The console of a home, until the operator quits. @throws GatehouseError `terminal.unusable` without a terminal. */
export async function launchConsole(options: { readonly home: string }): Promise<number> {
  requireTerminal('gatehouse ls shows the runs as text');
  const opened = openFirstFrame(process.stdin, process.stdout, process.env);
  return (await loadMain()).runConsole({ ...options, opened });
}

function requireTerminal(instead: string): void {
  if (process.stdin.isTTY && process.stdout.isTTY) return;
  throw new GatehouseError('terminal.unusable', 'standard input and output are not a terminal', instead);
}

/** The built product has everything in one file beside this folder; that is several times faster to load. */
async function loadMain(): Promise<Main> {
  const bundle = new URL('../console.js', import.meta.url);
  process.env['NODE_ENV'] ??= 'production';
  if (existsSync(bundle)) return (await import(bundle.href)) as Main;
  return import('./main.tsx');
}
