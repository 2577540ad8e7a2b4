// Lists whose items carry ids: `- E1: text`.
import { findSections, topItems, type Document } from './markdown.ts';
import { itemText } from './scope.ts';

export interface IdItem {
  readonly id: string;
  readonly text: string;
  readonly line: number;
  readonly endLine: number;
}

/** Items of a section that start with an id of this letter; others are left out. */
export function idItems(document: Document, heading: string, letter: string): IdItem[] {
  return findSections(document, heading, 2).flatMap((section) =>
    topItems(document, section.nodes).flatMap((item) => {
      const match = leadingId(itemText(document, item), letter);
      return match === null ? [] : [{ ...match, line: item.line, endLine: item.endLine }];
    }),
  );
}

/** `B1: text`, the id possibly bold. */
export function leadingId(text: string, letter: string): { id: string; text: string } | null {
  const match = /^(?:\*\*|__)?([A-Z][1-9]\d{0,4})(?:\*\*|__)?\s*:(?:\*\*|__)?\s*(.*)$/s.exec(text);
  return match?.[1] !== undefined && match[1].startsWith(letter) ? { id: match[1], text: match[2] ?? '' } : null;
}
