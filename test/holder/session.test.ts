// Sessions in a real holder: what the child writes, reads, and how it ends.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHolder } from '../../src/holder/start.ts';
import { createScreen } from '../../src/terminal/screen.ts';
import { caseSize } from '../support/case-size.ts';
import { isAlive, processesWithEnv } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';
import { openHolder, recordedOutput } from './holder-client.ts';

test('a session is recorded from its first byte to its exit, and followed live', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  const { offset } = await client.call('subscribe', {});
  const spawned = await client.call('spawn', holder.shell('printf first; stty size; exit 3'));
  expect(spawned).toMatchObject({ ok: true, session: { session: 1, label: 'session 1', exit: null } });
  const exited = await client.waitForEvent('exited');
  expect(exited.exit).toEqual({ code: 3, signal: null });
  expect(client.bytes().toString()).toBe('first24 80\r\n');
  const recording = holder.recording();
  expect(recordedOutput(recording, offset)).toBe('first24 80\r\n');
  expect(recording.split('\n').at(-2)).toMatch(/^\[[\d.]+, "x", "3"\]$/);
  expect(recording).toContain('"m", "session 1"');
  expect(exited.offset).toBe(Buffer.byteLength(recording));
  expect(statSync(holder.spec.recording).mode & 0o777).toBe(0o600);
  expect(statSync(holder.spec.holderSocket).mode & 0o777).toBe(0o600);
  expect(statSync(holder.spec.runSocket).mode & 0o777).toBe(0o600);
});

test('a program that cannot start is an answer with the reason, and the next one starts', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  const script = join(holder.home.root, 'orphan');
  writeFileSync(script, '#!/no/such/interpreter\n', { mode: 0o755 });
  const cases = [
    [{ argv: ['no-such-program'] }, 'no-such-program is not an executable program on PATH'],
    [{ argv: [script] }, 'wants the interpreter /no/such/interpreter'],
    [{ cwd: '/no/such/folder' }, 'the working directory /no/such/folder is not there'],
    [{ argv: [] }, 'no program'],
  ] as const;
  for (const [extra, message] of cases) {
    const result = await client.call('spawn', holder.shell('', extra));
    expect(result).toMatchObject({ ok: false, error: { code: 'runtime.launch-failed' } });
    expect(JSON.stringify(result)).toContain(message);
  }
  expect(await client.call('spawn', holder.shell('sleep 100'))).toMatchObject({ ok: true });
  expect(await client.call('spawn', holder.shell('sleep 100'))).toMatchObject({
    ok: false,
    error: { code: 'run.busy' },
  });
});

test('C075: a flood is recorded to the byte, and so is a character cut in two', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  const { offset } = await client.call('subscribe', {});
  const script = `seq 1 400000; printf 'ab\\342'; sleep 0.2; printf '\\202\\254 end\\377'`;
  await client.call('spawn', holder.shell(`stty -opost; ${script}`));
  await client.waitForEvent('exited');
  const expected = `${Array.from({ length: 400_000 }, (_, index) => `${index + 1}\n`).join('')}ab€ end`;
  expect(hash(client.bytes())).toBe(hash(Buffer.concat([Buffer.from(expected), Buffer.of(255)])));
  expect(hash(recordedOutput(holder.recording(), offset))).toBe(hash(`${expected}\uFFFD`));
  for (const line of holder.recording().trimEnd().split('\n')) JSON.parse(line);
});

test('every output frame carries the position of the recording after it', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  await client.call('spawn', holder.shell('stty -opost; for i in 1 2 3 4 5; do echo line $i; sleep 0.01; done'));
  await client.call('resize', { cols: 100, rows: 30 });
  await client.waitForEvent('exited');
  const recording = holder.recording();
  let seen = '';
  for (const output of client.outputs) {
    seen += output.bytes.toString();
    expect(recordedOutput(Buffer.from(recording).subarray(0, output.offset).toString())).toBe(seen);
  }
  const resized = await client.waitForEvent('resized');
  expect(Buffer.from(recording).subarray(0, resized.offset).toString()).toMatch(/"r", "100x30"\]\n$/);
});

test('C051: a paste of one megabyte arrives whole', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  const size = 1024 * 1024;
  await client.call('spawn', holder.shell(`stty raw -echo; printf ready; head -c ${size} | sha256sum`));
  await client.waitForOutput('ready');
  const paste = Buffer.from(Array.from({ length: size }, (_, index) => (index * 7) % 251));
  client.type(paste);
  await client.waitForEvent('exited');
  expect(client.bytes().toString()).toContain(hash(paste));
});

test('C052: a child that never reads costs next to nothing, and what does not fit is refused aloud', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  await client.call('spawn', holder.shell('stty raw -echo; printf ready; exec sleep 1000'));
  await client.waitForOutput('ready');
  for (let index = 0; index < 4; index += 1) client.type(Buffer.alloc(1024 * 1024, index));
  client.type(Buffer.alloc(512 * 1024));
  expect(await client.waitForEvent('input-overflow')).toMatchObject({ refusedBytes: 512 * 1024 });
  const { inputQueued } = await client.call('status', {});
  expect(inputQueued).toBeGreaterThan(4 * 1024 * 1024 - 200_000);
  const before = cpuTicks(holder.pid);
  const statusesBefore = performance.now();
  await waitFor(() => performance.now() - statusesBefore > 1_000, { what: 'a second' });
  expect(cpuTicks(holder.pid) - before).toBeLessThan(5);
});

