// One run: sections under a tab bar, and in a wide window its state and live screen beside them.
import type { RunSummary } from '../../core/run.ts';
import { inertLine } from '../../core/inert.ts';
import { paneRows } from '../grid/facts.ts';
import type { InputEvent } from '../input/keys.ts';
import { AnswerPrompt } from '../prompt/answer-prompt.ts';
import type { RunActions } from '../run-actions.ts';
import type { Desk, Hint, Screen, Size } from '../screen.ts';
import { fit } from '../text/cells.ts';
import { makeTabs } from './make-tabs.ts';
import { RunData } from './run-data.ts';
import { tabBar } from './tab-bar.ts';
import { type Tab, type TabName, tabOfKey } from './tabs.ts';

const paneFrom = 150;

export class RunScreen implements Screen {
  private readonly desk: Desk;
  private readonly actions: RunActions;
  private readonly data: RunData;
  private readonly tabs: readonly Tab[];
  private active: Tab;

  constructor(desk: Desk, actions: RunActions, run: RunSummary, tab: TabName | null) {
    this.desk = desk;
    this.actions = actions;
    this.data = new RunData(desk, run, () => desk.repaintSoon());
    this.tabs = makeTabs(desk, this.data, () => this.liveRows());
    this.active = this.tabs[0] as Tab;
    if (tab !== null) this.go(tab);
  }

  title(): string {
    return `${this.data.run.task.id} › ${this.active.label()}`;
  }

  run(): RunSummary {
    return this.data.run;
  }

  entered(): void {
    this.desk.preview.show(this.data.run, true);
  }

  closed(): void {
    this.data.close();
  }

  rows(size: Size): string[] {
    const wide = size.cols >= paneFrom;
    const paneCols = wide ? Math.min(84, Math.floor(size.cols * 0.4)) : 0;
    const cols = size.cols - (wide ? paneCols + 1 : 0);
    const head = this.headRows(cols, size.rows);
    const body = this.active.rows({ cols, rows: Math.max(1, size.rows - head.length) });
    const main = [...head, ...body].slice(0, size.rows);
    if (!wide) return main.map((row) => fit(row, cols));
    const pane = paneRows(
      this.data.run,
      this.data.detail,
      this.desk.preview.screen(this.data.id),
      { cols: paneCols, rows: size.rows },
      this.desk.theme,
    );
    return Array.from(
      { length: size.rows },
      (_, y) => `${fit(main[y] ?? '', cols)}${this.desk.theme.quiet('│')}${pane[y] ?? ''}`,
    );
  }

  input(event: InputEvent): boolean {
    if (this.active.busy()) return this.active.input(event);
    if (this.active.input(event)) return true;
    if (event.kind !== 'key') return false;
    const { key } = event;
    if (/^[1-9]$/.test(key)) return this.goTo(Number(key) - 1);
    const at = this.tabs.indexOf(this.active);
    if (key === 'tab') return this.goTo((at + 1) % this.tabs.length);
    if (key === 'S-tab') return this.goTo((at + this.tabs.length - 1) % this.tabs.length);
    return this.ownKey(key);
  }

  hints(): readonly Hint[] {
    const gate = this.data.run.pendingToken !== null;
    return [
      ...this.active.hints(),
      { key: 'Tab 1-9', does: 'section' },
      ...(this.hasChoices() ? [{ key: 'Enter', does: 'answer' }] : []),
      ...(gate
        ? [
            { key: 't', does: 'token' },
            { key: 'T', does: 'send back' },
          ]
        : []),
      { key: 'a', does: 'attach' },
      { key: 'w', does: 'watch' },
      { key: 'r', does: 'replay' },
      { key: '!', does: 'next needing me' },
      { key: 'q', does: 'back' },
    ];
  }

  private ownKey(key: string): boolean {
    const tab = tabOfKey(key);
    if (tab === 'images' && this.active.name === 'images') return this.openViewer();
    if (tab !== null) return this.go(tab);
    if (key === 'enter') return this.enter();
    return this.actions.key(key, this.data.run);
  }

  private hasChoices(): boolean {
    return (this.data.detail?.dialog?.choices.length ?? 0) > 0;
  }

  private enter(): boolean {
    if (this.active.name === 'images') return this.openViewer();
    const dialog = this.data.detail?.dialog ?? null;
    if (dialog !== null && this.hasChoices()) this.desk.open(new AnswerPrompt(this.desk, this.data.run, dialog));
    return true;
  }

  /** In a wide window the screen stands beside; here it would only be there twice. */
  private liveRows(): readonly string[] | null {
    if (this.desk.size().cols >= paneFrom) return null;
    const rows = this.desk.preview.screen(this.data.id);
    return rows === null ? null : rows.slice(0, rows.findLastIndex((row) => row.trim() !== '') + 1);
  }

  private openViewer(): boolean {
    this.actions.viewImages(this.data.run, this.data.detail?.state?.evidence ?? []);
    return true;
  }

  private go(name: TabName): boolean {
    return this.goTo(this.tabs.findIndex((tab) => tab.name === name));
  }

  private goTo(index: number): boolean {
    this.active = this.tabs[index] ?? this.active;
    return true;
  }

  private headRows(cols: number, rows: number): string[] {
    const { theme } = this.desk;
    const run = this.data.run;
    const bar = tabBar(this.tabs, this.active, cols, theme);
    if (rows < 8) return [bar];
    return [` ${theme.bold(inertLine(run.task.id))} ${inertLine(run.task.title)}`, bar, theme.quiet('─'.repeat(cols))];
  }
}
