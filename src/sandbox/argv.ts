// The bwrap command line of a session. Pure: the same plan gives the same words.
//
// Order is the meaning: a later mount lies on top of an earlier one. What a configuration can name comes before what
// protects Gatehouse, so that no bind, however wide, uncovers another run or the operator's socket.
import { join } from 'node:path';
import { isolation } from './isolation.ts';
import type { CuratedFolder, MaskedPath, SandboxPlan } from './sandbox-plan.ts';
import { storeWords } from './stores.ts';

// The session's own terminal stays its controlling terminal, so `--new-session` is only for where no filter can be had.
const filterDescriptor = '9';

export function sandboxArgv(plan: SandboxPlan, argv: readonly string[]): string[] {
  const words = [
    plan.bwrap.program,
    ...isolation,
    ...(plan.seccomp === null ? ['--new-session'] : []),
    ...baseSystem(plan),
    ...plan.curated.flatMap((folder) => curatedFolder(plan, folder)),
    ...sorted(plan.visible).flatMap((path) => ['--ro-bind', path, path]),
    ...sorted(plan.writable).flatMap((path) => ['--bind', path, path]),
    ...plan.stores.flatMap(storeWords),
    ...plan.copies.flatMap(({ source, target }) => ['--bind', source, target]),
    ...sorted(plan.guarded).flatMap((path) => ['--ro-bind', path, path]),
    ...plan.masked.flatMap((path) => maskedPath(plan, path)),
    ...runFolders(plan),
    ...gitView(plan),
    ...worktree(plan),
    ...sorted(plan.readOnlyInside).flatMap((path) => ['--ro-bind', path, path]),
    ...plan.masked.flatMap(({ path, kind }) => (kind === 'folder' ? ['--remount-ro', path] : [])),
    '--chdir',
    plan.run.worktree,
    '--',
    ...argv,
  ];
  return plan.seccomp === null ? words : withFilter(plan.seccomp, words);
}

function baseSystem(plan: SandboxPlan): string[] {
  return [
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    ...limited(plan, '1777', '/dev/shm'),
    '--proc',
    '/proc',
    ...plan.machineSwitches.flatMap((path) => ['--ro-bind', path, path]),
    ...sorted(plan.privateFolders).flatMap((path) => limited(plan, path === '/run' ? '755' : '1777', path)),
  ];
}

function curatedFolder(plan: SandboxPlan, { path, entries }: CuratedFolder): string[] {
  return [
    ...limited(plan, '700', path),
    ...entries.flatMap((entry) => {
      const at = join(path, entry.name);
      switch (entry.kind) {
        case 'shown':
          return ['--ro-bind', at, at];
        case 'replaced':
          return ['--ro-bind', entry.source, at];
        case 'link':
          return ['--symlink', entry.target, at];
      }
    }),
  ];
}

function maskedPath(plan: SandboxPlan, { path, kind }: MaskedPath): string[] {
  return kind === 'folder' ? limited(plan, '700', path) : ['--ro-bind', '/dev/null', path];
}

function runFolders({ run, checkouts }: SandboxPlan): string[] {
  return [
    ...[run.artifacts, run.evidence, run.runtime, run.worktree, ...checkouts].flatMap((path) => ['--bind', path, path]),
    // Connecting needs no write access to the folder, and nobody can put another socket in this one's place.
    '--ro-bind',
    run.runSocketDir,
    run.runSocketDir,
  ];
}

function gitView({ git }: SandboxPlan): string[] {
  if (git === null) return [];
  return [
    '--ro-bind',
    git.view,
    git.commonDir,
    ...git.entries.flatMap((name) => {
      const path = join(git.commonDir, name);
      return [name === 'objects' && git.writesObjects ? '--bind' : '--ro-bind', path, path];
    }),
  ];
}

function worktree(plan: SandboxPlan): string[] {
  const readOnly = [
    ...(plan.git === null ? [] : [plan.git.pointer]),
    ...(plan.writes === 'scratch' ? plan.product : []),
  ];
  return [
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    ...(plan.writes === 'scratch' ? sorted(plan.scratchInside).flatMap((path) => ['--bind', path, path]) : []),
    ...plan.frozen.flatMap((path) => ['--ro-bind', path, path]),
  ];
}

function limited({ bwrap, privateBytes }: SandboxPlan, permissions: string, path: string): string[] {
  return ['--perms', permissions, ...(bwrap.limitsSize ? ['--size', String(privateBytes)] : []), '--tmpfs', path];
}

/** A descriptor cannot be handed through a PTY, so a shell opens the file and becomes bwrap. */
function withFilter(file: string, [program = '', ...words]: readonly string[]): string[] {
  return [
    '/bin/sh',
    '-c',
    `f=$1; shift; exec "$@" ${filterDescriptor}<"$f"`,
    'gatehouse-session',
    file,
    program,
    '--seccomp',
    filterDescriptor,
    ...words,
  ];
}

/** Parents before what is in them. */
function sorted(paths: readonly string[]): string[] {
  return paths.toSorted();
}
