// What a program wants to tell outside of its screen: bell, desktop notifications (OSC 9, 99, 777), title, clipboard.
// Reported as events and never carried out here.
import type { Terminal } from './xterm-internals.ts';

export type ScreenEvent =
  | { readonly kind: 'bell' }
  | { readonly kind: 'notification'; readonly title: string | null; readonly body: string }
  | { readonly kind: 'title'; readonly title: string }
  /** The program asks to put this into the clipboard (OSC 52). */
  | { readonly kind: 'clipboard'; readonly selection: string; readonly text: string };

interface PartialNotice {
  title: string;
  body: string;
}

/** Longer texts are no notifications. */
const longestText = 4_000;
const mostPartial = 16;

export function watchNotices(terminal: Terminal, emit: (event: ScreenEvent) => void): void {
  const { parser } = terminal;
  const notify = (title: string | null, body: string): void =>
    emit({ kind: 'notification', title, body: body.slice(0, longestText) });
  terminal.onBell(() => emit({ kind: 'bell' }));
  terminal.onTitleChange((title) => emit({ kind: 'title', title }));
  parser.registerOscHandler(9, (data) => {
    // `9;4;...` and its like are ConEmu's progress bar and other commands.
    if (!/^\d+(;|$)/.test(data)) notify(null, data);
    return true;
  });
  parser.registerOscHandler(777, (data) => {
    const [command, title = '', ...body] = data.split(';');
    if (command === 'notify') notify(title, body.join(';'));
    return true;
  });
  parser.registerOscHandler(52, (data) => {
    const [selection = '', content = ''] = data.split(';');
    // Reading the clipboard is never granted.
    if (content !== '?') emit({ kind: 'clipboard', selection, text: Buffer.from(content, 'base64').toString('utf8') });
    return true;
  });
  const partial = new Map<string, PartialNotice>();
  parser.registerOscHandler(99, (data) => {
    const finished = collectKittyNotice(data, partial);
    if (finished !== null) notify(finished.body === '' ? null : finished.title, finished.body || finished.title);
    return true;
  });
}

/** https://sw.kovidgoyal.net/kitty/desktop-notifications/: several sequences with one id make one notification. */
function collectKittyNotice(data: string, partial: Map<string, PartialNotice>): PartialNotice | null {
  const split = data.indexOf(';');
  if (split === -1) return null;
  const keys = new Map(
    data
      .slice(0, split)
      .split(':')
      .map((pair) => [pair.slice(0, 1), pair.slice(2)]),
  );
  const part = keys.get('p') || 'title';
  if (part !== 'title' && part !== 'body') return null;
  const raw = data.slice(split + 1);
  const text = keys.get('e') === '1' ? Buffer.from(raw, 'base64').toString('utf8') : raw;
  const id = keys.get('i') ?? '';
  const notice = partial.get(id) ?? { title: '', body: '' };
  notice[part] = (notice[part] + text).slice(0, longestText);
  if (keys.get('d') === '0') {
    if (partial.size < mostPartial) partial.set(id, notice);
    return null;
  }
  partial.delete(id);
  return notice;
}
