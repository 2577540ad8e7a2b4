// The rows around every screen: title bar on top, hints or a message at the bottom. Pure.
import type { RunFeed } from './run-feed.ts';
import { inertLine } from '../core/inert.ts';
import type { Hint, Notice } from './screen.ts';
import { cellWidth, fit, truncate } from './text/cells.ts';
import type { Theme } from './text/theme.ts';

export function titleBar(path: string, feed: RunFeed, cols: number, theme: Theme): string {
  const { all, needsMe, working, stuck, done } = feed.counts();
  const left = ` ${theme.bold('gatehouse')}${path === '' ? '' : ` › ${inertLine(path)}`}`;
  const facts = [
    `${all} run${all === 1 ? '' : 's'}`,
    needsMe > 0 ? theme.attention(`! ${needsMe} need${needsMe === 1 ? 's' : ''} me`) : '! 0 need me',
    working > 0 ? theme.live(`● ${working} working`) : '● 0 working',
    stuck > 0 ? theme.bad(`× ${stuck} stuck`) : '× 0 stuck',
    done > 0 ? theme.good(`✓ ${done} done`) : '✓ 0 done',
  ];
  const full = feed.link.state === 'none' ? '' : feed.link.state === 'connecting' ? 'connecting...' : facts.join('  ');
  const right = cellWidth(left) + cellWidth(full) + 3 <= cols ? full : (facts[1] ?? '');
  const room = Math.max(0, cols - cellWidth(right) - 2);
  return theme.bar(fit(`${fit(left, room)} ${right} `, cols));
}

export function hintBar(hints: readonly Hint[], cols: number, theme: Theme): string {
  let row = '';
  for (const { key, does } of hints) {
    const next = `${row === '' ? ' ' : '  '}${theme.attention(key)} ${theme.quiet(does)}`;
    if (cellWidth(row) + cellWidth(next) > cols) break;
    row += next;
  }
  return fit(row, cols);
}

export function noticeBar(notice: Notice, cols: number, theme: Theme): string {
  const sign = notice.level === 'good' ? theme.good('✓ ') : notice.level === 'bad' ? theme.bad('× ') : '';
  return fit(truncate(` ${sign}${inertLine(notice.text)}`, cols), cols);
}

export function bannerRow(text: string, cols: number, theme: Theme): string {
  return theme.bad(fit(` ▲ ${inertLine(text)}`, cols));
}

/** Below this nothing of use fits; one clear line instead of a broken frame. */
export const leastSize = { cols: 40, rows: 6 };

export function tooSmall(cols: number, rows: number): string {
  return truncate(
    `window ${cols}x${rows} is too small: ${leastSize.cols}x${leastSize.rows} at least (runs go on; q quits)`,
    cols,
  );
}
