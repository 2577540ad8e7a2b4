// The product's diff, with a jump from file to file.
import { inertText } from '../../core/inert.ts';
import type { InputEvent } from '../input/keys.ts';
import type { Hint, Size } from '../screen.ts';
import type { Theme } from '../text/theme.ts';
import { type DiffRows, diffRows } from './diff-rows.ts';
import type { RunData } from './run-data.ts';
import { TextTab } from './text-tab.ts';

export class DiffTab extends TextTab {
  private readonly data: RunData;
  private readonly inks: Theme;
  private made: { text: string; cols: number; diff: DiffRows } | null = null;
  private offset = 0;

  constructor(data: RunData, theme: Theme) {
    super(
      'diff',
      () => 'Diff',
      theme,
      (size) => this.diffText(size),
    );
    this.data = data;
    this.inks = theme;
  }

  override input(event: InputEvent): boolean {
    if (event.kind === 'key' && !this.busy()) {
      if (event.key === ']' || event.key === 'right') return this.jump(1);
      if (event.key === '[' || event.key === 'left') return this.jump(-1);
    }
    return super.input(event);
  }

  override hints(): readonly Hint[] {
    return [{ key: '[ ]', does: 'file' }, ...super.hints()];
  }

  private jump(by: 1 | -1): boolean {
    const starts = (this.made?.diff.files ?? []).map((file) => file.row + this.offset);
    const here = this.scroll.position;
    const next = by === 1 ? starts.find((row) => row > here) : starts.findLast((row) => row < here);
    if (next !== undefined) this.scroll.scrollTo(next);
    return true;
  }

  private diffText({ cols }: Size): readonly string[] {
    const fetched = this.data.diff();
    const theme = this.inks;
    if (fetched === undefined) return ['', theme.quiet(' reading the diff...')];
    if ('failure' in fetched) return ['', theme.bad(` ${fetched.failure}`)];
    const { text, stat, from, tree, truncated } = fetched.value;
    if (text.trim() === '') return ['', theme.quiet(' no change to the product yet')];
    if (this.made?.text !== text || this.made.cols !== cols) {
      this.made = { text, cols, diff: diffRows(inertText(text), cols, theme) };
    }
    const { rows, files } = this.made.diff;
    const head = [
      theme.quiet(
        ` ${files.length} file${files.length === 1 ? '' : 's'} · from ${from.slice(0, 12)} to tree ${tree.slice(0, 12)}`,
      ),
      ...inertText(stat)
        .trimEnd()
        .split('\n')
        .map((line) => ` ${line}`),
      '',
    ];
    this.offset = head.length;
    const foot =
      truncated > 0
        ? ['', theme.bad(` ${truncated} more lines are not shown here: git diff in the worktree shows all`)]
        : [];
    return [...head, ...rows, ...foot];
  }
}
