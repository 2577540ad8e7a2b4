// Refuses tool calls that would change the product in a stage where it may not change. Defence in depth for sessions
// without a sandbox: an honest agent is told early and clearly. A dishonest one finds a way past any reading of a
// shell line; against that stand the sandbox, the watch over the worktree and the engine's comparison.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ToolDecision } from './adapter.ts';
import type { ToolCall } from './event.ts';
import { shellWrites } from './shell-writes.ts';

export interface SessionRights {
  readonly writes: 'scratch' | 'product';
  readonly worktree: string;
  /** Folders outside of the worktree where the session may write: artifacts, evidence, temporary files. */
  readonly writable: readonly string[];
  /** Is this path of the worktree (relative, with `/`) tracked, or below a tracked folder? */
  readonly isProduct: (path: string) => boolean;
  /** For the reason that the agent reads. */
  readonly stage: string;
}

export function judgeToolCall(call: ToolCall, rights: SessionRights): ToolDecision {
  if (call.edits)
    for (const path of call.paths) {
      const refused = refuseWrite(path, rights);
      if (refused !== null) return { verdict: 'refused', reason: refused };
    }
  if (call.command !== null) {
    const { paths, gitVerb } = shellWrites(call.command);
    if (gitVerb !== null)
      return {
        verdict: 'refused',
        reason: `git ${gitVerb} is not the session's to run: Gatehouse commits, pushes and merges after the gates.`,
      };
    for (const path of paths) {
      const refused = refuseProduct(path, rights);
      if (refused !== null) return { verdict: 'refused', reason: refused };
    }
  }
  return { verdict: 'no-objection' };
}

function refuseWrite(path: string, rights: SessionRights): string | null {
  const absolute = resolve(rights.worktree, path);
  if (isWithin(absolute, rights.worktree)) return refuseProduct(path, rights);
  if (rights.writable.some((folder) => isWithin(absolute, folder))) return null;
  return `${path} is outside of the worktree; write artifacts to $GATEHOUSE_ARTIFACTS.`;
}

function refuseProduct(path: string, rights: SessionRights): string | null {
  const inside = relative(rights.worktree, resolve(rights.worktree, path));
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return null;
  const name = inside.split(sep).join('/');
  if (name === '.git' || name.startsWith('.git/')) return 'the repository of the worktree is read-only to the session.';
  if (rights.writes === 'product' || !rights.isProduct(name)) return null;
  return `${name} is product code, and product code may not change in stage ${rights.stage}. \`lattice status\` says what is due.`;
}

function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || (!inside.startsWith('..') && !isAbsolute(inside));
}
