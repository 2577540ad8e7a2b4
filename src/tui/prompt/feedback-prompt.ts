// Sends what waits at a gate back, with a reason. Several lines; a pasted line break is a line break, never "send".
import type { RunDetail, RunSummary } from '../../core/run.ts';
import { inertLine } from '../../core/inert.ts';
import { inertText } from '../../core/inert.ts';
import { type InputEvent, isText } from '../input/keys.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';
import { cellWidth, fit, truncate, wrap } from '../text/cells.ts';
import { failureText } from './failure.ts';

export class FeedbackPrompt implements Screen {
  private readonly desk: Desk;
  private readonly target: RunSummary;
  private text = '';
  private confirming = false;
  private sending = false;
  private message = '';
  private place = { row: 0, column: 0 };
  /** The round that was open when the person began to write; the host refuses feedback to another one. */
  private round: number | null = null;

  constructor(desk: Desk, target: RunSummary) {
    this.desk = desk;
    this.target = target;
    void desk
      .request('run.show', { run: target.id })
      .then((detail: RunDetail) => {
        this.round = detail.gate?.round ?? null;
      })
      .catch(() => {});
  }

  title(): string {
    return `send back ${this.target.task.id}`;
  }

  run(): RunSummary {
    return this.target;
  }

  rows(size: Size): string[] {
    const { theme } = this.desk;
    const run = this.target;
    const head = [
      '',
      ` ${theme.attention('Send back')} ${theme.bold(inertLine(run.task.id))} ${inertLine(run.task.title)}`,
      theme.quiet(
        ` ${run.stage === 'await-testing' ? 'gate 2: back to patch' : 'gate 1: back to draft'} · run ${run.id}`,
      ),
      theme.quiet(' What should be different? The agent gets this text; it is kept in the record.'),
      '',
    ];
    const body = wrap(this.text, Math.max(4, size.cols - 4));
    const foot = this.footer(size.cols);
    const room = Math.max(1, size.rows - head.length - foot.length);
    const shown = body.slice(-room);
    const last = shown.at(-1) ?? '';
    const lines = [...head, ...shown.map((line) => ` ${theme.accent('│')} ${line}`), ...foot];
    this.place = { row: head.length + shown.length - 1, column: 3 + cellWidth(last) };
    return lines.slice(0, size.rows).map((line) => fit(truncate(line, size.cols), size.cols));
  }

  cursor(): { row: number; column: number } | null {
    return this.confirming || this.sending ? null : this.place;
  }

  input(event: InputEvent): boolean {
    if (this.sending) return true;
    this.message = '';
    if (event.kind === 'paste') {
      this.confirming = false;
      this.text += inertText(event.text);
      return true;
    }
    if (this.confirming) this.confirm(event.key);
    else this.edit(event.key, event.more);
    return true;
  }

  hints(): readonly Hint[] {
    if (this.confirming)
      return [
        { key: 'y', does: 'send it back' },
        { key: 'any other', does: 'go on writing' },
      ];
    return [
      { key: 'Enter', does: 'done' },
      { key: 'Ctrl-J', does: 'new line' },
      { key: 'Esc', does: 'leave' },
    ];
  }

  private footer(cols: number): string[] {
    const { theme } = this.desk;
    if (this.sending) return ['', ' sending...'];
    if (this.message !== '') return ['', ...wrap(this.message, cols - 2).map((line) => ` ${theme.bad(line)}`)];
    if (this.confirming) return ['', ` ${theme.attention(`Send ${this.target.task.id} back with this text? y`)}`];
    return [];
  }

  private edit(key: string, more: boolean): void {
    // A line break with more text right behind it was pasted by a terminal that does not mark pastes.
    if (key === 'C-j' || (key === 'enter' && more)) this.text += '\n';
    else if (key === 'enter') this.askToSend();
    else if (key === 'escape' || key === 'C-c') this.desk.back();
    else if (key === 'backspace')
      this.text = [...new Intl.Segmenter().segment(this.text)]
        .slice(0, -1)
        .map((s) => s.segment)
        .join('');
    else if (key === 'C-u') this.text = this.text.replace(/[^\n]*$/, '');
    else if (key === 'C-w') this.text = this.text.replace(/\S+\s*$/u, '');
    else if (isText(key)) this.text += key;
  }

  private askToSend(): void {
    if (this.text.trim() === '') this.message = 'A reason is needed: without one the agent cannot do better.';
    else this.confirming = true;
  }

  private confirm(key: string): void {
    this.confirming = false;
    if (key !== 'y' && key !== 'Y') return;
    this.sending = true;
    void this.send();
  }

  private async send(): Promise<void> {
    try {
      const round = this.round === null ? {} : { round: this.round };
      const { stage } = await this.desk.request('run.feedback', {
        run: this.target.id,
        text: this.text.trim(),
        ...round,
      });
      this.desk.back();
      this.desk.say({ level: 'good', text: `${this.target.task.id} was sent back and is in ${stage}` });
    } catch (error) {
      this.sending = false;
      this.message = `Not sent: ${failureText(error)}`;
      this.desk.repaint();
    }
  }
}
