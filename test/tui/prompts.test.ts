import { describe, expect, test } from 'vitest';
import { GatehouseError } from '../../src/core/error.ts';
import type { Params } from '../../src/protocol/operator.ts';
import { FakeClient } from './support/fake-client.ts';
import { openRig } from './support/open-rig.ts';
import { sampleDetail, sampleRun } from './support/sample-runs.ts';

const atGate1 = () => sampleRun(3, { stage: 'await-development' });
const atGate2 = () => sampleRun(8, { stage: 'await-testing' });
const approvals = (client: FakeClient) =>
  client.asked.filter((each) => each.method === 'run.approve').map((each) => each.params as Params<'run.approve'>);

describe('the token prompt', () => {
  test('shows the run, the hashes and the open decisions, and nothing is filled in', async () => {
    const rig = await openRig({ runs: [atGate1()], cols: 80, rows: 24 });
    await rig.type('t');
    const text = await rig.text();
    expect(text).toContain('TB-104');
    expect(text).toContain('run tb-104-x3');
    expect(text).toContain('a'.repeat(16));
    expect(text).toContain('(recommended)');
    expect(text).toContain('1_ 2_ [START DEVELOPMENT]');
    expect(text).toMatch(/^ >$/m);
  });

  test('sends the line exactly as typed, with what was shown', async () => {
    const rig = await openRig({ runs: [atGate1()] });
    await rig.type('t');
    await rig.typeSlowly('1A 2C [START DEVELOPMENT]');
    await rig.type('\r');
    const text = await rig.waitForText('Recorded');
    expect(text).toContain('goes on: implement');
    const [approval] = approvals(rig.client);
    expect(approval?.line).toBe('1A 2C [START DEVELOPMENT]');
    expect(approval?.run).toBe('tb-104-x3');
    expect(approval?.shown).toEqual({ round: 1, subject: sampleDetail(atGate1()).gate?.subject });
    expect(approval?.actor).toEqual({ name: 'Op', user: 'op', tty: '/dev/pts/1' });
  });

  test.each([
    ['Enter', '\r'],
    ['Esc', '\u001b'],
    ['q', 'q'],
  ])('once it is recorded, %s leaves it, and quits nothing', async (_name, key) => {
    const rig = await openRig({ runs: [atGate1()] });
    await rig.type('t');
    await rig.typeSlowly('1A 2C [START DEVELOPMENT]');
    await rig.type('\r');
    await rig.waitForText('Recorded');
    await rig.type(key);
    expect(await rig.text()).not.toContain('Recorded');
    expect(rig.quit).toBe(false);
  });

  test('once it is recorded, ! goes on to the next run that needs me; before, it is a character', async () => {
    const rig = await openRig({ runs: [atGate1(), atGate2()] });
    await rig.type('/');
    await rig.type('TB-104\r');
    await rig.type('t');
    await rig.type('!');
    expect(await rig.text()).toContain('> !');
    await rig.type('\u007f');
    await rig.typeSlowly('1A 2C [START DEVELOPMENT]');
    await rig.type('\r');
    await rig.waitForText('Recorded');
    await rig.type('!');
    await rig.waitForText(`${atGate2().task.id} › Package`);
  });

  test('where signatures are required it says who signs with which key, and sends the signature', async () => {
    const rig = await openRig({ runs: [atGate1()] });
    const signed: unknown[] = [];
    const signature = { principal: 'op@example.invalid', armored: 'ARMORED' };
    rig.signer = () =>
      Promise.resolve({
        principal: signature.principal,
        key: '/keys/id_ed25519',
        sign: (request) => {
          signed.push(request);
          return Promise.resolve(signature);
        },
      });
    await rig.type('t');
    await rig.waitForText('Enter signs it as op@example.invalid with /keys/id_ed25519');
    await rig.typeSlowly('1A 2C [START DEVELOPMENT]');
    await rig.type('\r');
    await rig.waitForText('Recorded');
    const subject = sampleDetail(atGate1()).gate?.subject;
    expect(signed).toEqual([
      { run: 'tb-104-x3', line: '1A 2C [START DEVELOPMENT]', gate: { name: 'development', round: 1, subject } },
    ]);
    expect(approvals(rig.client)[0]?.signature).toEqual(signature);
  });

  test('nothing is sent when it cannot be signed, when another would sign than was named, or after Esc', async () => {
    const rig = await openRig({ runs: [atGate1()] });
    rig.signer = () => Promise.reject(new Error('there is no key to sign with'));
    await rig.type('t');
    await rig.waitForText('A signature is required, so nothing can be sent: there is no key to sign with');
    await rig.typeSlowly('1A 2C [START DEVELOPMENT]');
    await rig.type('\r');
    await rig.waitForText('Not sent: there is no key to sign with');
    const key = Promise.withResolvers<{ principal: string; armored: string }>();
    rig.signer = () => Promise.resolve({ principal: 'other', key: 'a key', sign: () => key.promise });
    await rig.type('\r');
    await rig.waitForText('who signs has changed just now');
    await rig.type('\r');
    await rig.waitForText('signing;');
    await rig.type('\u001b');
    key.resolve({ principal: 'other', armored: 'ARMORED' });
    await rig.settle();
    expect(approvals(rig.client)).toEqual([]);
  });

  test.each([
    ['looks good', 'only the exact token'],
    ['START DEVELOPMENT', 'brackets included'],
    ['[start development]', 'capital letters included'],
    ['1A [START DEVELOPMENT]', 'decision 2 has no choice'],
    ['1Z 2A [START DEVELOPMENT]', 'decision 1 has no option Z'],
    ['1A 2A [SUBMIT FOR TESTING]', 'belongs to the other gate'],
    ['', 'nothing was typed'],
  ])('%j is refused with the reason, and nothing is sent', async (line, reason) => {
    const rig = await openRig({ runs: [atGate1()] });
    await rig.type('t');
    await rig.typeSlowly(line);
    await rig.type('\r');
    expect(await rig.text()).toContain('Not sent');
    expect((await rig.text()).replace(/\s+/g, ' ')).toContain(reason);
    expect(approvals(rig.client)).toEqual([]);
  });

  test('a bracketed paste is refused, also of the exact line', async () => {
    const rig = await openRig({ runs: [atGate2()] });
    await rig.type('t');
    await rig.type('\u001b[200~[SUBMIT FOR TESTING]\u001b[201~');
    expect(await rig.text()).toContain('A paste is refused here');
    await rig.type('\r');
    expect(approvals(rig.client)).toEqual([]);
  });

  test('an Enter inside one chunk is taken for a paste', async () => {
    const rig = await openRig({ runs: [atGate2()] });
    await rig.type('t');
    await rig.type('[SUBMIT FOR TESTING]\rq');
    expect(approvals(rig.client)).toEqual([]);
    expect(await rig.text()).toContain('> [SUBMIT FOR TESTING]');
  });

  test('a token in another script, as an input method commits it', async () => {
    const run = sampleRun(8, { stage: 'await-testing', pendingToken: '【提测】' });
    const client = new FakeClient([run]);
    const detail = sampleDetail(run);
    if (detail.state !== null) {
      client.details.set(run.id, {
        ...detail,
        state: { ...detail.state, tokens: { development: '【进入开发】', testing: '【提测】' } },
      });
    }
    const rig = await openRig({ client });
    await rig.type('t');
    await rig.type('【提测');
    await rig.type('】');
    await rig.type('\r');
    await rig.waitForText('Recorded');
    expect(approvals(client)[0]?.line).toBe('【提测】');
  });

  test('C092: content that changes while the prompt is open makes it stale, with a diff', async () => {
    const run = atGate1();
    let idea = 'one\ntwo\n';
    const client = new FakeClient([run], {
      'run.artifact': ({ name }) => ({ name, sha256: 'f'.repeat(64), text: idea, previous: null }),
    });
    const rig = await openRig({ client });
    await rig.type('t');
    await rig.typeSlowly('1A 2C [START DEVELOPMENT]');
    idea = 'one\nTWO, and more\n';
    const detail = sampleDetail(run);
    if (detail.gate !== null) {
      client.details.set(run.id, {
        ...detail,
        gate: {
          ...detail.gate,
          subject: { files: [{ path: 'artifacts/idea.md', sha256: 'e'.repeat(64) }], tree: null },
        },
      });
    }
    client.change({ ...run, lastLine: 'edited' });
    const text = await rig.waitForText('Stale');
    expect(text).toContain('-two');
    expect(text).toContain('+TWO, and more');
    await rig.type('\r');
    expect(approvals(client)).toEqual([]);
  });

  test('C095: a connection lost between Enter and the answer is said, and the state is asked', async () => {
    const run = atGate2();
    let host: 'up' | 'lost' = 'up';
    const client = new FakeClient([run], {
      'run.approve': () => {
        host = 'lost';
        throw new GatehouseError('host.unreachable', 'the connection was closed', '');
      },
      'run.show': () => {
        if (host === 'lost') throw new GatehouseError('host.unreachable', 'the connection was closed', '');
        return sampleDetail(run);
      },
    });
    const rig = await openRig({ client });
    await rig.type('t');
    await rig.typeSlowly('[SUBMIT FOR TESTING]');
    await rig.type('\r');
    expect(await rig.waitForText('not known yet')).not.toContain('Recorded');
    host = 'up';
    client.change({ ...run, lastLine: 'back' });
    const text = await rig.waitForText('Not recorded');
    expect(text).toContain('> [SUBMIT FOR TESTING]');
  });

  test('C095: an approval that was written before the connection was lost is found', async () => {
    const run = atGate2();
    const client = new FakeClient([run], {
      'run.approve': () => {
        const detail = sampleDetail(run);
        if (detail.state !== null && detail.gate !== null) {
          const approval = {
            gate: 'testing' as const,
            round: 1,
            line: '[SUBMIT FOR TESTING]',
            token: '[SUBMIT FOR TESTING]',
            choices: {},
            operator: { name: 'Op', user: 'op', tty: null, signature: null },
            time: '2026-03-01T03:00:01.000Z',
            subject: detail.gate.subject,
            staleSince: null,
          };
          client.details.set(run.id, {
            ...detail,
            stage: 'submit',
            state: {
              ...detail.state,
              approvals: [
                { ...approval, subject: { files: [...approval.subject.files], tree: approval.subject.tree } },
              ],
            },
          });
        }
        throw new GatehouseError('host.unreachable', 'the connection was closed', '');
      },
    });
    const rig = await openRig({ client });
    await rig.type('t');
    await rig.typeSlowly('[SUBMIT FOR TESTING]');
    await rig.type('\r');
    expect(await rig.waitForText('Recorded at 2026-03-01 03:00:01')).toContain('submit');
  });

  test('a refusal of the host is shown as it is, and the line stays', async () => {
    const client = new FakeClient([atGate2()], {
      'run.approve': () => {
        throw new GatehouseError('gate.already-decided', 'Ada approved this 3 s ago', 'see gatehouse show');
      },
    });
    const rig = await openRig({ client });
    await rig.type('t');
    await rig.typeSlowly('[SUBMIT FOR TESTING]');
    await rig.type('\r');
    const text = await rig.waitForText('Not recorded: Ada approved this');
    expect(text).toContain('> [SUBMIT FOR TESTING]');
  });

  test('C058: the prompt stays with its run when the grid changes', async () => {
    const rig = await openRig({ runs: [atGate1(), atGate2()] });
    await rig.type('j');
    await rig.type('t');
    const target = /run (tb-\d+-x\d+)/.exec(await rig.text())?.[1];
    rig.client.change(sampleRun(20, { needsMe: true, since: '2026-01-01T00:00:00.000Z' }));
    expect(/run (tb-\d+-x\d+)/.exec(await rig.text())?.[1]).toBe(target);
  });

  test('without an open gate there is no prompt', async () => {
    const rig = await openRig({ runs: [sampleRun(1, { stage: 'diagnose' })] });
    await rig.type('t');
    expect(await rig.text()).toContain('no gate waits for a token');
  });
});

