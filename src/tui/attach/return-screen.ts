// On the way back into an attached run: after a decision its session is often being replaced, and for a moment there is
// none. Goes on by itself as soon as there is one.
import type { RunSummary } from '../../core/run.ts';
import { inertLine } from '../../core/inert.ts';
import type { InputEvent } from '../input/keys.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';
import { truncate, wrap } from '../text/cells.ts';

export class ReturnScreen implements Screen {
  private readonly desk: Desk;
  private readonly first: RunSummary;
  private readonly attach: () => void;
  private readonly onLeave: () => void;
  private readonly unsubscribe: () => void;
  private asking = false;
  private again = false;
  private left = false;

  constructor(desk: Desk, run: RunSummary, then: { readonly attach: () => void; readonly onLeave: () => void }) {
    this.desk = desk;
    this.first = run;
    this.attach = then.attach;
    this.onLeave = then.onLeave;
    this.unsubscribe = desk.feed.onChange(() => void this.look());
    void this.look();
  }

  title(): string {
    return `back to ${this.first.task.id}`;
  }

  run(): RunSummary {
    return this.desk.feed.get(this.first.id) ?? this.first;
  }

  closed(): void {
    this.left = true;
    this.unsubscribe();
  }

  rows({ cols }: Size): string[] {
    const { theme } = this.desk;
    const run = this.run();
    const text = `No session is alive just now; you are attached as soon as there is one. The run is in ${run.stage}.`;
    return [
      '',
      truncate(` ${theme.bold(inertLine(run.task.id))} ${inertLine(run.task.title)}`, cols),
      ...wrap(text, cols - 2).map((row) => ` ${theme.quiet(row)}`),
    ];
  }

  input(event: InputEvent): boolean {
    if (event.kind !== 'key') return true;
    if (event.key === '!') return false;
    if (['escape', 'q', 'C-c'].includes(event.key)) {
      this.desk.back();
      this.onLeave();
    }
    return true;
  }

  hints(): readonly Hint[] {
    return [
      { key: 'Esc', does: 'do not wait' },
      { key: '!', does: 'next needing me' },
    ];
  }

  private async look(): Promise<void> {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    const sessions = await this.desk
      .request('run.show', { run: this.first.id })
      .then((detail) => detail.sessions)
      .catch(() => []);
    this.asking = false;
    if (this.left) return;
    if (sessions.some((session) => session.endedAt === null)) {
      this.desk.back();
      this.attach();
    } else if (this.again) {
      this.again = false;
      void this.look();
    }
  }
}
