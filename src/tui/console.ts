// The console: a stack of screens, the feed behind them, and when to paint. A key paints at once; what happens by itself
// is painted in batches. It owns no terminal: it is given events and a place to show frames.
import type { OperatorEvent, OperatorMethod, Params, Result } from '../protocol/operator.ts';
import type { RunSummary } from '../core/run.ts';
import { consoleFrame } from './console-frame.ts';
import { GridScreen } from './grid/grid-screen.ts';
import { Preview } from './grid/preview.ts';
import { HelpScreen } from './help-screen.ts';
import type { HostLink } from './host-link.ts';
import type { InputEvent } from './input/keys.ts';
import type { FrameContent } from './paint/frame.tsx';
import type { ApprovalSigner, Timeline } from './ports.ts';
import { runCommand } from './prompt/command-line.ts';
import { LineField } from './prompt/line-field.ts';
import { type Excursions, RunActions } from './run-actions.ts';
import { RunFeed } from './run-feed.ts';
import type { Desk, DeskParams, Notice, Screen, Size } from './screen.ts';
import type { Theme } from './text/theme.ts';

/** Changes that nobody asked for are shown this often at the most. */
const batchMs = 120;
/** Ages are shown in minutes, so looking at them this often is enough; nothing is written unless a text has changed. */
const clockMs = 10_000;
const noticeMs = 12_000;

export interface ConsoleSetup {
  readonly theme: Theme;
  readonly size: () => Size;
  readonly now: () => number;
  /** What was painted is not on the screen any more. */
  readonly forget: () => void;
  readonly show: (content: FrameContent, size: Size) => void;
  readonly excursions: (console: Console) => Excursions;
  readonly copy: (text: string) => void;
  readonly onQuit: () => void;
}

export class Console implements Desk {
  readonly theme: Theme;
  readonly feed = new RunFeed();
  readonly preview: Preview;
  readonly actions: RunActions;
  private readonly setup: ConsoleSetup;
  private readonly grid: GridScreen;
  private screens: Screen[];
  private link: HostLink | null = null;
  private notice: { notice: Notice; at: number } | null = null;
  private command: LineField | null = null;
  private batch: NodeJS.Timeout | null = null;
  private readonly clock: NodeJS.Timeout;
  /** While a run is attached the terminal is not ours: nothing is painted. */
  private suspended = false;
  private early: InputEvent[] = [];
  private endsWithFirstScreen = false;

  constructor(setup: ConsoleSetup) {
    this.setup = setup;
    this.theme = setup.theme;
    this.preview = new Preview(this);
    this.actions = new RunActions(this, setup.excursions(this));
    this.grid = new GridScreen(this, this.actions);
    this.screens = [this.grid];
    this.feed.onChange(() => {
      if (this.early.length > 0 && this.feed.link.state !== 'connecting') {
        for (const event of this.early.splice(0)) this.input(event);
      }
      this.top().entered?.();
      this.repaintSoon();
    });
    this.clock = setInterval(() => this.repaintSoon(), clockMs);
    this.clock.unref();
  }

  use(link: HostLink): void {
    this.link = link;
  }

  close(): void {
    clearInterval(this.clock);
    if (this.batch !== null) clearTimeout(this.batch);
    this.preview.stop();
    for (const screen of this.screens) screen.closed?.();
  }

  // What happens outside.

  input(event: InputEvent): void {
    if (this.mustWait(event)) {
      this.early.push(event);
      return;
    }
    if (this.command !== null) this.commandInput(this.command, event);
    else {
      if (event.kind === 'key') this.notice = null;
      const used = this.top().input(event);
      if (!used && event.kind === 'key') this.key(event.key);
    }
    this.repaint();
  }

  /** Keys that mean a run are kept until the runs are known; leaving and help work at once. */
  private mustWait(event: InputEvent): boolean {
    if (this.feed.link.state !== 'connecting' || this.screens.length > 1) return false;
    return event.kind === 'paste' || !['q', 'C-c', '?', 'escape'].includes(event.key);
  }

  hostEvent(event: OperatorEvent): void {
    if (event.event === 'runs.changed') this.feed.apply(event, this.now());
    else if (event.event === 'screen.changed') this.preview.screenChanged(event.run, event.rows);
    else if (event.event === 'notice')
      this.say({ level: event.level === 'warning' ? 'bad' : 'info', text: event.text });
  }

  resized(): void {
    this.top().entered?.();
    this.repaint();
  }

  // Desk: what screens may do.

  now(): number {
    return this.setup.now();
  }

  size(): Size {
    return this.setup.size();
  }

