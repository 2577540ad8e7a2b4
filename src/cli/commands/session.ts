import { currentActor } from '../../client/actor.ts';
import type { Client } from '../../client/client.ts';
import { GatehouseError } from '../../core/error.ts';
import { withClient } from '../connect.ts';
import { complain, exitDone, exitRefused, say } from '../output.ts';

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

interface ResumeOptions {
  readonly toPatch?: boolean;
  readonly lost?: boolean;
}

export function resume(home: string | undefined, run: string | undefined, options: ResumeOptions): Promise<number> {
  if ((run === undefined) !== (options.lost === true) || (options.lost && options.toPatch))
    throw new GatehouseError(
      'usage.invalid',
      'resume takes one run, or --lost and nothing else',
      'gatehouse resume RUN, or gatehouse resume --lost',
    );
  return withClient(home, async (client) =>
    run === undefined ? resumeLost(client) : (await resumeOne(client, run, options), exitDone),
  );
}

async function resumeOne(client: Client, run: string, { toPatch }: ResumeOptions): Promise<void> {
  const to = toPatch ? { to: 'patch' as const } : {};
  const { stage, session } = await client.request('run.resume', { run, actor: await currentActor(), ...to });
  say(`${run}: goes on in ${stage} (${session})`);
}

/** All are asked for at once; the host lets a few start at a time (`startAtOnce`). One that fails keeps none from it. */
async function resumeLost(client: Client): Promise<number> {
  const { runs } = await client.request('runs.list', {});
  const lost = runs.filter((row) => row.needsMeReason === 'lost');
  const asked = lost.map(async ({ id }) => {
    try {
      await resumeOne(client, id, {});
      return true;
    } catch (error) {
      complain(error);
      return false;
    }
  });
  const answers = await Promise.all(asked);
  if (lost.length === 0) say('no run is lost');
  const waiting = runs.filter((row) => row.activity === 'lost' && row.pendingToken !== null).length;
  if (waiting > 0) say(`left alone: ${waiting} that wait for your decision; it starts their session`);
  return answers.every((ok) => ok) ? exitDone : exitRefused;
}
