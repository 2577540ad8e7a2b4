// verification.md: each changed behaviour and the evidence that shows it.
import type { Finding } from './facts.ts';
import { headField } from './fields.ts';
import { idItems } from './ids.ts';
import { findSections, readDocument, topItems, type Document } from './markdown.ts';
import { citationsIn, citationsOf } from './references.ts';
import { readFindings } from './review.ts';
import { isNone, itemText } from './scope.ts';

export interface Behaviour {
  readonly id: string;
  readonly text: string;
  readonly evidence: readonly string[];
  readonly line: number;
}

export interface ImagePair {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export interface Verification {
  readonly result: 'pass' | 'fail' | null;
  readonly preview: string | null;
  readonly behaviours: readonly Behaviour[];
  readonly tests: readonly string[];
  readonly images: readonly ImagePair[];
  readonly decisionsTaken: readonly string[];
  readonly limits: readonly string[];
  readonly failures: readonly Finding[];
}

export function readVerification(text: string): Verification {
  const document = readDocument(text);
  const result = headField(document, 'Result')?.toLowerCase();
  const preview = headField(document, 'Preview');
  return {
    result: result === 'pass' || result === 'fail' ? result : null,
    preview: preview === null || isNone(preview) ? null : preview,
    behaviours: readBehaviours(document),
    tests: findSections(document, 'Tests', 2).flatMap((s) =>
      citationsIn(document, s.line + 1, s.endLine).map((c) => c.id),
    ),
    images: readListItems(document, 'Images').flatMap((item) => readPair(item) ?? []),
    decisionsTaken: readListItems(document, 'Decisions taken'),
    limits: readListItems(document, 'Limits'),
    failures: readFindings(document, 'Failures'),
  };
}

export function readBehaviours(document: Document): Behaviour[] {
  return idItems(document, 'Behaviours', 'B').map((item) => {
    const arrow = /^(.*?)\s*(?:->|→)\s*(.*)$/s.exec(item.text);
    return { id: item.id, text: arrow?.[1] ?? item.text, evidence: citationsOf(arrow?.[2] ?? ''), line: item.line };
  });
}

/** The list under a heading as text; empty when it says None. */
export function readListItems(document: Document, heading: string): string[] {
  return findSections(document, heading, 2)
    .flatMap((section) => topItems(document, section.nodes))
    .map((item) => itemText(document, item))
    .filter((text) => text !== '' && !isNone(text));
}

/** `name: E1 -> E2` */
export function readPair(text: string): ImagePair | null {
  const match = /^(.+?)\s*:\s*(E[1-9]\d*)\s*(?:->|→)\s*(E[1-9]\d*)/.exec(text);
  return match === null
    ? null
    : { name: (match[1] ?? '').replace(/^`(.*)`$/, '$1'), before: match[2] ?? '', after: match[3] ?? '' };
}
