// One picture on the whole window. Native pixels (kitty, iTerm2) where the terminal's environment says that it has them;
// half blocks otherwise, and always inside a multiplexer, which would print the pixels as text. A terminal that has only
// sixel gets half blocks as well: few say so in their environment, and the library draws none.
import type { Evidence } from '../../core/state.ts';
import { inertLine } from '../../core/inert.ts';
import { InputDecoder } from '../input/decoder.ts';
import { cursorTo, eraseScreen, home, resetStyle } from '../paint/escapes.ts';
import type { Size } from '../screen.ts';
import { fit } from '../text/cells.ts';
import type { Theme } from '../text/theme.ts';
import { evidencePath, readEvidence } from './evidence-file.ts';

interface ViewerTerminal {
  size(): Size;
  write(text: string): boolean;
  takeRaw(listener: (bytes: Buffer) => void): () => void;
  onResize(listener: () => void): () => void;
}

interface ViewerOptions {
  readonly terminal: ViewerTerminal;
  readonly theme: Theme;
  readonly env: NodeJS.ProcessEnv;
  readonly dir: string;
  readonly images: readonly Evidence[];
  readonly copy: (path: string) => void;
}

/** kitty keeps pictures until they are deleted by name; other terminals ignore this. */
const deletePictures = '\u001b_Ga=d,q=2\u001b\\';

/** Until the operator leaves. */
export async function viewImages(options: ViewerOptions): Promise<void> {
  const { terminal, images } = options;
  const done = Promise.withResolvers<void>();
  const decoder = new InputDecoder();
  let index = images.length - 1;
  let drawn = 0;
  const draw = async () => {
    const mine = ++drawn;
    // kitty pictures are written by the library itself, to where the cursor stands.
    terminal.write(frameText(options, index));
    const text = await pictureText(options, index);
    if (mine === drawn && text !== '') terminal.write(`${cursorTo(1, 0)}${text}${resetStyle}`);
  };
  const release = terminal.takeRaw((bytes) => {
    const events = decoder.push(bytes);
    for (const event of decoder.pending() === 'escape' ? [...events, ...decoder.expire()] : events) {
      if (event.kind !== 'key') continue;
      if (event.key === 'q' || event.key === 'escape' || event.key === 's' || event.key === 'enter') done.resolve();
      else if (event.key === 'y') options.copy(pathOf(options, index));
      else if (['n', 'j', 'l', 'right', ' '].includes(event.key)) index = (index + 1) % images.length;
      else if (['p', 'k', 'h', 'left'].includes(event.key)) index = (index + images.length - 1) % images.length;
      else continue;
      void draw();
    }
  });
  const releaseResize = terminal.onResize(() => void draw());
  void draw();
  try {
    await done.promise;
  } finally {
    drawn += 1;
    release();
    releaseResize();
    if (nativeAllowed(options.env)) terminal.write(deletePictures);
  }
}

/** Never inside tmux or screen: without passthrough the pixels arrive as garbage. */
export function nativeAllowed(env: NodeJS.ProcessEnv): boolean {
  if (env['TMUX'] || env['STY'] || env['TERM'] === 'dumb' || /^(screen|tmux)/.test(env['TERM'] ?? '')) return false;
  return (
    Boolean(env['KITTY_WINDOW_ID']) ||
    /kitty|ghostty|wezterm|iterm/i.test(
      `${env['TERM'] ?? ''} ${env['TERM_PROGRAM'] ?? ''} ${env['LC_TERMINAL'] ?? ''}`,
    ) ||
    Boolean(env['KONSOLE_VERSION'])
  );
}

function frameText(options: ViewerOptions, index: number): string {
  const { terminal, theme, images, env } = options;
  const { cols, rows } = terminal.size();
  const evidence = images[index];
  const name = evidence?.pair ? `${evidence.pair.side} ${inertLine(evidence.pair.name)} ` : '';
  const head = theme.bar(
    fit(` ${index + 1}/${images.length} ${evidence?.id ?? ''} ${name}· ${pathOf(options, index)}`, cols),
  );
  const keys = [
    ['n p', 'next, previous'],
    ['y', 'copy the path'],
    ['q', 'back'],
  ].map(([key = '', does = '']) => `${theme.attention(key)} ${theme.quiet(does)}`);
  const foot = fit(` ${keys.join('  ')}`, cols);
  const erase = `${nativeAllowed(env) ? deletePictures : ''}${resetStyle}${home}${eraseScreen}`;
  return `${erase}${head}${cursorTo(rows - 1, 0)}${foot}${cursorTo(1, 0)}`;
}

async function pictureText(options: ViewerOptions, index: number): Promise<string> {
  const { terminal, theme, env, images } = options;
  const { cols, rows } = terminal.size();
  const evidence = images[index];
  if (evidence === undefined) return '';
  const found = await readEvidence(pathOf(options, index), evidence);
  if ('failure' in found) return theme.bad(` ${found.failure}`);
  try {
    const { default: terminalImage } = await import('terminal-image');
    const size = { width: cols, height: Math.max(1, rows - 3) };
    const text = await terminalImage.buffer(found.data, { ...size, preferNativeRender: nativeAllowed(env) });
    return text.replaceAll('\n', '\r\n');
  } catch (error) {
    return theme.bad(` cannot be drawn: ${inertLine(error instanceof Error ? error.message : String(error))}`);
  }
}

function pathOf({ dir, images }: ViewerOptions, index: number): string {
  return evidencePath(dir, images[index]?.file ?? '');
}
