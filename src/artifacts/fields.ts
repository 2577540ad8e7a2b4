// `Name: value` lines. They may stand as list items and be bold; what is in code blocks does not count.
import type { Document } from './markdown.ts';

export interface FieldLine {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

const fieldPattern = /^(?:[-*+]\s+)?(?:\*\*|__)?([A-Z][A-Za-z -]{0,30}?)(?:\*\*|__)?\s*:(?:\*\*|__)?(?:\s|$)/;

/** The field that this line holds, if it is one. */
export function fieldAt(document: Document, line: number): FieldLine | null {
  const masked = document.masked[line - 1] ?? '';
  const match = fieldPattern.exec(masked);
  if (match === null) return null;
  // One blank only is taken with the name: the rest of a masked line may be nothing but blanks.
  // The value comes from the text itself: an address is blanked in the masked line.
  const value = (document.lines[line - 1] ?? '').slice(match[0].length).trim();
  // Only what is marked as a whole is unwrapped: "`a`, `b`" begins and ends with a mark, too.
  return { name: match[1] ?? '', value: value.replace(/^(`|\*\*|__)((?:(?!\1).)*)\1$/, '$2'), line };
}

export function fieldsIn(document: Document, name: string, fromLine: number, toLine: number): FieldLine[] {
  const found: FieldLine[] = [];
  for (let line = fromLine; line <= toLine; line++) {
    const field = fieldAt(document, line);
    if (field !== null && field.name.toLowerCase() === name.toLowerCase()) found.push(field);
  }
  return found;
}

/** Fields of the whole artifact stand before its first second-level heading. */
export function headFields(document: Document, name: string): FieldLine[] {
  const first = document.sections.find((s) => s.level >= 2);
  return fieldsIn(document, name, 1, first === undefined ? document.lines.length : first.line - 1);
}

export function headField(document: Document, name: string): string | null {
  return headFields(document, name)[0]?.value ?? null;
}
