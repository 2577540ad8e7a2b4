// Entry of the console's bundle: puts terminal, frames, console and host together, and ends with an exit code.
import { Client } from '../client/client.ts';
import { currentActor } from '../client/actor.ts';
import { Console } from './console.ts';
import { createExcursions } from './excursions.ts';
import { type OpenedConsole, openFirstFrame } from './first-frame.ts';
import { HostLink } from './host-link.ts';
import { FrameRenderer } from './paint/frame.tsx';
import type { ConsolePorts } from './ports.ts';
import { defaultSettings, readSettings } from './settings.ts';
import type { Counts } from './run-feed.ts';

export interface ConsoleOptions {
  readonly home: string;
  /** Set when the first frame is on the screen already. */
  readonly opened?: OpenedConsole;
  readonly ports?: ConsolePorts;
}

/** Runs until the operator quits; the exit code. The caller has made sure that there is a terminal. */
export async function runConsole(options: ConsoleOptions): Promise<number> {
  const { terminal, theme } = options.opened ?? openFirstFrame(process.stdin, process.stdout, process.env);
  const ports = options.ports ?? clientPorts(options.home);
  const renderer = new FrameRenderer(terminal.painter, terminal.size());
  let settings = defaultSettings;
  void readSettings(options.home).then((read) => {
    settings = read;
  });
  const done = Promise.withResolvers<number>();
  const console = new Console({
    theme,
    size: () => terminal.size(),
    now: () => Date.now(),
    show: (content, size) => renderer.show(content, size),
    excursions: (self) =>
      createExcursions(
        self,
        terminal,
        () => link.client(),
        () => settings,
      ),
    copy: (text) => terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`),
    onQuit: () => done.resolve(0),
  });
  const link = new HostLink(
    ports,
    console.feed,
    { onEvent: (event) => console.hostEvent(event), onConnected: () => console.preview.reset() },
    () => Date.now(),
  );
  console.use(link);
  const stopResize = terminal.onResize(() => console.resized());
  console.repaint();
  terminal.input.listen((event) => console.input(event));
  void link.open();
  try {
    return await done.promise;
  } finally {
    stopResize();
    link.close();
    console.close();
    renderer.close();
    terminal.leave();
    process.stdout.write(farewell(console.feed.counts()));
  }
}

function farewell({ all, done, needsMe }: Counts): string {
  const alive = all - done;
  if (alive === 0) return 'gatehouse: the console is closed; no run is under way.\n';
  const waiting = needsMe === 0 ? '' : `, ${needsMe} of them need${needsMe === 1 ? 's' : ''} you`;
  return `gatehouse: the console is closed; ${alive} run${alive === 1 ? ' goes' : 's go'} on${waiting}. Come back with: gatehouse\n`;
}

function clientPorts(home: string): ConsolePorts {
  return { connect: () => Client.connect(home), actor: currentActor };
}