  open(screen: Screen): void {
    this.screens.push(screen);
    screen.entered?.();
    this.repaint();
  }

  back(): void {
    if (this.screens.length === 1) {
      if (this.endsWithFirstScreen) this.setup.onQuit();
      return;
    }
    this.screens.pop()?.closed?.();
    this.top().entered?.();
    this.repaint();
  }

  /** Another screen in the place of the one on top. */
  swap(screen: Screen): void {
    this.screens.pop()?.closed?.();
    this.open(screen);
  }

  /** Only this screen: leaving it ends the console. */
  begin(screen: Screen): void {
    this.screens = [screen];
    this.endsWithFirstScreen = true;
    screen.entered?.();
    this.repaint();
  }

  repaint(): void {
    if (this.batch !== null) clearTimeout(this.batch);
    this.batch = null;
    if (!this.suspended) this.setup.show(this.content(), this.size());
  }

  repaintSoon(withinMs: number = batchMs): void {
    if (this.batch !== null && withinMs < batchMs) {
      clearTimeout(this.batch);
      this.batch = null;
    }
    this.batch ??= setTimeout(() => this.repaint(), withinMs);
  }

  say(notice: Notice): void {
    this.notice = { notice, at: this.now() };
    this.repaintSoon();
  }

  request<M extends OperatorMethod>(method: M, params: DeskParams<M>): Promise<Result<M>> {
    if (this.link === null) return Promise.reject(new Error('not connected yet'));
    return this.link.request(method, params as Params<M>);
  }

  signer(): Promise<ApprovalSigner | null> {
    return this.link === null ? Promise.resolve(null) : this.link.ports.signer();
  }

  timeline(run: RunSummary): Promise<Timeline> {
    return this.link === null ? Promise.reject(new Error('not connected yet')) : this.link.ports.timeline(run);
  }

  copy(text: string, what: string): void {
    this.setup.copy(text);
    this.say({ level: 'good', text: `copied ${what} (if the terminal allows it): ${text}` });
  }

  // For excursions: attach, watch, replay.

  suspend(): void {
    this.suspended = true;
  }

  resume(): void {
    this.suspended = false;
    this.setup.forget();
    this.top().entered?.();
    this.repaint();
  }

  /** The next (or previous) run that needs a person, after the given one, oldest first. */
  nextNeedingMe(after: string | null, by: 1 | -1): RunSummary | null {
    const waiting = this.feed
      .list()
      .filter((run) => run.needsMe)
      .toSorted((a, b) => a.since.localeCompare(b.since) || a.id.localeCompare(b.id));
    if (waiting.length === 0) return null;
    const at = waiting.findIndex((run) => run.id === after);
    const next = at === -1 ? (by === 1 ? 0 : waiting.length - 1) : (at + by + waiting.length) % waiting.length;
    return waiting[next] ?? null;
  }

  content(): FrameContent {
    const nowMs = this.now();
    const { notice } = this;
    return consoleFrame({
      size: this.size(),
      nowMs,
      theme: this.theme,
      feed: this.feed,
      screens: this.screens,
      command: this.command,
      notice: notice !== null && nowMs - notice.at < noticeMs ? notice.notice : null,
    });
  }

  private top(): Screen {
    return this.screens.at(-1) ?? this.grid;
  }

  private key(key: string): void {
    switch (key) {
      case '?':
        return this.open(new HelpScreen(this));
      case ':':
        this.command = new LineField();
        return;
      case '!':
        return this.jump();
      case 'q':
      case 'escape':
        if (this.screens.length > 1 || this.endsWithFirstScreen) return this.back();
        if (key === 'q') this.setup.onQuit();
        return;
      case 'C-c':
        return this.say({ level: 'info', text: 'q quits the console; the runs go on' });
      case 'C-l':
        return;
      default:
    }
  }

  private jump(): void {
    const next = this.nextNeedingMe(this.top().run?.()?.id ?? null, 1);
    if (next === null) return this.say({ level: 'good', text: 'no run needs you' });
    this.grid.selectRun(next.id);
    if (this.screens.length === 1) return;
    // From inside a run the jump opens the next one where the decision is taken.
    while (this.screens.length > 1) this.screens.pop()?.closed?.();
    this.actions.openRun(next, null);
  }

  private commandInput(field: LineField, event: InputEvent): void {
    const outcome = field.input(event);
    if (outcome === 'editing') return;
    this.command = null;
    if (outcome === 'cancelled') return;
    runCommand(field.text, this, this.actions, {
      help: () => this.open(new HelpScreen(this)),
      quit: () => this.setup.onQuit(),
    });
  }
}
