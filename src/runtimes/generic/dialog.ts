// Dialogs of a program that nobody here knows: where the last thing on its screen has the form of a question. What kind
// of question is told by its configuration, or guessed from words that most programs use.
import { choiceRows, enterDialog, listDialog, makeDialog, questionAbove } from '../choice-list.ts';
import type { RuntimeConfig } from '../../core/config.ts';
import type { Dialog, DialogChoice, ScreenView } from '../screen-view.ts';
import { usualDialogName } from '../usual-words.ts';

const yesNo = /[[(](?<yes>y|yes)\s?\/\s?(?<no>n|no)[\])]\s*[:?>]?$/i;
const numbered = /^\s*(?<number>\d)[.)]\s+(?<label>\S.*)$/;
const field = /\S\s*[:?]$/;
/** A hint about the keys may stand below a list. */
const rowsBelow = 4;

type Question = Pick<Dialog, 'text' | 'choices'>;

/** @param isReady does this row show that the program takes input, as its configuration says. */
export function genericDialog(
  screen: ScreenView,
  config: Pick<RuntimeConfig, 'dialogs'>,
  isReady: (row: string) => boolean,
): Dialog | null {
  const last = screen.rows.findLastIndex((row) => row.trim() !== '');
  const lastRow = screen.rows[last]?.trim() ?? '';
  if (last === -1 || isReady(lastRow)) return null;
  const question = questionAt(screen, last);
  const asked = question === null ? lastRow : [question.text, ...question.choices.map((each) => each.label)].join('\n');
  const named = config.dialogs.find((each) => new RegExp(each.pattern, 'i').test(asked));
  if (named !== undefined) {
    const own = named.choices.map(({ label, keys }, index) => ({ key: String(index + 1), label, writes: keys }));
    return makeDialog(named.name, question?.text ?? lastRow, own.length > 0 ? own : (question?.choices ?? []));
  }
  const name = usualDialogName(asked);
  return question === null || name === null
    ? null
    : { ...makeDialog(name, question.text, question.choices), guessed: true };
}

function questionAt(screen: ScreenView, last: number): Question | null {
  const { rows, cursor } = screen;
  const list = choiceRows(rows).at(-1);
  if (list !== undefined && last - list.row <= rowsBelow) return listDialog(rows, []);
  const entered = enterDialog(rows, []);
  if (entered !== null) return entered;
  // What is typed goes to where the cursor is.
  if (cursor.row !== last) return null;
  return yesOrNo(rows, last) ?? numbers(rows, last) ?? fieldAt(rows, last);
}

function yesOrNo(rows: readonly string[], last: number): Question | null {
  const { yes, no } = yesNo.exec(rows[last]?.trim() ?? '')?.groups ?? {};
  if (yes === undefined || no === undefined) return null;
  return { text: questionAbove(rows, last + 1), choices: [typed('1', 'yes', yes), typed('2', 'no', no)] };
}

/** Numbers in order, and below them at most a row that takes the answer. */
function numbers(rows: readonly string[], last: number): Question | null {
  const choices: DialogChoice[] = [];
  let row = last;
  if (!numbered.test(rows[row] ?? '')) row = rows.findLastIndex((each, at) => at < last && each.trim() !== '');
  for (; row >= 0; row--) {
    const found = numbered.exec(rows[row] ?? '')?.groups;
    if (found === undefined) break;
    choices.unshift(typed(found.number ?? '', found.label ?? '', found.number ?? ''));
  }
  const inOrder = choices.every((each, index) => each.key === String(index + 1));
  return choices.length >= 2 && inOrder ? { text: questionAbove(rows, row + 1), choices } : null;
}

/** Only its own row says what it wants: prose above a program's prompt is no question. */
function fieldAt(rows: readonly string[], last: number): Question | null {
  const row = rows[last]?.trim() ?? '';
  return field.test(row) ? { text: row, choices: [] } : null;
}

function typed(key: string, label: string, answer: string): DialogChoice {
  return { key, label: `${label} (types ${answer} and Enter)`, writes: [`${answer}\r`] };
}
