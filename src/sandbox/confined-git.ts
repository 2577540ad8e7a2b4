// The git with which the engine looks at a worktree while a session lives in it: what a link can lead to is not there.
// Pure. It sees what the session sees, and can write the worktree, the engine's index and new objects.
import { dirname } from 'node:path';
import { sandboxArgv } from './argv.ts';
import type { SandboxPlan } from './sandbox-plan.ts';

export function confinedGitScript(plan: SandboxPlan): string {
  const words = sandboxArgv(
    {
      ...plan,
      writes: 'product',
      writable: [],
      stores: [],
      copies: [],
      readOnlyInside: [],
      frozen: [],
      checkouts: [dirname(plan.run.engineIndex)],
      git: plan.git === null ? null : { ...plan.git, writesObjects: true },
      // It asks for no terminal, so it gets none.
      seccomp: null,
    },
    ['git'],
  );
  return `#!/bin/sh\nexec ${words.map(quoted).join(' ')} "$@"\n`;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
