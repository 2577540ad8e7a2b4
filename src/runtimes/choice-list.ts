// The list of choices at the end of a screen, as agent programs draw their dialogs. Found by structure: at least two
// choices in a row, exactly one with the selection mark, and no composer below. Prose in a transcript has a composer
// below it and no mark.
import { createHash } from 'node:crypto';
import type { Dialog, DialogChoice, DialogName } from './screen-view.ts';

export interface ChoiceRow {
  readonly label: string;
  readonly selected: boolean;
  /** The number in front, when there is one. */
  readonly number: number | null;
  readonly row: number;
}

const border = /^[\s│┃|╎┆▌█]+/u;
const rightBorder = /[\s│┃|╎┆]+$/u;
const choice = /^(?:(?<mark>[❯›▸▶→>])\s*)?(?:(?<number>\d{1,2})[.)]\s+)?(?<label>\S.*)$/u;

/** A row without the frame around it. */
export function unframed(row: string): string {
  return row.replace(border, '').replace(rightBorder, '');
}

/** Numbered choices with one marked, in the last part of the screen that is not blank. */
export function numberedChoices(rows: readonly string[]): ChoiceRow[] {
  const found: ChoiceRow[] = [];
  for (let row = rows.length - 1; row >= 0; row--) {
    const match = choice.exec(unframed(rows[row] ?? ''))?.groups;
    if (match?.number !== undefined && match.label !== undefined)
      found.unshift({ label: match.label, selected: match.mark !== undefined, number: Number(match.number), row });
    // A choice's description may stand between; the list starts at number 1.
    if (found[0]?.number === 1) break;
  }
  const inOrder = found.every((each, index) => each.number === index + 1);
  const marked = found.filter((each) => each.selected).length;
  return found.length >= 2 && inOrder && marked === 1 ? found : [];
}

/** Moves the selection from the marked choice to the wanted one with arrow keys, then Enter; each key is one write. */
export function arrowWrites(choices: readonly ChoiceRow[], wanted: number): string[] {
  const from = choices.findIndex((each) => each.selected);
  const steps = wanted - from;
  const arrow = steps < 0 ? '\u001b[A' : '\u001b[B';
  return [...Array.from({ length: Math.abs(steps) }, () => arrow), '\r'];
}

export function makeDialog(name: DialogName, text: string, choices: readonly DialogChoice[]): Dialog {
  const id = createHash('sha256')
    .update(JSON.stringify([name, text, choices.map((each) => each.label)]))
    .digest('hex')
    .slice(0, 12);
  return { id, name, text, choices };
}

/** The rows above a list that belong to its question: up to the frame's top or two blank rows in a row, at the most 14. */
export function questionAbove(rows: readonly string[], firstChoiceRow: number): string {
  const lines: string[] = [];
  let blanks = 0;
  for (let row = firstChoiceRow - 1; row >= 0 && lines.length < 14; row--) {
    const raw = rows[row] ?? '';
    const line = unframed(raw);
    if (/^\s*[╭┌─━═▔▁]{3,}/u.test(raw)) break;
    blanks = line.trim() === '' ? blanks + 1 : 0;
    if (blanks === 2) break;
    lines.unshift(line);
  }
  return lines.join('\n').trim();
}
