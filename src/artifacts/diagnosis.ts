import { findSections, plainText, readDocument } from './markdown.ts';

/** The summary of diagnosis.md as one paragraph of plain text. */
export function readSummary(text: string): string {
  return findSections(readDocument(text), 'Summary', 2)
    .flatMap((section) => section.nodes.filter((n) => n.type !== 'code' && n.type !== 'html').map(plainText))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
}
