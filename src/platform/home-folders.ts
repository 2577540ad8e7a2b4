// Makes the folders that a home needs, and says in words what is wrong with those that cannot be used.
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { GatehouseError } from '../core/error.ts';
import type { HomePaths } from './paths.ts';

/** @throws GatehouseError `home.unusable`. */
export function makeHomeFolders({ home, runs, socketDir }: HomePaths): void {
  const other = 'name a folder that you can write: --home DIR, or GATEHOUSE_HOME';
  makeWritable(home, other);
  makeWritable(runs, other);
  makeWritable(socketDir, 'let XDG_RUNTIME_DIR name a folder that you can write, or unset it');
}

function makeWritable(folder: string, hint: string): void {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new GatehouseError('home.unusable', `${folder} cannot be used: ${(cause as Error).message}`, hint, { cause });
  }
}

/**
 * Not Node's recursive mkdir: that one never returns where the kernel refuses a folder as if its parent were missing, as
 * below /proc.
 */
function makeFolder(path: string): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) return;
  if (there !== undefined) throw new Error(`${path} is not a folder`);
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Host and clients may make it at the same moment.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
