// review-report.md, and the findings that other artifacts write in the same form: `### F1 blocking: title`.
import type { Finding, Severity } from './facts.ts';
import { fieldAt, headField } from './fields.ts';
import { bareLine, findSections, readDocument, subsections, type Document, type Section } from './markdown.ts';
import { placesIn } from './references.ts';

export interface DraftFinding {
  readonly id: string | null;
  readonly severity: Severity | null;
  readonly title: string;
  readonly line: number;
  readonly endLine: number;
  readonly place: string | null;
  /** Is anything said besides fields and the place? */
  readonly hasReason: boolean;
}

export interface Review {
  readonly tree: string | null;
  readonly findings: readonly Finding[];
  readonly verdict: 'pass' | 'blocked' | null;
}

export function readReview(text: string): Review {
  const document = readDocument(text);
  const verdict = headField(document, 'Verdict')?.toLowerCase();
  return {
    tree: headField(document, 'Tree'),
    findings: readFindings(document, 'Findings'),
    verdict: verdict === 'pass' || verdict === 'blocked' ? verdict : null,
  };
}

/** The well-formed findings under this heading. */
export function readFindings(document: Document, heading: string): Finding[] {
  return findSections(document, heading, 2)
    .flatMap((section) => draftFindings(document, section))
    .flatMap(({ id, severity, title, place }) =>
      id === null || severity === null ? [] : [{ id, severity, title, place }],
    );
}

export function draftFindings(document: Document, section: Section): DraftFinding[] {
  return subsections(document, section).map((sub) => {
    const match = /^([A-Z][1-9]\d{0,3})\s+(blocking|advisory)\s*:\s*(.*)$/i.exec(sub.heading);
    const place = placesIn(document, sub.line + 1, sub.endLine).find((p) => p.certain);
    let hasReason = false;
    for (let line = sub.line + 1; line <= sub.endLine; line++) {
      const words = bareLine(document.masked[line - 1] ?? '').replace(/\S+:\d+\S*/g, '');
      if (
        fieldAt(document, line) === null ? /\p{L}{2}/u.test(words) : (fieldAt(document, line)?.value ?? '').length > 10
      )
        hasReason = true;
    }
    return {
      id: match?.[1] ?? null,
      severity: match === null ? null : match[2]?.toLowerCase() === 'blocking' ? 'blocking' : 'advisory',
      title: (match?.[3] ?? sub.heading).trim(),
      line: sub.line,
      endLine: sub.endLine,
      place: place === undefined ? null : `${place.path}:${place.from}`,
      hasReason,
    };
  });
}
