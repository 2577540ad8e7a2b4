// Git hooks that refuse: a session does not commit, push or move a branch; the host does, after the gates. They are
// reached through the session's environment, so the operator's clone keeps its own hooks. An agent that clears its
// environment gets around them: without a sandbox they are a fence, not a wall.
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

// `reference-transaction` is the one that `--no-verify` and plumbing commands do not pass by.
export const refusingHooks = [
  'pre-commit',
  'pre-merge-commit',
  'pre-rebase',
  'pre-push',
  'pre-applypatch',
  'reference-transaction',
] as const;

const script = `#!/bin/sh
# The same file under several names; git passes the phase to reference-transaction and lets only "prepared" refuse.
name=\${0##*/}
if [ "$name" = reference-transaction ] && [ "$1" != prepared ]; then exit 0; fi
echo "gatehouse: this session does not commit, push or move branches; Gatehouse does, after the gate ($name)." >&2
echo "gatehouse: leave the change in the worktree and go on with 'lattice status'." >&2
exit 1
`;

export async function installRefusingHooks(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of refusingHooks) {
    const path = join(folder, name);
    await writeFile(path, script, { mode: 0o700 });
    await chmod(path, 0o700);
  }
}
