import { headField } from './fields.ts';
import { readDocument } from './markdown.ts';

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
