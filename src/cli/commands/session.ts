import { currentActor } from '../../client/actor.ts';
import { withClient } from '../connect.ts';
import { exitDone, exitRefused, say } from '../output.ts';

export function send(home: string | undefined, run: string, text: string): Promise<number> {
  return withClient(home, async (client) => {
    const { how } = await client.request('run.send', { run, text, actor: await currentActor() });
    say(`${run}: submitted (${how})`);
    return exitDone;
  });
}

export function stop(home: string | undefined, run: string): Promise<number> {
  return withClient(home, async (client) => {
    const { leftOver } = await client.request('run.stop', { run, actor: await currentActor() });
    if (leftOver.length === 0) {
      say(`${run}: session ended; gatehouse resume ${run} continues it`);
      return exitDone;
    }
    say(`${run}: session ended, but these processes are still there: ${leftOver.join(', ')}`);
    return exitRefused;
  });
}

export function resume(home: string | undefined, run: string, options: { toPatch?: boolean }): Promise<number> {
  return withClient(home, async (client) => {
    const to = options.toPatch ? { to: 'patch' as const } : {};
    const { stage, session } = await client.request('run.resume', { run, actor: await currentActor(), ...to });
    say(`${run}: goes on in ${stage} (${session})`);
    return exitDone;
  });
}
