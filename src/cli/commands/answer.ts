// `gatehouse answer RUN [CHOICE]`: the dialog that a session waits in, and the choice of a person or a script.
import { currentActor } from '../../client/actor.ts';
import { GatehouseError } from '../../core/error.ts';
import { withClient } from '../connect.ts';
import { exitDone, exitRefused, say, sayJson } from '../output.ts';

/** Without a choice the dialog is shown. Exit code 1 when none is open. */
export function answer(
  home: string | undefined,
  run: string,
  choice: string | undefined,
  options: { json?: boolean },
): Promise<number> {
  return withClient(home, async (client) => {
    const { dialog } = await client.request('run.show', { run });
    if (choice === undefined && options.json) {
      sayJson(dialog);
      return dialog === null ? exitRefused : exitDone;
    }
    if (dialog === null) {
      throw new GatehouseError(
        'message.refused',
        `no dialog is open in the session of ${run}`,
        `gatehouse show ${run} tells what it does; gatehouse send ${run} TEXT talks to it`,
      );
    }
    if (choice === undefined) {
      say(`${run} asks (${dialog.name}):`);
      for (const line of dialog.text.split('\n')) say(`  ${line}`);
      for (const { key, label } of dialog.choices) say(`  ${key}  ${label}`);
      say(`answer with: gatehouse answer ${run} CHOICE`);
      return exitDone;
    }
    await client.request('run.answer', { run, dialog: dialog.id, choice, actor: await currentActor() });
    say(`${run}: answered ${choice} (${dialog.choices.find((each) => each.key === choice)?.label ?? ''})`);
    return exitDone;
  });
}