test('C086: nothing of a session is left after a kill, whatever it did to get away', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  const escape = `(setsid sh -c '(trap "" TERM HUP; nohup sleep 1001 >/dev/null 2>&1 &) ; sleep 1002' >/dev/null 2>&1 &)`;
  await client.call('spawn', holder.shell(`${escape}; trap '' TERM HUP; sleep 1003 & printf ready; wait`));
  await client.waitForOutput('ready');
  const marker = (await client.call('status', {})).session?.marker ?? '';
  await waitFor(() => processesWithEnv('GATEHOUSE_SESSION_ID', marker).length >= 4, { what: 'all of them' });
  expect(await client.call('kill', { graceMs: 200 })).toEqual({ left: [] });
  expect(processesWithEnv('GATEHOUSE_SESSION_ID', marker)).toEqual([]);
  expect((await client.waitForEvent('exited')).exit.signal).toBe('SIGKILL');
});

test('C086: what outlives its session is found by the next kill', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  await client.call('spawn', holder.shell('(setsid sleep 1004 >/dev/null 2>&1 &); sleep 0.1'));
  const { session } = await client.waitForEvent('spawned');
  await client.waitForEvent('exited');
  expect(processesWithEnv('GATEHOUSE_SESSION_ID', session.marker)).toHaveLength(1);
  expect(await client.call('kill', { graceMs: 1000 })).toEqual({ left: [] });
  expect(processesWithEnv('GATEHOUSE_SESSION_ID', session.marker)).toEqual([]);
});

test('what a session left on the screen is not taken for the next one, in the same holder or after it', async () => {
  await using holder = await openHolder();
  const screenAfter = async (script: string, sign: string) => {
    const client = await holder.connect();
    await client.call('subscribe', {});
    await client.call('spawn', holder.shell(script));
    await waitFor(() => recordedOutput(holder.recording(), 0).includes(sign), { what: sign });
    const screen = createScreen({ cols: 80, rows: 24 });
    screen.writeNow(recordedOutput(holder.recording(), 0));
    const { title, modes } = screen;
    const seen = { text: screen.text().join('').trim(), title, bracketedPaste: modes.bracketedPaste };
    screen.dispose();
    return { client, seen };
  };
  const program = (name: string) => `printf '\\033]2;${name} works\\007\\033[?2004h${name} is ready'`;
  const first = await screenAfter(`${program('first')}; exit 0`, 'first is ready');
  expect(first.seen).toEqual({ text: 'first is ready', title: 'first works', bracketedPaste: true });
  await first.client.waitForEvent('exited');
  const second = await screenAfter('printf begun; sleep 100', 'begun');
  expect(second.seen).toEqual({ text: 'begun', title: '', bracketedPaste: false });

  await second.client.call('kill', { graceMs: 100 });
  const third = await screenAfter(`${program('third')}; exit 0`, 'third is ready');
  await third.client.waitForEvent('exited');
  await third.client.call('close', { graceMs: 100 });
  await startHolder(holder.spec);
  const fourth = await screenAfter('printf begun-again; sleep 100', 'begun-again');
  expect(fourth.seen).toEqual({ text: 'begun-again', title: '', bracketedPaste: false });
});

test('C082: many sessions in one holder leave no descriptor behind, however they begin and end', {
  timeout: 400_000,
}, async () => {
  const cycles = caseSize({ usual: 200, full: 2_000 });
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  const descriptors = (): number => readdirSync(`/proc/${holder.pid}/fd`).length;
  const before = descriptors();
  // It stays, in a session of its own, with the terminal's other side open.
  const leavesGrandchild = holder.shell('trap "" HUP; setsid sleep 1005 & exit 0');
  let started = 0;
  let grandchildren = 0;
  for (let index = 1; index <= cycles; index += 1) {
    const kind = index % 20;
    const spawn =
      kind === 10 ? leavesGrandchild : holder.shell('', { argv: [kind === 0 ? 'no-such-program' : '/bin/true'] });
    const spawned = await client.call('spawn', { ...spawn, label: `session ${index}` });
    if (spawned.ok) started += 1;
    await waitFor(() => client.events.filter((each) => each.event === 'exited').length === started, {
      what: `the end of session ${index}`,
      intervalMs: 2,
    });
    if (kind !== 10 || !spawned.ok) continue;
    grandchildren += processesWithEnv('GATEHOUSE_SESSION_ID', spawned.session.marker).length;
    expect(await client.call('kill', { graceMs: 1_000 })).toEqual({ left: [] });
  }
  expect(started).toBe(cycles - cycles / 20);
  expect(grandchildren).toBe(cycles / 20);
  expect(descriptors()).toBe(before);
});

test('signals reach the whole group; SIGHUP does not reach the holder', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  await client.call(
    'spawn',
    holder.shell(`trap 'echo got INT; exit 4' INT; printf ready; while :; do sleep 0.05; done`),
  );
  await client.waitForOutput('ready');
  process.kill(holder.pid, 'SIGHUP');
  expect(await client.call('signal', { signal: 'SIGINT' })).toEqual({ delivered: true });
  expect((await client.waitForEvent('exited')).exit).toEqual({ code: 4, signal: null });
  expect(isAlive(holder.pid)).toBe(true);
  expect(await client.call('signal', { signal: 'SIGINT' })).toEqual({ delivered: false });
});

test('SIGTERM ends the session, records its exit, takes the sockets away', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('spawn', holder.shell('exec sleep 1000'));
  const identity = JSON.parse(readFileSync(join(holder.spec.runDir, 'holder.json'), 'utf8'));
  expect(identity).toMatchObject((await client.call('status', {})).holder);
  process.kill(holder.pid, 'SIGTERM');
  await waitFor(() => !isAlive(holder.pid), { what: 'the end of the holder' });
  expect(holder.recording()).toMatch(/"x", "143"\]\n$/);
  expect(readdirSync(holder.home.runtimeDir)).toEqual([]);
  expect(readdirSync(holder.spec.runDir)).not.toContain('holder.json');
});

function hash(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

/** User and system time, in hundredths of a second. */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
