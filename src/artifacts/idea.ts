import { headField } from './fields.ts';
import { idItems } from './ids.ts';
import { readDocument } from './markdown.ts';
import { citationsOf } from './references.ts';

export interface IdeaFacts {
  readonly userFacing: boolean;
  /** The change can be seen: verification owes images before and after. */
  readonly visible: boolean;
}

export function readIdeaFacts(text: string): IdeaFacts {
  const document = readDocument(text);
  const says = (name: string): boolean => headField(document, name)?.toLowerCase() === 'yes';
  return { userFacing: says('User-facing'), visible: says('Visible') };
}

/** The changed behaviours that idea.md announces. */
export function readChanges(text: string): { id: string; text: string; evidence: string[] }[] {
  return idItems(readDocument(text), 'Change', 'B').map((i) => ({
    id: i.id,
    text: i.text,
    evidence: citationsOf(i.text),
  }));
}
