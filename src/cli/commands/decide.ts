// A person's decisions: approve, feedback, grant, restore. The host judges; nothing is decided here.
import { currentActor } from '../../client/actor.ts';
import { approvalSettings } from '../../client/approval-settings.ts';
import { signIfAsked } from '../../client/sign.ts';
import { GatehouseError, toErrorBody } from '../../core/error.ts';
import { type Approval, type RunState, changesSinceOpened } from '../../core/state.ts';
import { resolveHome } from '../../platform/paths.ts';
import { withClient } from '../connect.ts';
import { exitDone, say } from '../output.ts';

export function approve(
  home: string | undefined,
  run: string,
  line: string,
  options: { sign?: boolean; round?: number },
): Promise<number> {
  return withClient(home, async (client) => {
    const approvals = await approvalSettings(resolveHome(home));
    if (options.sign && approvals.signature === 'off')
      throw new GatehouseError(
        'config.invalid',
        'config.json switches signatures off, so nobody would check this one',
        'set "approvals.signature" to "accept" or "require"',
      );
    const actor = await currentActor();
    const detail = await client.request('run.show', { run });
    const gate = detail.gate;
    refuseUnseen(run, detail.state, options.round);
    const shown = gate === null ? {} : { shown: { round: gate.round, subject: gate.subject } };
    const sign = gate !== null && (options.sign ?? approvals.signature === 'require');
    const signature = sign ? { signature: await signIfAsked({ run, gate, line, key: approvals.key }) } : {};
    const { approval, stage } = await client
      .request('run.approve', { run, line, actor, ...shown, ...signature })
      .catch((error: unknown) => recordedAfterAll(error, { home, run, line, gate }));
    say(`${run}: ${approval.token} recorded for ${approval.operator.name}; now in ${stage}`);
    for (const file of approval.subject.files) say(`  approved ${file.path} ${file.sha256.slice(0, 12)}`);
    if (approval.subject.tree !== null) say(`  approved tree ${approval.subject.tree.slice(0, 12)}`);
    return exitDone;
  });
}

/** The answer never came: the next host tells whether the approval was written before the last one was gone. */
async function recordedAfterAll(
  error: unknown,
  { home, run, line, gate }: { home: string | undefined; run: string; line: string; gate: RunState['gate'] },
): Promise<{ approval: Approval; stage: string }> {
  if (toErrorBody(error).code !== 'host.unreachable' || gate === null) throw error;
  const { state, stage } = await withClient(home, (client) => client.request('run.show', { run }));
  const approval = state?.approvals.find((a) => a.gate === gate.name && a.round === gate.round && a.line === line);
  if (approval !== undefined) return { approval, stage };
  throw new GatehouseError(
    'host.unreachable',
    'not recorded: the host ended before it wrote the approval',
    `another host runs now and the gate still waits: approve again (gatehouse show ${run})`,
  );
}

/** A command line cannot know which version its author has read; where there were several, they must say. */
function refuseUnseen(run: string, state: RunState | null, round: number | undefined): void {
  const present = state?.gate?.round;
  if (state === null || present === undefined || round === present) return;
  if (round === undefined && changesSinceOpened(state) === 0) return;
  throw new GatehouseError(
    'gate.stale',
    `what waits at the gate has changed since it opened; this is round ${present}`,
    `look at it (gatehouse show ${run}), then approve with --round ${present}`,
  );
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
