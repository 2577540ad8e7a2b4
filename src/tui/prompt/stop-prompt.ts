// Stopping ends work in progress: the run's id is typed in full, and a paste is not typing.
import type { RunSummary } from '../../core/run.ts';
import { inertLine } from '../../core/inert.ts';
import { type InputEvent, isPasted } from '../input/keys.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';
import { fit, truncate, wrap } from '../text/cells.ts';
import { failureText } from './failure.ts';
import { LineField } from './line-field.ts';

export class StopPrompt implements Screen {
  private readonly desk: Desk;
  private readonly target: RunSummary;
  private readonly field = new LineField();
  private message = '';
  private place = { row: 0, column: 0 };

  constructor(desk: Desk, target: RunSummary) {
    this.desk = desk;
    this.target = target;
  }

  title(): string {
    return `stop ${this.target.task.id}`;
  }

  run(): RunSummary {
    return this.target;
  }

  rows(size: Size): string[] {
    const { theme } = this.desk;
    const run = this.target;
    const lines = [
      '',
      ` ${theme.bad('Stop this run?')}`,
      '',
      ` ${theme.bold(inertLine(run.task.id))} ${inertLine(run.task.title)}`,
      ` ${run.stageNumber}/10 ${run.stage} · ${run.activity} · ${run.runtime}`,
      '',
      ...wrap(
        'Its session and everything it started are ended. Worktree, artifacts, state and recording stay; "gatehouse resume" goes on from state.json.',
        size.cols - 2,
      ).map((line) => ` ${line}`),
      '',
      ` Type the run id to stop it: ${theme.bold(run.id)}`,
      ` ${theme.accent('>')} ${this.field.text}`,
      '',
      ...(this.message === '' ? [] : wrap(this.message, size.cols - 2).map((line) => ` ${theme.bad(line)}`)),
    ];
    this.place = {
      row: lines.findIndex((line) => line.startsWith(` ${theme.accent('>')}`)),
      column: 3 + this.field.cursorCells,
    };
    return lines.slice(0, size.rows).map((line) => fit(truncate(line, size.cols), size.cols));
  }

  cursor(): { row: number; column: number } {
    return this.place;
  }

  input(event: InputEvent): boolean {
    if (isPasted(event)) {
      this.message = 'A paste is not taken here: type the run id.';
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
      { key: 'Enter', does: 'stop the run' },
      { key: 'Esc', does: 'leave it running' },
    ];
  }

  private submit(): void {
    if (this.field.text !== this.target.id) {
      this.message = `That is not the id of this run. It is ${this.target.id}; nothing was stopped.`;
      return;
    }
    this.desk.back();
    this.desk.say({ level: 'info', text: `stopping ${this.target.id}...` });
    void this.desk
      .request('run.stop', { run: this.target.id })
      .then(({ leftOver }) =>
        this.desk.say(
          leftOver.length === 0
            ? { level: 'good', text: `${this.target.id} is stopped` }
            : {
                level: 'bad',
                text: `${this.target.id} is stopped, but these processes are left: ${leftOver.join(', ')}`,
              },
        ),
      )
      .catch((error: unknown) => this.desk.say({ level: 'bad', text: failureText(error) }));
  }
}
