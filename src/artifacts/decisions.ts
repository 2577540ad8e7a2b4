// The decisions of idea.md: `### 1. Question`, options `- A: text`, `Recommended: A`.
import type { Decision } from '../core/decision.ts';
import { fieldAt, fieldsIn } from './fields.ts';
import { findSections, readDocument, subsections, topItems, type Document, type Section } from './markdown.ts';
import { itemText } from './scope.ts';

export interface DraftOption {
  readonly id: string;
  readonly text: string;
  readonly line: number;
}

/** A decision as written, perhaps incomplete. */
export interface DraftDecision {
  readonly id: string | null;
  readonly question: string;
  readonly line: number;
  readonly options: readonly DraftOption[];
  readonly recommended: string | null;
}

/** The complete decisions; what `checkArtifact` refuses is left out. */
export function readDecisions(ideaText: string): Decision[] {
  const document = readDocument(ideaText);
  return findSections(document, 'Decisions', 2)
    .flatMap((section) => draftDecisions(document, section))
    .flatMap(({ id, question, options, recommended }) => {
      if (id === null || question === '' || options.length < 2 || !options.some((o) => o.id === recommended)) return [];
      return [
        {
          id,
          question,
          options: options.map((o) => ({ id: o.id, text: o.text })),
          recommended: recommended ?? '',
          chosen: null,
        },
      ];
    });
}

export function draftDecisions(document: Document, section: Section): DraftDecision[] {
  return subsections(document, section).map((sub) => {
    const match = /^([1-9]\d?)[.)]\s+(.*)$/.exec(sub.heading);
    const isRecommendation = (line: number): boolean => fieldAt(document, line)?.name.toLowerCase() === 'recommended';
    const options = topItems(document, sub.nodes)
      .filter((item) => !isRecommendation(item.line))
      .flatMap((item) => {
        const option = /^(?:\*\*|__)?([A-Z])(?:\*\*|__)?\s*:(?:\*\*|__)?\s*(.+)$/s.exec(
          itemText(document, item, isRecommendation),
        );
        return option === null ? [] : [{ id: option[1] ?? '', text: (option[2] ?? '').trim(), line: item.line }];
      });
    const value = fieldsIn(document, 'Recommended', sub.line + 1, sub.endLine)[0]?.value ?? '';
    const recommended = /^(?:\*\*|__)?([A-Z])(?:\*\*|__)?(?![A-Za-z0-9])/.exec(value)?.[1] ?? null;
    return {
      id: match?.[1] ?? null,
      question: (match?.[2] ?? sub.heading).trim(),
      line: sub.line,
      options,
      recommended,
    };
  });
}
