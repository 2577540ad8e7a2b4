// What the agent finds out about its task from `lattice status`, the artifacts and the worktree. Read anew in every stage: a
// session may have no memory at all.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Choices } from './fix.ts';

export interface Facts {
  readonly choices: Choices;
  /** Which version of the proposal holds; 2 after an operator's feedback. */
  readonly draft: number;
  /** The operator's latest feedback, null when there is none. */
  readonly feedback: string | null;
  /** Ids of findings that a patch has to answer. */
  readonly findings: readonly string[];
  readonly tree: string | null;
  readonly baseline: string | null;
}

export function readFacts(status: string, artifact: (name: string) => string): Facts {
  const feedback = /^\W*feedback\b[^:\n]*:\s*(?!none\b)(.+)$/im.exec(status)?.[1] ?? null;
  return {
    choices: readChoices(status),
    draft: Number(/version (\d+) of the proposal/.exec(artifact('idea.md'))?.[1] ?? 1),
    feedback,
    findings: readFindings(status, artifact),
    tree: /\btree\b\D{0,20}\b([0-9a-f]{40})\b/i.exec(status)?.[1] ?? null,
    baseline: /\bbaseline\b.*?\b([0-9a-f]{7,40})\b/i.exec(status)?.[1] ?? null,
  };
}

/** `1A 2B`, or `1. Question ...: A`, on lines that speak of decisions. */
function readChoices(status: string): Choices {
  const choices: Record<string, string> = {};
  for (const line of status.split('\n')) {
    if (/chosen|choice|decision|approved/i.test(line)) {
      for (const [, id = '', option = ''] of line.matchAll(/\b([1-9]\d?)([A-Z])\b/g)) choices[id] = option;
    }
    const one = /^\W*(?:decision )?([1-9]\d?)[.:)]?\s.*?(?:chosen|choice|->|→|:)\s*:?\s*([A-Z])\b/i.exec(line);
    if (one !== null && /chosen|choice|->|→/i.test(line)) choices[one[1] ?? ''] = one[2] ?? '';
  }
  return choices;
}

function readFindings(status: string, artifact: (name: string) => string): string[] {
  const named = [...status.matchAll(/^\W*([A-Z]+[1-9]\d*)\b[^\n]*\bblocking\b/gm)].map((match) => match[1] ?? '');
  if (named.length > 0) return [...new Set(named)];
  const inReports = ['review-report.md', 'verification.md'].flatMap((name) =>
    [...artifact(name).matchAll(/^### ([A-Z]\d+) blocking:/gm)].map((match) => match[1] ?? ''),
  );
  return [...new Set(inReports)];
}

/** The test command that the repository declares. */
export function declaredTestCommand(root: string): string {
  const path = join(root, 'gatehouse.json');
  if (!existsSync(path)) return 'npm test';
  const { testCommand } = JSON.parse(readFileSync(path, 'utf8')) as { testCommand?: string };
  return testCommand ?? 'npm test';
}
