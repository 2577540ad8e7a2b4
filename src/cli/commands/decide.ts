// A person's decisions: approve, feedback, grant, restore. The host judges; nothing is decided here.
import { currentActor } from '../../client/actor.ts';
import { withClient } from '../connect.ts';
import { exitDone, say } from '../output.ts';

export function approve(home: string | undefined, run: string, line: string): Promise<number> {
  return withClient(home, async (client) => {
    const actor = await currentActor();
    const detail = await client.request('run.show', { run });
    const gate = detail.gate;
    const shown = gate === null ? {} : { shown: { round: gate.round, subject: gate.subject } };
    const { approval, stage } = await client.request('run.approve', { run, line, actor, ...shown });
    say(`${run}: ${approval.token} recorded for ${approval.operator.name}; now in ${stage}`);
    for (const file of approval.subject.files) say(`  approved ${file.path} ${file.sha256.slice(0, 12)}`);
    if (approval.subject.tree !== null) say(`  approved tree ${approval.subject.tree.slice(0, 12)}`);
    return exitDone;
  });
}

export function feedback(home: string | undefined, run: string, text: string): Promise<number> {
  return withClient(home, async (client) => {
    const { stage } = await client.request('run.feedback', { run, text, actor: await currentActor() });
    say(`${run}: sent back; now in ${stage}`);
    return exitDone;
  });
}

export function grant(home: string | undefined, run: string): Promise<number> {
  return withClient(home, async (client) => {
    const { stage, reviewLimit } = await client.request('run.grant', { run, actor: await currentActor() });
    say(`${run}: another round granted, ${reviewLimit} reviews at most now; in ${stage}`);
    return exitDone;
  });
}

export function restore(home: string | undefined, run: string): Promise<number> {
  return withClient(home, async (client) => {
    const { stage } = await client.request('run.restore', { run, actor: await currentActor() });
    say(`${run}: restored to the last state that the engine vouches for; in ${stage}`);
    return exitDone;
  });
}
