// Entry of the console's bundle: puts terminal, frames, console and host together, and ends with an exit code.
import { basename } from 'node:path';
import { Client } from '../client/client.ts';
import type { RunSummary } from '../core/run.ts';
import { WatchScreen } from './attach/watch-screen.ts';
import { Console } from './console.ts';
import { createExcursions } from './excursions.ts';
import { type OpenedConsole, openFirstFrame } from './first-frame.ts';
import type { OperatorEvent } from '../protocol/operator.ts';
import { HostLink } from './host-link.ts';
import { FrameRenderer } from './paint/frame.tsx';
import { Painter } from './paint/painter.ts';
import type { ConsoleClient, ConsolePorts } from './ports.ts';
import { ReplayScreen } from './replay/replay-screen.ts';
import type { Counts } from './run-feed.ts';
import type { ConsoleTerminal } from './terminal.ts';
import { defaultSettings, readSettings } from './settings.ts';

export interface ConsoleOptions {
  readonly home: string;
  readonly ports: ConsolePorts;
  /** Set when the first frame is on the screen already. */
  readonly opened?: OpenedConsole;
  /** Begin in a run's terminal, and end when it is left. A run id, or a task id that only one run has. */
  readonly begin?: { readonly mode: 'attach' | 'watch'; readonly run: string };
}

export interface ReplayFileOptions {
  readonly file: string;
  /** Milliseconds from the beginning. */
  readonly at?: number;
  readonly label?: string;
  readonly opened?: OpenedConsole;
}

/** What is printed when the screen is given back. */
interface Ending {
  readonly code: number;
  readonly text: string;
}

/** Runs until the operator quits; the exit code. The caller has made sure that there is a terminal. */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  const { terminal, theme } = options.opened ?? openFirstFrame(process.stdin, process.stdout, process.env);
  const done = Promise.withResolvers<Ending>();
  let settings = defaultSettings;
  const reading = readSettings(options.home).then((read) => {
    settings = read;
  });
  const left = (reason: string | null) => {
    if (options.begin !== undefined) done.resolve({ code: 0, text: reason === null ? '' : `gatehouse: ${reason}\n` });
  };
  const renderer = frameRenderer(terminal);
  const console = new Console({
    theme,
    size: () => terminal.size(),
    now: () => Date.now(),
    show: (content, size) => renderer.show(content, size),
    forget: () => renderer.forget(),
    excursions: (self) =>
      createExcursions(
        self,
        terminal,
        () => link.client(),
        () => settings,
        left,
      ),
    copy: (text) => terminal.write(clipboardText(text)),
    onQuit: () => done.resolve({ code: 0, text: options.begin === undefined ? farewell(console.feed.counts()) : '' }),
  });
  const heard = (event: OperatorEvent) => {
    if (event.event === 'notice' && event.bell) terminal.write('\u0007');
    console.hostEvent(event);
  };
  const link = new HostLink(
    options.ports,
    console.feed,
    { onEvent: (event) => heard(event), onConnected: () => console.preview.reset() },
    () => Date.now(),
  );
  console.use(link);
  const stopResize = terminal.onResize(() => console.resized());
  console.repaint();
  terminal.input.listen((event) => console.input(event));
  void Promise.all([link.open(), reading]).then(() => begin(options, console, link, done.resolve));
  const ending = await done.promise;
  stopResize();
  link.close();
  console.close();
  renderer.close();
  terminal.leave();
  process.stdout.write(ending.text);
  return ending.code;
}

/** Finds or starts the host of a home. Here, so that it is in the bundle. */
export function connectHost(home: string): Promise<ConsoleClient> {
  return Client.connect(home);
}

/** Plays a recording, with the keys of the console's replay. */
export async function runReplay(options: ReplayFileOptions): Promise<number> {
  const { terminal, theme } = options.opened ?? openFirstFrame(process.stdin, process.stdout, process.env);
  const done = Promise.withResolvers<number>();
  const renderer = frameRenderer(terminal);
  const console = new Console({
    theme,
    size: () => terminal.size(),
    now: () => Date.now(),
    show: (content, size) => renderer.show(content, size),
    forget: () => renderer.forget(),
    excursions: () => ({
      attach: () => {},
      watch: () => {},
      watchOther: () => {},
      replay: () => {},
      viewImages: () => {},
    }),
    copy: (text) => terminal.write(clipboardText(text)),
    onQuit: () => done.resolve(0),
  });
  console.feed.setLink({ state: 'none' });
  const stopResize = terminal.onResize(() => console.resized());
  const { file, at, label = basename(file) } = options;
  console.begin(new ReplayScreen(console, { path: file, label, ...(at === undefined ? {} : { at }), play: true }));
  terminal.input.listen((event) => console.input(event));
  try {
    return await done.promise;
  } finally {
    stopResize();
    console.close();
    renderer.close();
    terminal.leave();
  }
}

function frameRenderer(terminal: ConsoleTerminal): FrameRenderer {
  const painter = new Painter((text) => terminal.write(text));
  // The first frame is on the screen, and rows without content are not erased otherwise.
  painter.forget();
  return new FrameRenderer(painter, terminal.size());
}

function begin(options: ConsoleOptions, console: Console, link: HostLink, end: (ending: Ending) => void): void {
  if (options.begin === undefined) return;
  const { mode, run: wanted } = options.begin;
  const run = findRun(console.feed.list(), wanted);
  if (run === null) return end({ code: 1, text: `gatehouse: no run "${wanted}"\nsee: gatehouse ls\n` });
  if (mode === 'watch') console.begin(new WatchScreen(console, console.actions, run, link.client()));
  else console.actions.key('a', run);
}

function findRun(runs: readonly RunSummary[], wanted: string): RunSummary | null {
  const byTask = runs.filter((run) => run.task.id === wanted);
  return runs.find((run) => run.id === wanted) ?? (byTask.length === 1 ? (byTask[0] ?? null) : null);
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
