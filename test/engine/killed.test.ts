// kill -9 of a real process at many moments between the Enter of an approval and the end of the delivery.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifyChain } from '../../src/engine/journal.ts';
import { waitFor } from '../support/wait-for.ts';
import { agent, checkpoint, type Made, operator, startRun } from './agent.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

let waiting: Awaited<ReturnType<typeof checkpoint>>;
beforeAll(async () => {
  waiting = await checkpoint(async () => {
    const first = await startRun();
    await agent(first).toGate2();
    return first;
  });
});
afterAll(() => waiting.remove());

const journalOf = (made: Made) => verifyChain(readFileSync(made.paths.journal, 'utf8'), made.key);
const developTip = (made: Made) => made.repository.gitIn(made.repository.origin, 'rev-parse', 'develop');

/** Lets the host run until `when`, and kills it there. */
async function killedWhen(made: Made, what: string, when: () => boolean): Promise<void> {
  const program = join(import.meta.dirname, 'fixtures/deciding-host.ts');
  const child = spawn(process.execPath, [program, made.repository.dir], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await waitFor(() => when() || child.exitCode !== null, { what, intervalMs: 1 });
  child.kill('SIGKILL');
  await ended;
}

describe('killed with kill -9', () => {
  it.each([
    ['as soon as the approval is in the journal', 1],
    ['when the delivery has begun', 2],
    ['when the final commit is on record', 3],
    ['when the merge is on record, and perhaps pushed', 4],
  ])('C095: %s, the next host goes on and there is one approval and one merge', async (what, entries) => {
    const made = await waiting.again({ acts: false });
    const before = journalOf(made).entries.length;
    await killedWhen(made, what, () => journalOf(made).entries.length >= before + entries);
    const next = await made.reopen();
    await next.settled();
    expect(next.stateError).toBeNull();
    expect(next.state?.stage).toBe('ready-for-testing');
    expect(next.state?.approvals.filter((a) => a.gate === 'testing')).toHaveLength(1);
    const merges = made.repository.gitIn(made.repository.origin, 'rev-list', '--merges', '--count', 'develop');
    expect(merges).toBe('1');
    expect(developTip(made)).toBe(next.state?.delivery?.mergeCommit);
  });

  it('when the push has reached the remote and nobody noted it, it is not done twice', async () => {
    const made = await waiting.again({ acts: false });
    const before = developTip(made);
    await killedWhen(made, 'the push', () => developTip(made) !== before);
    const pushed = developTip(made);
    const next = await made.reopen();
    await next.settled();
    expect(next.state?.stage).toBe('ready-for-testing');
    expect(developTip(made)).toBe(pushed);
  });

  it('C095: before the approval is in the journal there is none, and it can be given again', async () => {
    const made = await waiting.again({ acts: false });
    await killedWhen(made, 'the first moment', () => true);
    const next = await made.reopen();
    expect(next.state?.approvals.filter((a) => a.gate === 'testing')).toHaveLength(0);
    expect(await next.approve({ line: '[SUBMIT FOR TESTING]', operator })).toMatchObject({ ok: true });
    await next.settled();
    expect(next.state?.stage).toBe('ready-for-testing');
  });
});

describe('effects', () => {
  it('that were decided and not carried out are given once more by the next host, but the session is its own concern', async () => {
    const made = await waiting.again({ acts: false });
    expect(await made.engine.sendBack({ text: 'Not yet.', operator })).toMatchObject({ ok: true });
    expect(made.effects).toEqual([]);
    await made.reopen();
    expect(made.effects).toEqual([{ type: 'automation.fire', from: 'await-testing', to: 'patch' }]);
    made.effects.length = 0;
    await made.reopen();
    expect(made.effects).toEqual([]);
  });
});
