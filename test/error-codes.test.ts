// Every code of core/error.ts, provoked at the part that gives it: it can happen, and it says what is wrong and what to do.
import { readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { Socket, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from '../src/client/client.ts';
import { defaultConfig } from '../src/core/config.ts';
import { type ErrorBody, type ErrorCode, errorCodes, toErrorBody } from '../src/core/error.ts';
import type { RunEvent } from '../src/core/event.ts';
import type { RunState } from '../src/core/state.ts';
import { transition } from '../src/core/transition.ts';
import { createRun } from '../src/engine/run-engine.ts';
import { gitPort } from '../src/git/git-port.ts';
import { checkLaunch } from '../src/holder/launch-check.ts';
import { refuseIfServed } from '../src/holder/unix-server.ts';
import { refuseUnsigned } from '../src/host/signed-approval.ts';
import { parseTask } from '../src/host/task-file.ts';
import { makeHomeFolders } from '../src/platform/home-folders.ts';
import { loadConfig } from '../src/platform/load-config.ts';
import { homePaths } from '../src/platform/paths.ts';
import { Channel } from '../src/protocol/channel.ts';
import { CastFile } from '../src/recording/reader.ts';
import { probeProgram } from '../src/runtimes/find-program.ts';
import { requireTerminal } from '../src/tui/launch.ts';
import { eventFor, fresh, operator, packageSubject, time, treeB } from './core/workflow-model.ts';
import { Product } from './e2e/product.ts';
import { Site, actor, quiet } from './e2e/site.ts';
import { type Made, agent, engineAt, refusal, startRun } from './engine/agent.ts';
import { temporaryHome } from './support/temporary-home.ts';

let site: Site;
let idle: string;
let made: Made;

beforeAll(async () => {
  site = await Site.open({
    config: { sandbox: 'off' },
    fixtures: { slow: { file: 'slow-composer.ts', kind: 'scripted' } },
  });
  idle = (await site.scripted(quiet)).id;
  made = await startRun();
  const worker = agent(made);
  await worker.toGate1();
  await worker.approve();
  await worker.implement();
  await site.untilIdle(idle);
});
afterAll(async () => {
  await made.done();
  await site[Symbol.asyncDispose]();
});

const at = time(900);

/** A state that the workflow has led to by itself. */
function stateIn(stage: RunState['stage']): RunState {
  let state = fresh();
  for (let step = 1; state.stage !== stage; step++) {
    const events = [0, 1].map((b) => eventFor(state, { kind: 0, a: 2, b }, time(step)));
    const verdict = events.map((event) => transition(state, event)).find((each) => each.ok);
    if (verdict?.ok !== true) throw new Error(`the workflow does not get from ${state.stage} to ${stage}`);
    ({ state } = verdict);
  }
  return state;
}

function after(state: RunState, event: RunEvent): RunState {
  const verdict = transition(state, event);
  if (!verdict.ok) throw new Error(verdict.rejection.message);
  return verdict.state;
}

function refusedBy(state: RunState, event: RunEvent): ErrorBody {
  const verdict = transition(state, event);
  if (verdict.ok) throw new Error('not refused');
  return verdict.rejection;
}

/** The exact approval of the gate that is open, changed. */
function approval(state: RunState, change: object = {}): RunEvent {
  return { ...eventFor(state, { kind: 0, a: 2, b: 1 }, at), ...change } as RunEvent;
}

const halt = (code: 'operator' | 'review-limit'): RunEvent => ({
  type: 'run.halted',
  halt: { code, reason: 'r', hint: 'h', evidence: null },
  at,
});
const goOn: RunEvent = { type: 'run.continued', operator, to: 'same', at };

function file(name: string, text: string): string {
  return site.product.file(name, text);
}

async function ask<T>(request: (client: Client) => Promise<T>): Promise<T> {
  return request(await site.client());
}

/** What a host finds on a run's files once something was done to them. `first`: its first state.json. */
async function stateError(change: (paths: Made['paths'], first: string) => void): Promise<ErrorBody | null> {
  const other = await startRun();
  try {
    const first = readFileSync(other.paths.state, 'utf8');
    await agent(other).skill('lattice-diagnose');
    await agent(other).run('node', 'src/index.js');
    await other.engine.settled();
    change(other.paths, first);
    return (await other.reopen({ acts: false })).stateError;
  } finally {
    await other.done();
  }
}

const edited = (path: string, change: (text: string) => string) =>
  writeFileSync(path, change(readFileSync(path, 'utf8')));

/** Each gives the error, or throws it. */
const provocations: Readonly<Record<ErrorCode, () => unknown>> = {
  'usage.invalid': () => refusedBy(fresh(), goOn),
  'run.unknown': () => ask((client) => client.request('run.show', { run: 'nowhere' })),
  'run.exists': async () => {
    const { shared, heads } = await engineAt(made.repository.dir);
    return createRun({ ...shared, heads: await heads() });
  },
  'run.ended': () => refusedBy(stateIn('ready-for-testing'), goOn),
  'run.busy': () => refusedBy(stateIn('submit'), halt('operator')),
  'run.not-live': async () => {
    const { id } = await site.scripted(quiet);
    await site.untilIdle(id);
    await ask((client) => client.request('run.stop', { run: id, actor }));
    return ask((client) => client.request('run.send', { run: id, text: 'Go on', actor }));
  },
  'run.halted': () => {
    const state = stateIn('await-development');
    return refusedBy(after(state, halt('operator')), approval(state));
  },
  'task.unreadable': () => parseTask('no front matter', 'a.md'),
  'repo.unusable': () => gitPort.openClone(site.product.home.root),
  'policy.invalid': async () => {
    made.repository.pushAs('develop', { 'gatehouse.json': '{ "testCommand": 1 }' });
    return gitPort.findBaseline(await gitPort.openClone(made.repository.clone), 'normal', undefined);
  },
  'config.invalid': () => loadConfig(file('config.json', '{ "sandbox": 1 }')),
  'home.unusable': () => makeHomeFolders(homePaths('/proc/home')),
  'runtime.missing': () => {
    const facts = { name: 'Nobody', program: 'nowhere', install: 'install it', proved: '1.0.0', minimum: '1.0.0' };
    return probeProgram(facts, { kind: 'generic', args: [], env: {} } as never, {});
  },
  'runtime.launch-failed': () => {
    const checked = checkLaunch({ argv: ['/nowhere'], cwd: '/', env: {}, cols: 80, rows: 24, label: '' } as never);
    return 'error' in checked ? checked.error : null;
  },
  'sandbox.unavailable': async () => {
    const bin = file('bin', '');
    rmSync(bin);
    mkdirSync(bin);
    for (const name of readdirSync('/usr/bin'))
      if (name !== 'bwrap') symlinkSync(join('/usr/bin', name), join(bin, name));
    await using product = new Product(temporaryHome({ PATH: bin }));
    mkdirSync(product.home.gatehouseHome);
    product.file('state/config.json', '{ "sandbox": "require" }');
    const before = process.env['XDG_RUNTIME_DIR'];
    process.env['XDG_RUNTIME_DIR'] = product.home.runtimeDir;
    await product.done(['ls']);
    const client = await Client.connect(product.home.gatehouseHome);
    process.env['XDG_RUNTIME_DIR'] = before;
    try {
      const taskText = '---\nid: T-1\ntitle: A bug\n---\nIt does not work.\n';
      const repo = made.repository.clone;
      return await client.request('run.start', { taskText, source: 'a.md', repo, runtime: 'scripted', actor });
    } finally {
      client.close();
    }
  },
  'gate.not-open': () => refusedBy(fresh(), approval(stateIn('await-development'))),
  'gate.token-mismatch': () => {
    const state = stateIn('await-development');
    return refusedBy(state, approval(state, { line: 'looks good' }));
  },
  'gate.choices-incomplete': () => {
    const state = stateIn('await-development');
    return refusedBy(state, approval(state, { line: '[START DEVELOPMENT]' }));
  },
  'gate.stale': () => {
    const state = stateIn('await-development');
    return refusedBy(state, approval(state, { present: packageSubject(treeB) }));
  },
  'gate.already-decided': () => {
    const state = stateIn('await-development');
    return refusedBy(after(state, approval(state)), approval(state));
  },
  'gate.signature-required': async () => {
    const pending = { gate: 'development' as const, round: 1, subject: packageSubject(treeB) };
    const approvals = { ...defaultConfig.approvals, signature: 'require' as const };
    const request = { line: 'x', operator };
    const verdict = await refuseUnsigned({ approvals, home: '/', run: 'r1', request, pending } as never);
    return verdict.ok ? null : verdict.rejection;
  },
  'stage.wrong': () => refusedBy(fresh(), { type: 'delivery.completed', delivery: {} as never, artifacts: [], at }),
  'stage.incomplete': async () => {
    await agent(made).skill('lattice-review');
    return refusal(made.engine, 'advance', {});
  },
  'skill.unknown': () => refusal(made.engine, 'skill', { name: 'lattice-nothing' }),
  'skill.unread': () => {
    const state = after(fresh(), eventFor(fresh(), { kind: 0, a: 2, b: 1 }, at));
    return refusedBy(state, { type: 'stage.completed', outcome: { stage: 'diagnose' }, artifacts: [], skills: [], at });
  },
  'review.limit': () => refusedBy(after(stateIn('review'), halt('review-limit')), goOn),
  'state.missing': () => stateError(({ state }) => rmSync(state)),
  'state.unreadable': () => stateError(({ state }) => edited(state, (text) => text.slice(0, 50))),
  'state.inconsistent': () => stateError(({ state }, first) => writeFileSync(state, first)),
  'state.foreign': () => stateError(({ state }) => edited(state, (text) => text.replace('add subtracts', 'add adds'))),
  'message.refused': () => ask((client) => client.request('run.send', { run: idle, text: '/exit', actor })),
  'message.not-submitted': async () => {
    const { id } = await site.fixture('slow');
    await site.untilIdle(id);
    return ask((client) => client.request('run.send', { run: id, text: 'Message 50, swallow, to its end.', actor }));
  },
  'evidence.invalid': () =>
    refusal(made.engine, 'evidence.add', { file: 'src/nothing.js:1', cwd: made.paths.worktree }),
  'delivery.failed': () => {
    rmSync(made.repository.origin, { recursive: true });
    return refusal(made.engine, 'sync', {});
  },
  'host.unreachable': () => {
    const socket = new Socket();
    const channel = new Channel(socket);
    const request = channel.request('host.status', {});
    channel.destroy();
    return request;
  },
  'host.locked': async () => {
    const path = join(site.product.home.root, 'served');
    const server = createServer((socket) => socket.end());
    await new Promise<void>((done) => server.listen(path, done));
    try {
      return await refuseIfServed(path);
    } finally {
      server.close();
    }
  },
  'disk.full': () => toErrorBody(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })),
  'terminal.unusable': () => requireTerminal('gatehouse ls shows the runs as text'),
  'file.unreadable': () => new CastFile(file('x.cast', 'nothing')),
  internal: () => toErrorBody(new Error('a fault')),
};

test.each(Object.keys(errorCodes) as ErrorCode[])(
  '%s can happen, and says what to do',
  { timeout: 180_000 },
  async (code) => {
    const given = await Promise.resolve()
      .then(provocations[code])
      .catch((error: unknown) => toErrorBody(error));
    const body = given as ErrorBody;
    expect(body).toMatchObject({ code });
    expect(body.message).toMatch(/\w+ \w+/);
    expect(body.hint).toMatch(/\w+\W+\w+/);
    expect(`${body.message}${body.hint}`).not.toMatch(/\n|undefined|\[object/);
  },
);
