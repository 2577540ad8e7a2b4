// Where a gate is opened. Frozen to one run and to the exact content that was read when it opened: nothing is filled in,
// nothing is completed, nothing can be pasted, and content that changes meanwhile makes the approval stale.
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalSignature } from '../../client/sign.ts';
import type { RunSummary } from '../../core/run.ts';
import { judgeLine } from '../../core/approval-line.ts';
import type { InputEvent } from '../input/keys.ts';
import type { ApprovalSigner } from '../ports.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';
import { fit } from '../text/cells.ts';
import { failureText, isConnectionLoss } from './failure.ts';
import { LineField } from './line-field.ts';
import { type ShownGate, readGate, staleness } from './shown-gate.ts';
import { type PromptView, type Signing, tokenRows } from './token-rows.ts';

export class TokenPrompt implements Screen {
  private readonly desk: Desk;
  private readonly target: RunSummary;
  private readonly field = new LineField();
  private view: PromptView = { state: 'reading' };
  private shown: ShownGate | null = null;
  private message: { bad: boolean; text: string } | null = null;
  private unsubscribe: () => void;
  private place: { row: number; column: number } | null = null;
  private checking = false;
  private left = false;
  private signer: ApprovalSigner | null = null;
  private signing: Signing | null = null;
  private readonly onLeave: () => void;

  /** `onLeave`: where to go when it is left, instead of to the screen below. */
  constructor(desk: Desk, target: RunSummary, onLeave: () => void = () => {}) {
    this.desk = desk;
    this.target = target;
    this.onLeave = onLeave;
    this.unsubscribe = desk.feed.onChange(() => this.feedChanged());
    void this.read();
  }

  title(): string {
    return `token for ${this.target.task.id}`;
  }

  run(): RunSummary {
    return this.target;
  }

  closed(): void {
    this.left = true;
    this.unsubscribe();
  }

  rows(size: Size): string[] {
    const { rows, fieldRow } = tokenRows(
      {
        run: this.target,
        detail: this.shown?.detail ?? null,
        subject: this.shown?.subject ?? null,
        view: this.view,
        line: this.field.text,
        message: this.message,
        signing: this.signing,
      },
      size,
      this.desk.theme,
    );
    this.place =
      fieldRow === null ? null : { row: fieldRow, column: Math.min(size.cols - 1, 3 + this.field.cursorCells) };
    return rows.map((row) => fit(row, size.cols));
  }

  cursor(): { row: number; column: number } | null {
    return this.place;
  }

  input(event: InputEvent): boolean {
    if (event.kind === 'paste') {
      this.message = {
        bad: true,
        text: 'A paste is refused here: anything can set the clipboard, an agent too. Type the line.',
      };
      return true;
    }
    const recorded = this.view.state === 'recorded';
    if (event.key === 'escape' || event.key === 'C-c' || (recorded && ['enter', 'q'].includes(event.key))) {
      this.desk.back();
      this.onLeave();
      return true;
    }
    // It is over: keys such as "the next run that needs me" mean what they always mean.
    if (recorded) return event.key !== '!';
    if (this.view.state !== 'typing') return true;
    if (event.key === 'enter' && event.more) {
      this.message = { bad: true, text: 'That came in one piece, like a paste. Type the line.' };
      return true;
    }
    this.message = null;
    if (this.field.input(event) === 'entered') this.submit();
    return true;
  }

  hints(): readonly Hint[] {
    if (this.view.state === 'typing') {
      return [
        { key: 'Enter', does: 'approve exactly what is shown' },
        { key: 'Esc', does: 'leave; nothing is decided' },
      ];
    }
    if (this.view.state === 'recorded')
      return [
        { key: 'Enter', does: 'back' },
        { key: '!', does: 'next needing me' },
      ];
    return [{ key: 'Esc', does: 'back' }];
  }

  private async read(): Promise<void> {
    try {
      const [read] = await Promise.all([readGate(this.desk, this.target.id), this.askWhoSigns()]);
      if ('gate' in read) {
        this.shown = read;
        this.view = { state: 'typing' };
      } else this.view = read;
    } catch (error) {
      this.view = { state: 'closed', why: failureText(error) };
    }
    this.desk.repaint();
  }

