// A screen is a plain object that gives rows and takes keys. It sees only what stands here, never the terminal.
import type { RunSummary } from '../core/run.ts';
import type { OperatorMethod, Params, Result } from '../protocol/operator.ts';
import type { InputEvent } from './input/keys.ts';
import type { Preview } from './grid/preview.ts';
import type { ApprovalSigner, Timeline } from './ports.ts';
import type { RunFeed } from './run-feed.ts';
import type { Theme } from './text/theme.ts';

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

export interface Hint {
  readonly key: string;
  readonly does: string;
}

export interface Screen {
  /** Breadcrumb in the title bar. */
  title(): string;
  /** At most `size.rows` rows, each at most `size.cols` cells. */
  rows(size: Size): string[];
  /** True when the key was used; unused keys go on to the console (help, quit, commands). */
  input(event: InputEvent): boolean;
  hints(): readonly Hint[];
  /** Where the text cursor is, within the rows given last; absent or null: hidden. */
  cursor?(): { row: number; column: number } | null;
  /** The run that commands mean when none is named. */
  run?(): RunSummary | null;
  /** It is on top again. */
  entered?(): void;
  /** It left the screen stack for good. */
  closed?(): void;
}

export interface Notice {
  readonly level: 'info' | 'good' | 'bad';
  readonly text: string;
}

/** What screens may do. */
export interface Desk {
  readonly theme: Theme;
  readonly feed: RunFeed;
  readonly preview: Preview;
  /** Milliseconds since the epoch. */
  now(): number;
  size(): Size;
  open(screen: Screen): void;
  back(): void;
  /** Something to show has changed because of a key: paint now. */
  repaint(): void;
  /** Something to show has changed by itself: paint with the next batch. */
  repaintSoon(withinMs?: number): void;
  say(notice: Notice): void;
  request<M extends OperatorMethod>(method: M, params: DeskParams<M>): Promise<Result<M>>;
  copy(text: string, what: string): void;
  signer(): Promise<ApprovalSigner | null>;
  timeline(run: RunSummary): Promise<Timeline>;
}

/** The actor is filled in by the console. */
export type DeskParams<M extends OperatorMethod> = Omit<Params<M>, 'actor'>;