describe('sending back', () => {
  test('C050: pasted line breaks are line breaks; nothing is sent before y', async () => {
    const rig = await openRig({ runs: [atGate1()] });
    await rig.type('T');
    const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`);
    await rig.type(`\u001b[200~${lines.join('\r\n')}\u001b[201~`);
    expect(rig.client.asked.some((each) => each.method === 'run.feedback')).toBe(false);
    await rig.type('\r');
    expect(await rig.text()).toContain('back with this text? y');
    await rig.type('y');
    const sent = rig.client.asked.find((each) => each.method === 'run.feedback')?.params as Params<'run.feedback'>;
    expect(sent.text).toBe(lines.join('\n'));
    expect(sent.round).toBe(1);
    expect(await rig.waitForText('was sent back')).toContain('draft');
  });

  test('C050: an unbracketed paste with line breaks is not sent either', async () => {
    const rig = await openRig({ runs: [atGate1()] });
    await rig.type('T');
    await rig.type('first\rsecond\rthird');
    expect(rig.client.asked.some((each) => each.method === 'run.feedback')).toBe(false);
    expect(await rig.text()).toMatch(/│ first\n.*│ second\n.*│ third/);
  });

  test('an empty reason is refused', async () => {
    const rig = await openRig({ runs: [atGate1()] });
    await rig.type('T');
    await rig.type('\r');
    expect(await rig.text()).toContain('A reason is needed');
  });
});

describe('stopping', () => {
  test('C058: only the full run id stops it, and a paste does not', async () => {
    const rig = await openRig({ runs: [atGate1()] });
    await rig.type('X');
    await rig.type('\u001b[200~tb-104-x3\u001b[201~');
    await rig.type('\r');
    await rig.typeSlowly('tb-104');
    await rig.type('\r');
    expect(rig.client.asked.some((each) => each.method === 'run.stop')).toBe(false);
    expect(await rig.text()).toContain('not the id of this run');
    await rig.typeSlowly('-x3');
    await rig.type('\r');
    expect(rig.client.asked.some((each) => each.method === 'run.stop')).toBe(true);
    expect(await rig.waitForText('is stopped')).toContain('tb-104-x3');
  });

  test('C058: a paste that the terminal does not mark stops nothing either', async () => {
    const rig = await openRig({ runs: [atGate1()] });
    await rig.type('X');
    await rig.type('tb-104-x3\rtb-104-x3');
    expect(await rig.text()).toContain('Type the run id to stop it');
    expect(rig.client.asked.some((each) => each.method === 'run.stop')).toBe(false);
  });
});

describe('commands', () => {
  test('a command needs its run, and never takes a token line', async () => {
    const rig = await openRig({ runs: [atGate2()] });
    await rig.type(':');
    expect(await rig.text()).toMatch(/^: +approve RUN, feedback RUN/m);
    await rig.typeSlowly('approve');
    expect(await rig.text()).toMatch(/^:approve$/m);
    await rig.type('\r');
    expect(await rig.text()).toContain('which run?');
    await rig.type(':');
    await rig.typeSlowly('approve TB-109 [SUBMIT FOR TESTING]');
    await rig.type('\r');
    expect(approvals(rig.client)).toEqual([]);
    expect(await rig.text()).toContain('Gate 2');
  });

  test('send reports how it was submitted', async () => {
    const rig = await openRig({ runs: [atGate2()] });
    await rig.type(':');
    await rig.typeSlowly('send TB-109 please look at  the log');
    await rig.type('\r');
    await rig.waitForText('confirmed by an event');
    const sent = rig.client.asked.find((each) => each.method === 'run.send')?.params as Params<'run.send'> | undefined;
    expect(sent?.text).toBe('please look at  the log');
  });
});
