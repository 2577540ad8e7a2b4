// One frame of the console: title, banner, the screen on top, and the line at the bottom. Pure.
import { bannerRow, hintBar, leastSize, noticeBar, titleBar, tooSmall } from './chrome.ts';
import type { FrameContent } from './paint/frame.tsx';
import { commandNames } from './prompt/command-line.ts';
import type { LineField } from './prompt/line-field.ts';
import type { RunFeed } from './run-feed.ts';
import type { Notice, Screen, Size } from './screen.ts';
import { fit } from './text/cells.ts';
import type { Theme } from './text/theme.ts';

interface FrameParts {
  readonly size: Size;
  readonly nowMs: number;
  readonly theme: Theme;
  readonly feed: RunFeed;
  /** The last one is on top. */
  readonly screens: readonly Screen[];
  /** A command that is being typed. */
  readonly command: LineField | null;
  readonly notice: Notice | null;
}

/** A screen that cannot be drawn must not take the console along: it can be left. */
export function consoleFrame(parts: FrameParts): FrameContent {
  try {
    return wholeFrame(parts);
  } catch (error) {
    const { size, feed, theme } = parts;
    const text = `this screen could not be drawn: ${error instanceof Error ? error.message : String(error)} (q leaves it; runs go on)`;
    const empty = Array.from({ length: Math.max(0, size.rows - 2) }, () => '');
    const bad = noticeBar({ level: 'bad', text }, size.cols, theme);
    return { rows: [titleBar('', feed, size.cols, theme), bad, ...empty], cursor: null };
  }
}

function wholeFrame(parts: FrameParts): FrameContent {
  const { size, feed, theme, screens, command } = parts;
  const { cols, rows } = size;
  if (cols < leastSize.cols || rows < leastSize.rows) return { rows: [tooSmall(cols, rows)], cursor: null };
  const path = screens.map((screen) => screen.title()).filter((title) => title !== '');
  const banner = feed.banner(parts.nowMs);
  const head = [titleBar(path.join(' › '), feed, cols, theme)];
  if (banner !== null) head.push(bannerRow(banner, cols, theme));
  const height = rows - head.length - 1;
  const top = screens.at(-1);
  const body = top?.rows({ cols, rows: height }).slice(0, height) ?? [];
  while (body.length < height) body.push('');
  const place = top?.cursor?.() ?? null;
  const below = place === null ? null : { row: place.row + head.length, column: place.column };
  const cursor = command === null ? below : { row: rows - 1, column: 1 + command.cursorCells };
  return { rows: [...head, ...body, lastRow(parts, top)], cursor };
}

function lastRow({ size, theme, command, notice }: FrameParts, top: Screen | undefined): string {
  if (command !== null) {
    const offered = command.text === '' ? theme.quiet(`   ${commandNames}`) : '';
    return fit(`:${command.text}${offered}`, size.cols);
  }
  return notice === null ? hintBar(top?.hints() ?? [], size.cols, theme) : noticeBar(notice, size.cols, theme);
}
