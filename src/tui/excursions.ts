// Leaving the frames for a run's own terminal, or for a picture, and coming back.
import { basename, dirname } from 'node:path';
import { toErrorBody } from '../core/error.ts';
import type { RunSummary } from '../core/run.ts';
import type { Evidence } from '../core/state.ts';
import { homePaths } from '../platform/paths.ts';
import { type AttachEnd, AttachSession } from './attach/attach-session.ts';
import { ReturnScreen } from './attach/return-screen.ts';
import { ScrollbackScreen } from './attach/scrollback-screen.ts';
import { WatchScreen } from './attach/watch-screen.ts';
import type { Console } from './console.ts';
import type { ConsoleClient } from './ports.ts';
import { failureText } from './prompt/failure.ts';
import { TokenPrompt } from './prompt/token-prompt.ts';
import { ReplayScreen } from './replay/replay-screen.ts';
import type { Excursions } from './run-actions.ts';
import { viewImages } from './run/image-viewer.ts';
import type { ConsoleSettings } from './settings.ts';
import type { ConsoleTerminal } from './terminal.ts';

interface ExcursionSetup {
  readonly terminal: ConsoleTerminal;
  readonly client: () => ConsoleClient | null;
  readonly settings: () => ConsoleSettings;
  /** An attached run was left: by the operator, or because it ended. */
  readonly onLeft: (reason: string | null) => void;
  /** It could not be attached. */
  readonly onFailed: (error: unknown) => void;
}

export function createExcursions(console: Console, setup: ExcursionSetup): Excursions {
  const { terminal, client, settings, onLeft } = setup;
  /** `returning`: from the prompt that it was left for. */
  const attach = async (run: RunSummary, returning = false): Promise<void> => {
    const present = client();
    if (present === null) return console.say({ level: 'bad', text: 'the host does not answer; nothing to attach to' });
    console.suspend();
    let end: AttachEnd | null = null;
    let failure: unknown = null;
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
      failure = error;
    }
    terminal.reclaim();
    console.resume();
    if (end !== null) return after(run, end);
    const mayCome = returning && toErrorBody(failure).code === 'run.not-live' && !isOver(console, run);
    if (!mayCome) return failed(run, failure);
    const then = { attach: () => void attach(run, true), onLeave: () => onLeft(null) };
    console.open(new ReturnScreen(console, run, then));
  };

  const failed = (run: RunSummary, error: unknown): void => {
    console.say({ level: 'bad', text: `${run.task.id}: ${failureText(error)}` });
    setup.onFailed(error);
  };

  const pictures = async (run: RunSummary, evidence: readonly Evidence[]): Promise<void> => {
    const images = evidence.filter((each) => each.kind === 'image' && each.file !== null);
    if (images.length === 0) return console.say({ level: 'info', text: `${run.task.id} has no images yet` });
    console.suspend();
    await viewImages({
      terminal,
      theme: console.theme,
      env: process.env,
      dir: run.dir,
      images,
      copy: (path) => console.copy(path, 'path of the picture'),
    });
    terminal.reclaim();
    console.resume();
  };

  const after = (run: RunSummary, end: AttachEnd): void => {
    switch (end.wants) {
      case 'detach':
        console.say({ level: 'info', text: `detached from ${run.task.id}; it goes on` });
        return onLeft(null);
      case 'token':
        return console.open(new TokenPrompt(console, console.feed.get(run.id) ?? run, () => void attach(run, true)));
      case 'scroll':
        return console.open(
          new ScrollbackScreen(console, {
            path: recordingOf(run),
            label: run.task.id,
            onLeave: () => void attach(run),
          }),
        );
      case 'next':
      case 'previous': {
        const other = console.nextNeedingMe(run.id, end.wants === 'next' ? 1 : -1);
        if (other === null || other.id === run.id)
          return console.say({ level: 'info', text: 'no other run needs you' });
        return void attach(other);
      }
      case 'ended':
        console.say({ level: 'bad', text: `${run.task.id}: ${end.reason}` });
        return onLeft(end.reason);
    }
  };

  return {
    attach: (run) => void attach(run),
    watch: (run) => console.open(new WatchScreen(console, console.actions, run, client())),
    watchOther: (run, by) => {
      const other = console.nextNeedingMe(run.id, by);
      if (other === null || other.id === run.id) return console.say({ level: 'info', text: 'no other run needs you' });
      console.swap(new WatchScreen(console, console.actions, other, client()));
    },
    replay: (run) =>
      console.open(new ReplayScreen(console, { path: recordingOf(run), label: run.task.id, play: true })),
    viewImages: (run, evidence) => void pictures(run, evidence),
  };
}

/** Nobody starts a session of it any more. */
function isOver(console: Console, run: RunSummary): boolean {
  const { stage } = console.feed.get(run.id) ?? run;
  return stage === 'ready-for-testing' || stage === 'halted';
}

/** `runs/<id>` lies in the home of its host, which need not be ours by name. */
function recordingOf(run: RunSummary): string {
  return homePaths(dirname(dirname(run.dir))).run(basename(run.dir)).recording;
}
