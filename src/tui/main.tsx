// Entry of the console's bundle: puts frames, console and host together on a terminal that was opened before.
import { Client } from '../client/client.ts';
import { GatehouseError } from '../core/error.ts';
import type { OperatorEvent } from '../protocol/operator.ts';
import { WatchScreen } from './attach/watch-screen.ts';
import { Console, type ConsoleSetup } from './console.ts';
import { createExcursions } from './excursions.ts';
import type { Ending, OpenedConsole } from './first-frame.ts';
import { HostLink } from './host-link.ts';
import { FrameRenderer } from './paint/frame.tsx';
import { Painter } from './paint/painter.ts';
import type { ConsoleClient, ConsolePorts } from './ports.ts';
import { ReplayScreen } from './replay/replay-screen.ts';
import type { Counts } from './run-feed.ts';
import { defaultSettings, readSettings } from './settings.ts';

export interface ConsoleOptions {
  readonly home: string;
  readonly ports: ConsolePorts;
  readonly opened: OpenedConsole;
  /** Begin in the terminal of the run with this id, and end when it is left. */
  readonly begin?: { readonly mode: 'attach' | 'watch'; readonly run: string };
}

interface ReplayFileOptions {
  readonly file: string;
  /** Milliseconds from the beginning. */
  readonly atMs: number;
  readonly label: string;
  readonly opened: OpenedConsole;
}

/** Runs until the operator quits. @throws what keeps it from beginning: no host, or `begin` cannot be done. */
export async function runConsole({ home, ports, opened, begin }: ConsoleOptions): Promise<Ending> {
  const { terminal } = opened;
  const done = Promise.withResolvers<Ending>();
  const end = (text: string) => done.resolve({ code: 0, text });
  let settings = defaultSettings;
  const { console, close } = showConsole(opened, {
    excursions: (self) =>
      createExcursions(self, {
        terminal,
        client: () => link.client(),
        settings: () => settings,
        onLeft: (reason) => begin !== undefined && end(reason === null ? '' : `gatehouse: ${reason}\n`),
        onFailed: (error) => begin !== undefined && done.reject(error),
      }),
    onQuit: () => end(begin === undefined ? farewell(console.feed.counts()) : ''),
  });
  const onEvent = (event: OperatorEvent) => {
    if (event.event === 'notice' && event.bell) terminal.write('\u0007');
    console.hostEvent(event);
  };
  const onConnected = () => console.preview.reset();
  const link = new HostLink(ports, console.feed, { onEvent, onConnected }, () => Date.now());
  console.use(link);
  console.repaint();
  terminal.input.listen((event) => console.input(event));
  const prepare = async () => {
    [settings] = await Promise.all([readSettings(home), link.open()]);
    if (begin !== undefined) beginRun(begin, console, link, done.reject);
  };
  prepare().catch(done.reject);
  try {
    return await done.promise;
  } finally {
    link.close();
    close();
  }
}

/** Finds or starts the host of a home. Here, so that it is in the bundle. */
export function connectHost(home: string, signal: AbortSignal): Promise<ConsoleClient> {
  return Client.connect(home, signal);
}

/** Plays a recording, with the keys of the console's replay. @throws when it cannot be opened. */
export async function runReplay({ file, atMs, label, opened }: ReplayFileOptions): Promise<Ending> {
  const done = Promise.withResolvers<Ending>();
  const nowhere = () => {};
  const { console, close } = showConsole(opened, {
    excursions: () => ({
      attach: nowhere,
      watch: nowhere,
      watchOther: nowhere,
      replay: nowhere,
      viewImages: nowhere,
    }),
    onQuit: () => done.resolve({ code: 0, text: '' }),
  });
  console.feed.setLink({ state: 'none' });
  console.begin(new ReplayScreen(console, { path: file, label, at: atMs, play: true, onFailed: done.reject }));
  opened.terminal.input.listen((event) => console.input(event));
  try {
    return await done.promise;
  } finally {
    close();
  }
}

/** A console on the terminal. `close` ends it; the terminal is given back by whoever opened it. */
function showConsole(
  { terminal, theme }: OpenedConsole,
  rest: Pick<ConsoleSetup, 'excursions' | 'onQuit'>,
): { console: Console; close: () => void } {
  const painter = new Painter((text) => terminal.write(text));
  // The first frame is on the screen, and rows without content are not erased otherwise.
  painter.forget();
  const renderer = new FrameRenderer(painter, terminal.size());
  const console = new Console({
    theme,
    size: () => terminal.size(),
    now: () => Date.now(),
    show: (content, size) => renderer.show(content, size),
    forget: () => renderer.forget(),
    copy: (text) => terminal.write(clipboardText(text)),
    ...rest,
  });
  const stopResize = terminal.onResize(() => console.resized());
  const close = () => {
    stopResize();
    console.close();
    renderer.close();
  };
  return { console, close };
}

function beginRun(
  { mode, run: id }: NonNullable<ConsoleOptions['begin']>,
  console: Console,
  link: HostLink,
  onFailed: (error: unknown) => void,
): void {
  const run = console.feed.get(id);
  if (run === undefined)
    throw new GatehouseError('run.unknown', `there is no run ${id}`, 'gatehouse ls lists the runs');
  if (mode === 'watch') console.begin(new WatchScreen(console, console.actions, run, link.client(), onFailed));
  else console.actions.key('a', run);
}

/** OSC 52: the operator asked for it with a key. */
function clipboardText(text: string): string {
  return `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`;
}

function farewell({ all, done, needsMe }: Counts): string {
  const alive = all - done;
  if (alive === 0) return 'gatehouse: the console is closed; no run is under way.\n';
  const waiting = needsMe === 0 ? '' : `, ${needsMe} of them need${needsMe === 1 ? 's' : ''} you`;
  return `gatehouse: the console is closed; ${alive} run${alive === 1 ? ' goes' : 's go'} on${waiting}. Come back with: gatehouse\n`;
}
