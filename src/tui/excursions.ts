// Leaving the frames for a run's own terminal, or for a picture, and coming back.
import type { RunSummary } from '../core/run.ts';
import { type AttachEnd, AttachSession } from './attach/attach-session.ts';
import { WatchScreen } from './attach/watch-screen.ts';
import type { Console } from './console.ts';
import type { ConsoleClient } from './ports.ts';
import { failureText } from './prompt/failure.ts';
import type { Excursions } from './run-actions.ts';
import type { ConsoleSettings } from './settings.ts';
import type { ConsoleTerminal } from './terminal.ts';

export function createExcursions(
  console: Console,
  terminal: ConsoleTerminal,
  client: () => ConsoleClient | null,
  settings: () => ConsoleSettings,
): Excursions {
  const attach = async (run: RunSummary): Promise<void> => {
    const present = client();
    if (present === null) return console.say({ level: 'bad', text: 'the host does not answer; nothing to attach to' });
    console.suspend();
    let end: AttachEnd;
    try {
      const session = new AttachSession({
        client: present,
        run: { id: run.id, label: run.task.id },
        terminal,
        theme: console.theme,
        ...settings(),
      });
      end = await session.run();
    } catch (error) {
      end = { wants: 'ended', reason: failureText(error) };
    }
    terminal.reclaim();
    console.resume();
    after(run, end);
  };

  const after = (run: RunSummary, end: AttachEnd): void => {
    switch (end.wants) {
      case 'detach':
        return console.say({ level: 'info', text: `detached from ${run.task.id}; it goes on` });
      case 'token':
        return console.actions.token(run);
      case 'scroll':
        return void console.actions.key('r', run);
      case 'next':
      case 'previous': {
        const other = console.nextNeedingMe(run.id, end.wants === 'next' ? 1 : -1);
        if (other === null || other.id === run.id)
          return console.say({ level: 'info', text: 'no other run needs you' });
        return void attach(other);
      }
      case 'ended':
        return console.say({ level: 'bad', text: `${run.task.id}: ${end.reason}` });
    }
  };

  return {
    attach: (run) => void attach(run),
    watch: (run) => console.open(new WatchScreen(console, console.actions, run, client())),
    watchOther: (run, by) => {
      const other = console.nextNeedingMe(run.id, by);
      if (other === null || other.id === run.id) return console.say({ level: 'info', text: 'no other run needs you' });
      console.back();
      console.open(new WatchScreen(console, console.actions, other, client()));
    },
    replay: (run) => console.say({ level: 'bad', text: `${run.task.id}: not yet` }),
    viewImages: (run) => console.say({ level: 'bad', text: `${run.task.id}: not yet` }),
  };
}