  /** Asked anew before each attempt: configuration and keys can be mended while the prompt is open. */
  private async askWhoSigns(): Promise<void> {
    try {
      this.signer = await this.desk.signer();
      this.signing = this.signer === null ? null : { principal: this.signer.principal, key: this.signer.key };
    } catch (error) {
      this.signer = null;
      this.signing = { impossible: failureText(error) };
    }
  }

  private feedChanged(): void {
    if (this.view.state === 'lost' && this.desk.feed.link.state === 'connected') void this.verify();
    else if (this.view.state === 'typing') void this.compare();
  }

  /** Any change of the row may mean that what waits at the gate is not what is shown here. */
  private async compare(): Promise<void> {
    if (this.checking || this.shown === null || this.desk.feed.link.state !== 'connected') return;
    this.checking = true;
    try {
      const stale = await staleness(this.desk, this.target.id, this.shown);
      if (stale === null || this.view.state !== 'typing') return;
      this.view = stale;
      this.desk.repaint();
    } catch {
      // The connection is away; the host compares again when the line arrives.
    } finally {
      this.checking = false;
    }
  }

  private submit(): void {
    const { shown } = this;
    if (shown === null) return;
    const line = this.field.text;
    const open = shown.state.decisions.filter((decision) => decision.chosen === null);
    const verdict = judgeLine(line, shown.gate, shown.state.tokens, open);
    if (!verdict.ok) this.message = { bad: true, text: `Not sent: ${verdict.why}.` };
    else void this.signAndSend(line, shown);
  }

  private async signAndSend(line: string, shown: ShownGate): Promise<void> {
    const named = this.signing;
    this.view = { state: this.signing === null ? 'sending' : 'signing' };
    this.desk.repaint();
    const refuse = (text: string) => {
      this.view = { state: 'typing' };
      this.message = { bad: true, text };
      this.desk.repaint();
    };
    await this.askWhoSigns();
    if (this.signing !== null && 'impossible' in this.signing) return refuse(`Not sent: ${this.signing.impossible}`);
    // Nobody signs with a key that was not named on the screen before Enter.
    if (!isDeepStrictEqual(named, this.signing))
      return refuse('Not sent: who signs has changed just now. Look above, then press Enter again.');
    if (this.signer === null) return this.approve(line, shown, null);
    try {
      const gate = { name: shown.gate, round: shown.round, subject: shown.subject };
      const signature = await this.signer.sign({ run: this.target.id, gate, line });
      // Left while the key was asked for: nothing is decided.
      if (!this.left) await this.approve(line, shown, signature);
    } catch (error) {
      refuse(`Not sent: ${failureText(error)}`);
    }
  }

  private async approve(line: string, shown: ShownGate, signature: ApprovalSignature | null): Promise<void> {
    this.view = { state: 'sending' };
    try {
      const { stage, approval } = await this.desk.request('run.approve', {
        run: this.target.id,
        line,
        shown: { round: shown.round, subject: shown.subject },
        ...(signature === null ? {} : { signature }),
      });
      this.view = { state: 'recorded', stage, time: approval.time };
    } catch (error) {
      if (isConnectionLoss(error) || this.desk.feed.link.state === 'lost') {
        this.view = { state: 'lost', line };
      } else {
        this.view = { state: 'typing' };
        this.message = { bad: true, text: `Not recorded: ${failureText(error)}` };
      }
    }
    this.desk.repaint();
    if (this.view.state === 'lost' && this.desk.feed.link.state === 'connected') await this.verify();
  }

  /** The answer never came: the state says whether the approval is there. */
  private async verify(): Promise<void> {
    if (this.view.state !== 'lost' || this.checking || this.shown === null) return;
    this.checking = true;
    const { line } = this.view;
    const { gate, round } = this.shown;
    try {
      const detail = await this.desk.request('run.show', { run: this.target.id });
      const found = detail.state?.approvals.find((a) => a.gate === gate && a.round === round && a.line === line);
      if (found !== undefined) this.view = { state: 'recorded', stage: detail.stage, time: found.time };
      else {
        this.view = { state: 'typing' };
        this.message = {
          bad: true,
          text: 'Not recorded: the connection was lost before the host wrote it. The line is still here; press Enter to send it again.',
        };
      }
      this.desk.repaint();
    } catch {
      // Still away; asked again with the next change of the connection.
    } finally {
      this.checking = false;
    }
  }
}
