// What the engine knows and an artifact is judged against. Plain data and two look-ups; no I/O on this side.
import type { ArtifactName } from '../core/stage.ts';

export const evidenceKinds = ['command', 'image', 'log', 'api', 'source'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

export interface EvidenceFact {
  /** `E1`, `E2`, ... as the engine gave it. */
  readonly id: string;
  readonly kind: EvidenceKind;
  /** The command line the engine ran, for kind `command`. */
  readonly command: string | null;
  readonly exitCode: number | null;
  /** Tree hash of the worktree when it was recorded. */
  readonly tree: string | null;
  /** True when the command is the test command that the repository declares. */
  readonly isDeclaredTest: boolean;
  readonly pair: { readonly side: 'before' | 'after'; readonly name: string } | null;
  readonly path: string | null;
}

export type Severity = 'blocking' | 'advisory';

/** Something the patch stage has to answer: a review finding, a failed verification or an operator's feedback. */
export interface Finding {
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  /** `path:line`, null when none is given. */
  readonly place: string | null;
}

export interface CheckFacts {
  readonly evidence: readonly EvidenceFact[];
  /** Is this file (and this 1-based line of it) there at the baseline commit? */
  readonly baselineHas: (path: string, line?: number) => boolean;
  /** The same for the worktree as it is now. */
  readonly treeHas: (path: string, line?: number) => boolean;
  /** Files that differ from the baseline, deleted ones included. */
  readonly changedFiles: readonly string[];
  readonly artifacts: Readonly<Partial<Record<ArtifactName, string>>>;
  /** What the patch stage must answer: see `Finding`. */
  readonly findings: readonly Finding[];
  /** Tree hash of the worktree now. */
  readonly tree: string | null;
  /** `Visible: yes` in the approved idea.md: images before and after are owed. */
  readonly visible: boolean;
  readonly testCommand: string | null;
  /** Terminology files that the repository's policy declares; empty when it declares none. */
  readonly terminology: readonly string[];
}
