// What the agent finds out about its task from `lattice status` and the worktree. Read anew in every stage: a session may have no
// memory at all.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Choices } from './fix.ts';

export interface Facts {
  readonly choices: Choices;
  /** Which version of the proposal holds: one more than the times that the first gate was sent back. */
  readonly draft: number;
  /** What the operator said last at a gate, null when nothing. */
  readonly feedback: string | null;
  /** Ids of the blocking findings that a patch has to answer. */
  readonly findings: readonly string[];
  /** Hash of the worktree's tree. */
  readonly tree: string | null;
  /** The commit that all changes are compared with. */
  readonly baseline: string | null;
}

export function readFacts(status: string): Facts {
  const said = section(status, 'feedback');
  return {
    choices: Object.fromEntries(
      section(status, 'decisions').flatMap((line) => {
        const [, id, option] = /^- ([1-9]\d?)\. .* -> ([A-Z]): /.exec(line) ?? [];
        return id === undefined || option === undefined ? [] : [[id, option]];
      }),
    ),
    draft: 1 + said.filter((line) => line.startsWith('- development gate')).length,
    feedback: /^- \w+ gate, round \d+, [^:]*: (.*)$/.exec(said.at(-1) ?? '')?.[1] ?? null,
    findings: section(status, 'to answer').flatMap((line) => /^- ([A-Z]\d+) blocking:/.exec(line)?.[1] ?? []),
    tree: /^\W*tree now: ([0-9a-f]{40})\b/m.exec(status)?.[1] ?? null,
    baseline: /^\W*baseline: \S+ at ([0-9a-f]{40})\b/m.exec(status)?.[1] ?? null,
  };
}

/** Items of the list under a heading like `feedback, newest last:`; a line that goes on an item is left out. */
function section(status: string, heading: string): string[] {
  const lines = status.split('\n');
  const start = lines.findIndex((line) => line.startsWith(heading) && line.endsWith(':'));
  if (start === -1) return [];
  const rest = lines.slice(start + 1);
  const end = rest.indexOf('');
  return (end === -1 ? rest : rest.slice(0, end)).filter((line) => line.startsWith('- '));
}

/** The test command that the repository declares. */
export function declaredTestCommand(root: string): string {
  const path = join(root, 'gatehouse.json');
  if (!existsSync(path)) return 'npm test';
  const { testCommand } = JSON.parse(readFileSync(path, 'utf8')) as { testCommand?: string };
  return testCommand ?? 'npm test';
}
