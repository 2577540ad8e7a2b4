// A list of choices on a screen, as agent programs draw their dialogs. Found by structure: one marked choice, at least
// one more in the same column, numbers in order where there are numbers. An adapter also asks that its composer is
// gone; so prose in a transcript, which has the composer below it, is never taken for a dialog.
import { createHash } from 'node:crypto';
import type { Dialog, DialogChoice, DialogName } from './screen-view.ts';

export interface ChoiceRow {
  readonly label: string;
  readonly selected: boolean;
  /** The number in front, when there is one. */
  readonly number: number | null;
  /** A button stands before the label. */
  readonly hasButton: boolean;
  readonly row: number;
}

/** The marked choice; a tick, a button, or the place for one, may stand between the mark and the label. */
const marked = /^(?<lead>[\s│┃]*[❯›▸▶>]\s+(?:[✔✓○●◉]\s+)?)\S/u;
const tick = /[✔✓○●◉]/gu;
const button = /[○●◉]\s+$/u;
const numbered = /^(?<number>\d{1,2})[.)]\s+(?<label>\S.*)$/u;
const leftFrame = /^[\s│┃|╎]+/u;
/** With a scroll bar in it. */
const rightFrame = /[\s│┃|╎█]+$/u;
const rule = /^[\s│╭╰┌└]*[─━╌═▔▁]{8,}/u;

/** Descriptions may stand between choices with numbers or buttons; so many rows at the most. */
const longestDescription = 2;
const longestQuestion = 16;

/** A row without the frame around it. */
export function unframed(row: string): string {
  return row.replace(leftFrame, '').replace(rightFrame, '');
}

/** The last marked list on the screen; empty when there is none. */
export function choiceRows(rows: readonly string[]): ChoiceRow[] {
  const at = rows.findLastIndex((row) => marked.test(row));
  const column = marked.exec(rows[at] ?? '')?.groups?.lead?.length ?? 0;
  const first = choiceAt(rows, at, column, true);
  if (first === null) return [];
  const found = [first, ...follow(rows, first, column, 1)];
  found.unshift(...follow(rows, first, column, -1).toReversed());
  const inOrder = found.every((each, index) => first.number === null || each.number === index + 1);
  return found.length >= 2 && inOrder ? found : [];
}

function follow(rows: readonly string[], from: ChoiceRow, column: number, step: 1 | -1): ChoiceRow[] {
  const found: ChoiceRow[] = [];
  let gap = 0;
  for (let row = from.row + step; row >= 0 && row < rows.length; row += step) {
    const choice = choiceAt(rows, row, column, false);
    const expected = from.number === null ? null : from.number + step * (found.length + 1);
    if (choice !== null && choice.number === expected && choice.hasButton === from.hasButton) {
      found.push(choice);
      gap = 0;
    } else if ((expected === null && !from.hasButton) || ++gap > longestDescription) break;
  }
  return found;
}

function choiceAt(rows: readonly string[], row: number, column: number, selected: boolean): ChoiceRow | null {
  const line = rows[row] ?? '';
  const aligned = selected || line.slice(0, column).replaceAll(tick, ' ').replace(leftFrame, '') === '';
  if (!aligned || column === 0 || !/\S/u.test(line[column] ?? '') || rule.test(line)) return null;
  const label = line.slice(column).replace(rightFrame, '');
  const groups = numbered.exec(label)?.groups;
  const hasButton = button.test(line.slice(0, column));
  return groups === undefined
    ? { label, selected, number: null, hasButton, row }
    : { label: groups.label ?? '', selected, number: Number(groups.number), hasButton, row };
}

/** Moves the selection from the marked choice to the wanted one with arrow keys, then Enter; each key is one write. */
export function arrowWrites(choices: readonly ChoiceRow[], wanted: number): string[] {
  const steps = wanted - choices.findIndex((each) => each.selected);
  const arrow = steps < 0 ? '\u001b[A' : '\u001b[B';
  return [...Array.from({ length: Math.abs(steps) }, () => arrow), '\r'];
}

export interface NamePattern {
  readonly name: DialogName;
  /** Looked for in the question and the choices. */
  readonly pattern: RegExp;
}

/** The dialog made of a list and the question above it. */
export function listDialog(rows: readonly string[], names: readonly NamePattern[]): Dialog | null {
  const choices = choiceRows(rows);
  const [first] = choices;
  if (first === undefined) return null;
  const text = questionAbove(rows, first.row);
  const all = [text, ...choices.map((each) => each.label)].join('\n');
  return makeDialog(
    nameOf(all, names),
    text,
    choices.map((each, index) => ({ key: String(index + 1), label: each.label, writes: arrowWrites(choices, index) })),
  );
}

const anyEnter = /^press (enter|return)\b.{0,20}$/i;

/** The last words on the screen ask for Enter, and there is nothing to choose. */
export function enterDialog(rows: readonly string[], names: readonly NamePattern[]): Dialog | null {
  const last = rows.findLastIndex((row) => row.trim() !== '');
  const wants = unframed(rows[last] ?? '');
  if (!anyEnter.test(wants)) return null;
  const text = questionAbove(rows, last);
  return makeDialog(nameOf(text, names), text, [{ key: '1', label: wants, writes: ['\r'] }]);
}

/** A dialog that wants something typed, or that we cannot work: a person has to attach. */
export function attendedDialog(rows: readonly string[], names: readonly NamePattern[]): Dialog {
  const text = rows
    .map(unframed)
    .filter((row) => row !== '' && !rule.test(row) && !/^[╭╰]/u.test(row))
    .join('\n');
  return makeDialog(nameOf(text, names), text, []);
}

function nameOf(text: string, names: readonly NamePattern[]): DialogName {
  return names.find((each) => each.pattern.test(text))?.name ?? 'question';
}

export function makeDialog(name: string, text: string, choices: readonly DialogChoice[]): Dialog {
  const id = createHash('sha256')
    .update(JSON.stringify([name, text, choices.map((each) => each.label)]))
    .digest('hex')
    .slice(0, 12);
  return { id, name, text, choices };
}

/** The rows above a row that belong to its question: up to a solid rule, a picture or three blank rows; not too many. */
export function questionAbove(rows: readonly string[], firstChoiceRow: number): string {
  const lines: string[] = [];
  let blanks = 0;
  for (let row = firstChoiceRow - 1; row >= 0 && lines.length < longestQuestion; row--) {
    const raw = rows[row] ?? '';
    const title = /^\s*[╭┌][─━]+ (?<title>\S.*?) [─━]+[╮┐]?\s*$/u.exec(raw)?.groups?.title;
    if (title !== undefined) lines.unshift(title);
    if (title !== undefined || /^\s*[╭┌]?[─━▔]{8,}/u.test(raw) || isPicture(raw)) break;
    // Within a frame, between the question and its choices.
    if (/^\s*├─{8,}/u.test(raw)) continue;
    // Dotted rules only set a command off.
    const line = rule.test(raw) ? '' : unframed(raw);
    blanks = line === '' ? blanks + 1 : 0;
    if (blanks === 3) break;
    lines.unshift(line);
  }
  return lines
    .join('\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
}

function isPicture(row: string): boolean {
  return /[█▓▒░▄▀]/u.test(row) && !/\p{L}{2}/u.test(row);
}
