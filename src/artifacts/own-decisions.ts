import type { ArtifactName } from '../core/stage.ts';
import { readDocument } from './markdown.ts';
import { readListItems } from './verification.ts';

/** What the agent settled on its own, in the order of the stages; the operator sees it at gate 2. */
export function readOwnDecisions(
  artifacts: Readonly<Partial<Record<ArtifactName, string>>>,
): { text: string; from: ArtifactName }[] {
  const sources = ['plan-delta.md', 'patch-notes.md', 'verification.md'] as const;
  const seen = new Set<string>();
  return sources.flatMap((from) =>
    readListItems(readDocument(artifacts[from] ?? ''), 'Decisions taken').flatMap((text) => {
      if (seen.has(text)) return [];
      seen.add(text);
      return [{ text, from }];
    }),
  );
}
