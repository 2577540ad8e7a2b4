// Answers the dialog a session shows, one of its own choices, and only while exactly that dialog is open: the host
// refuses when it has changed. Nothing is chosen beforehand.
import type { DialogInfo, RunSummary } from '../../core/run.ts';
import { inertLine, inertText } from '../../core/inert.ts';
import { rule } from '../grid/facts.ts';
import { type InputEvent, isPasted } from '../input/keys.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';
import { fit, wrap } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import { failureText } from './failure.ts';
import { LineField } from './line-field.ts';

export class AnswerPrompt implements Screen {
  private readonly desk: Desk;
  private readonly target: RunSummary;
  private readonly dialog: DialogInfo;
  private readonly field = new LineField();
  private message = '';
  private place = { row: 0, column: 0 };

  constructor(desk: Desk, target: RunSummary, dialog: DialogInfo) {
    this.desk = desk;
    this.target = target;
    this.dialog = dialog;
  }

  title(): string {
    return `answer ${this.target.task.id}`;
  }

  run(): RunSummary {
    return this.target;
  }

  rows(size: Size): string[] {
    const { theme } = this.desk;
    const foot = [
      '',
      theme.quiet(' Type the key of one choice:'),
      `${theme.accent(' >')} ${this.field.text}`,
      ...(this.message === '' ? [] : wrap(this.message, size.cols - 2).map((line) => ` ${theme.bad(line)}`)),
    ];
    const head = [
      rule(`${this.target.task.id} asks`, size.cols, theme),
      theme.quiet(` run ${this.target.id} · ${inertLine(this.target.task.title)}`),
      '',
      ...dialogRows(this.dialog, size.cols, theme),
    ].slice(0, Math.max(0, size.rows - foot.length));
    this.place = { row: head.length + 2, column: 3 + this.field.cursorCells };
    return [...head, ...foot].slice(0, size.rows).map((row) => fit(row, size.cols));
  }

  cursor(): { row: number; column: number } {
    return this.place;
  }

  input(event: InputEvent): boolean {
    if (isPasted(event)) {
      this.message = 'A paste is not taken here: type the key of a choice.';
      return true;
    }
    this.message = '';
    const outcome = this.field.input(event);
    if (outcome === 'cancelled') this.desk.back();
    if (outcome === 'entered') this.submit();
    return true;
  }

  hints(): readonly Hint[] {
    return [
      { key: 'Enter', does: 'answer' },
      { key: 'Esc', does: 'leave it open' },
    ];
  }

  private submit(): void {
    const choice = this.dialog.choices.find((each) => each.key === this.field.text.trim());
    if (choice === undefined) {
      this.message = `There is no choice "${this.field.text}". It has: ${this.dialog.choices.map((each) => each.key).join(', ')}.`;
      return;
    }
    this.desk.back();
    void this.desk
      .request('run.answer', { run: this.target.id, dialog: this.dialog.id, choice: choice.key })
      .then(() =>
        this.desk.say({ level: 'good', text: `${this.target.task.id}: answered "${inertLine(choice.label)}"` }),
      )
      .catch((error: unknown) => this.desk.say({ level: 'bad', text: failureText(error) }));
  }
}

export function dialogRows(dialog: DialogInfo, cols: number, theme: Theme): string[] {
  return [
    ` ${theme.attention(`The session asks (${dialog.name}${dialog.guessed ? ', as it looks' : ''})`)}`,
    ...inertText(dialog.text)
      .split('\n')
      .flatMap((line) => wrap(line, cols - 4))
      .map((line) => `   ${line}`),
    '',
    ...dialog.choices.flatMap((choice) =>
      wrap(inertLine(choice.label), cols - 8).map(
        (line, index) => `   ${index === 0 ? theme.bold(fit(choice.key, 2)) : '  '} ${line}`,
      ),
    ),
  ];
}
