// The `:` line. A command names its run, by run id or task id; nothing acts on "the selected one" by accident.
import type { RunSummary } from '../../core/run.ts';
import type { RunActions } from '../run-actions.ts';
import type { Desk } from '../screen.ts';
import { failureText } from './failure.ts';
import { StopPrompt } from './stop-prompt.ts';

export const commandNames =
  'approve RUN, feedback RUN, send RUN TEXT, stop RUN, resume RUN, grant RUN, restore RUN, show RUN, attach RUN, watch RUN, replay RUN, help, quit';

export interface ConsoleCommands {
  help(): void;
  quit(): void;
}

export function runCommand(line: string, desk: Desk, actions: RunActions, own: ConsoleCommands): void {
  const [verb = '', id = '', ...rest] = line.trim().split(/\s+/);
  if (verb === '') return;
  if (verb === 'help') return own.help();
  if (verb === 'quit' || verb === 'q') return own.quit();
  if (!/^(approve|feedback|send|stop|resume|grant|restore|show|attach|watch|replay)$/.test(verb)) {
    return desk.say({ level: 'bad', text: `no command "${verb}"; there are: ${commandNames}` });
  }
  const run = findRun(desk, id);
  if (typeof run === 'string') return desk.say({ level: 'bad', text: run });
  act(verb, run, rest, line, desk, actions);
}

function act(
  verb: string,
  run: RunSummary,
  rest: readonly string[],
  line: string,
  desk: Desk,
  actions: RunActions,
): void {
  const report = (what: Promise<string>) => {
    void what
      .then((text) => desk.say({ level: 'good', text }))
      .catch((error: unknown) => desk.say({ level: 'bad', text: failureText(error) }));
  };
  switch (verb) {
    case 'approve':
      // The line is typed where the hashes are shown, never here.
      return actions.token(run);
    case 'feedback':
      return actions.feedback(run);
    case 'stop':
      return desk.open(new StopPrompt(desk, run));
    case 'show':
      return actions.openRun(run, null);
    case 'attach':
    case 'watch':
    case 'replay': {
      actions.key(verb === 'attach' ? 'a' : verb === 'watch' ? 'w' : 'r', run);
      return;
    }
    case 'send': {
      const text = line.trim().replace(/^\S+\s+\S+\s*/, '');
      if (rest.length === 0) return desk.say({ level: 'bad', text: 'send what? :send RUN TEXT' });
      return report(
        desk.request('run.send', { run: run.id, text }).then(({ how }) => `sent to ${run.task.id}: ${how}`),
      );
    }
    case 'resume':
      return report(
        desk.request('run.resume', { run: run.id }).then(({ stage }) => `${run.task.id} goes on in ${stage}`),
      );
    case 'grant':
      return report(
        desk
          .request('run.grant', { run: run.id })
          .then(({ reviewLimit }) => `${run.task.id} may have review ${reviewLimit}`),
      );
    case 'restore':
      return report(
        desk.request('run.restore', { run: run.id }).then(({ stage }) => `${run.task.id} is restored to ${stage}`),
      );
  }
}

function findRun(desk: Desk, id: string): RunSummary | string {
  if (id === '') return 'which run? the command needs a run id or a task id';
  const byId = desk.feed.get(id);
  if (byId !== undefined) return byId;
  const byTask = desk.feed.list().filter((run) => run.task.id === id);
  const [only] = byTask;
  if (only !== undefined && byTask.length === 1) return only;
  return byTask.length === 0 ? `no run "${id}"` : `${byTask.length} runs work on ${id}; name one by its run id`;
}
