// Where attacks happen: a PID namespace of its own, the file system read-only, a small tmpfs as /tmp, no capabilities.
// A defence that fails harms nothing outside of it. Sessions of both modes run inside.
import { repositoryRoot } from '../support/paths.ts';

const tmpBytes = 512 * 1024 * 1024;

export function arenaArgv(bwrap: string, argv: readonly string[]): string[] {
  return [
    // Not bwrap's own /proc: it is partly covered, and then the kernel allows no sandbox inside to mount another.
    'unshare',
    '--user',
    '--map-root-user',
    '--pid',
    '--fork',
    '--kill-child=KILL',
    '--mount',
    '--mount-proc',
    bwrap,
    '--unshare-user',
    '--uid',
    '1000',
    '--gid',
    '1000',
    '--cap-drop',
    'ALL',
    '--unshare-ipc',
    '--die-with-parent',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--bind',
    '/proc',
    '/proc',
    '--size',
    String(tmpBytes),
    '--tmpfs',
    '/tmp',
    '--tmpfs',
    '/run',
    '--tmpfs',
    '/var/tmp',
    // The checkout may itself lie in one of the folders that are empty now.
    '--ro-bind',
    repositoryRoot,
    repositoryRoot,
    '--',
    ...argv,
  ];
}
