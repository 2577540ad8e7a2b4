// Keys that act on one run, the same in the grid and in the run view. The run is fixed when the key is pressed: what the
// list does afterwards changes nothing.
import type { RunSummary } from '../core/run.ts';
import type { Evidence } from '../core/state.ts';
import { FeedbackPrompt } from './prompt/feedback-prompt.ts';
import { StopPrompt } from './prompt/stop-prompt.ts';
import { TokenPrompt } from './prompt/token-prompt.ts';
import { RunScreen } from './run/run-screen.ts';
import { type TabName, tabOfKey } from './run/tabs.ts';
import type { Desk } from './screen.ts';

export interface Excursions {
  attach(run: RunSummary): void;
  watch(run: RunSummary): void;
  watchOther(run: RunSummary, by: 1 | -1): void;
  replay(run: RunSummary): void;
  viewImages(run: RunSummary, evidence: readonly Evidence[]): void;
}

export class RunActions {
  private readonly desk: Desk;
  private readonly excursions: Excursions;

  constructor(desk: Desk, excursions: Excursions) {
    this.desk = desk;
    this.excursions = excursions;
  }

  key(key: string, run: RunSummary): boolean {
    const tab = tabOfKey(key);
    if (tab !== null) {
      this.openRun(run, tab);
      return true;
    }
    switch (key) {
      case 'enter':
        this.openRun(run, null);
        return true;
      case 't':
        this.token(run);
        return true;
      case 'T':
        this.feedback(run);
        return true;
      case 'a':
        this.excursions.attach(run);
        return true;
      case 'w':
        this.excursions.watch(run);
        return true;
      case 'r':
        this.excursions.replay(run);
        return true;
      case 'X':
        this.desk.open(new StopPrompt(this.desk, run));
        return true;
      case 'y':
        this.desk.copy(run.id, `run id ${run.id}`);
        return true;
      case 'Y':
        this.desk.copy(run.worktree, `path of the worktree`);
        return true;
      default:
        return false;
    }
  }

  /** With `null` on the tab where this run's decision is taken. */
  openRun(run: RunSummary, tab: TabName | null): void {
    this.desk.open(new RunScreen(this.desk, this, run, tab));
  }

  /** Watches the next (or previous) run that needs a person instead of this one. */
  watchOther(run: RunSummary, by: 1 | -1): void {
    this.excursions.watchOther(run, by);
  }

  viewImages(run: RunSummary, evidence: readonly Evidence[]): void {
    this.excursions.viewImages(run, evidence);
  }

  token(run: RunSummary): void {
    const present = this.desk.feed.get(run.id) ?? run;
    if (present.pendingToken === null) {
      this.desk.say({ level: 'bad', text: `${present.task.id}: no gate waits for a token (stage ${present.stage})` });
      return;
    }
    this.desk.open(new TokenPrompt(this.desk, present));
  }

  feedback(run: RunSummary): void {
    const present = this.desk.feed.get(run.id) ?? run;
    if (present.pendingToken === null) {
      this.desk.say({ level: 'bad', text: `${present.task.id}: nothing waits at a gate, so nothing can be sent back` });
      return;
    }
    this.desk.open(new FeedbackPrompt(this.desk, present));
  }
}
