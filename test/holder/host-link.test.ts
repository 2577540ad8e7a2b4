// The host comes, hangs, dies and comes back: the session does not notice, and no byte is missing.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHolder } from '../../src/holder/start.ts';
import { encodeJson } from '../../src/protocol/frame.ts';
import { isAlive } from '../support/processes.ts';
import { waitFor } from '../support/wait-for.ts';
import { HolderClient, openHolder, recordedOutput } from './holder-client.ts';

test('C032: a host that dies in a flood loses nothing; the next one reads on from its offset', async () => {
  await using holder = await openHolder();
  const first = await holder.connect();
  await first.call('subscribe', {});
  await first.call('spawn', holder.shell('stty -opost; seq 1 300000; sleep 0.2; seq 300001 300100'));
  await waitFor(() => first.outputs.length > 3, { what: 'some output', intervalMs: 1 });
  first.close();
  const seen = first.outputs.at(-1)?.offset ?? 0;
  const second = await holder.connect();
  const { offset } = await second.call('subscribe', {});
  expect(offset).toBeGreaterThanOrEqual(seen);
  await waitFor(async () => (await second.call('status', {})).session?.exit, { what: 'the end' });
  const between = recordedOutput(readFileSync(holder.spec.recording).subarray(0, offset).toString(), seen);
  const all = first.bytes().toString() + between + second.bytes().toString();
  const expected = Array.from({ length: 300_100 }, (_, index) => `${index + 1}\n`).join('');
  expect(hash(all)).toBe(hash(expected));
});

test('C037: the newest host wins; the one before is told and closed, and its input counts no more', async () => {
  await using holder = await openHolder();
  const first = await holder.connect();
  await first.call('subscribe', {});
  await first.call('spawn', holder.shell('stty -echo; printf ready; read -r line; echo "got $line"'));
  await first.waitForOutput('ready');
  const bystander = await holder.connect();
  expect((await bystander.call('status', {})).session?.exit).toBe(null);
  expect(first.closed).toBe(false);
  const second = await holder.connect();
  await second.call('subscribe', {});
  await first.waitForEvent('replaced');
  await waitFor(() => first.closed, { what: 'the end of the first connection' });
  bystander.type('nobody\n');
  second.type('second\n');
  await second.waitForOutput('got second');
});

test('C075: a host that hangs does not stop the child; it is told where to read on', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  client.socket.pause();
  client.socket.write(
    encodeJson({ id: 99, method: 'spawn', params: holder.shell('stty -opost; seq 1 400000; echo end') }),
  );
  const expected = `${Array.from({ length: 400_000 }, (_, index) => `${index + 1}\n`).join('')}end\n`;
  await waitFor(() => holder.recording().includes('"x", "0"'), { what: 'the end of the flood' });
  expect(hash(recordedOutput(holder.recording()))).toBe(hash(expected));
  client.socket.resume();
  const lagged = await client.waitForEvent('lagged');
  expect(lagged.offset).toBe(client.outputs.at(-1)?.offset);
  expect(client.events.some((event) => event.event === 'exited')).toBe(false);
  const { offset, status } = await client.call('subscribe', {});
  expect(status.session?.exit).toEqual({ code: 0, signal: null });
  const missed = recordedOutput(readFileSync(holder.spec.recording).subarray(0, offset).toString(), lagged.offset);
  expect(hash(client.bytes().toString() + missed)).toBe(hash(expected));
});

test('garbage on the socket ends that connection and nothing else', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  const garbage = await holder.connect();
  garbage.socket.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
  await waitFor(() => garbage.closed, { what: 'the end of that connection' });
  await expect(client.call('nonsense' as 'status', {})).rejects.toThrow('a holder knows no nonsense');
  await expect(client.call('toString' as 'status', {})).rejects.toThrow('a holder knows no toString');
  expect((await client.call('status', {})).recording).toBe('recording');
});

test('a socket that is taken away is made again', async () => {
  await using holder = await openHolder();
  rmSync(holder.spec.holderSocket);
  rmSync(holder.spec.runSocket);
  await waitFor(() => existsSync(holder.spec.holderSocket) && existsSync(holder.spec.runSocket), {
    what: 'both sockets',
  });
  expect((await (await holder.connect()).call('status', {})).runId).toBe('demo-1');
});

test('a second holder for the same sockets does not start, and harms nobody', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('spawn', holder.shell('exec sleep 1000'));
  const before = holder.recording();
  await expect(startHolder({ ...holder.spec, runDir: holder.home.root })).rejects.toThrow('the holder did not start');
  expect(holder.recording()).toBe(before);
  expect((await client.call('status', {})).session?.exit).toBe(null);
});

test('a holder that was killed is followed by another on the same recording', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  await client.call('spawn', holder.shell('(setsid sleep 1005 &) ; printf before; sleep 1000'));
  await client.waitForOutput('before');
  process.kill(holder.pid, 'SIGKILL');
  await waitFor(() => !isAlive(holder.pid), { what: 'its end' });
  await startHolder(holder.spec);
  const next = await HolderClient.open(holder.spec.holderSocket);
  await next.call('subscribe', {});
  // What the first one's session left behind belongs to this run and is found by its mark.
  expect(await next.call('kill', { graceMs: 200 })).toEqual({ left: [] });
  await next.call('spawn', holder.shell('printf after', { label: 'session 2' }));
  await next.waitForEvent('exited');
  next.close();
  expect(recordedOutput(holder.recording())).toMatch(/^before.*after$/s);
  expect(holder.recording().match(/"version"/g)).toHaveLength(1);
});

test('a host is started when there has been none for a while, one for all holders', async () => {
  await using holder = await openHolder();
  const note = join(holder.home.root, 'started');
  const program = join(holder.home.root, 'host.sh');
  writeFileSync(program, `#!/bin/sh\necho "$1 $GATEHOUSE_HOME" >> ${note}\n`, { mode: 0o755 });
  const stamp = join(holder.home.root, 'host.stamp');
  const specs = [1, 2, 3].map((number) => ({
    ...holder.spec,
    runDir: holder.home.root,
    recording: join(holder.home.root, `${number}.cast`),
    holderSocket: join(holder.home.runtimeDir, `h${number}.sock`),
    runSocket: join(holder.home.runtimeDir, `r${number}.sock`),
    hostArgv: [program, 'serve'],
    env: { ...holder.home.env },
    hostStamp: stamp,
    hostAbsenceMs: 100,
  }));
  for (const spec of specs) await startHolder(spec);
  await waitFor(() => existsSync(note), { what: 'a host' });
  expect(readFileSync(note, 'utf8')).toBe(`serve ${holder.home.gatehouseHome}\n`);
  for (const spec of specs) {
    const client = await HolderClient.open(spec.holderSocket);
    await client.call('close', {});
    client.close();
  }
  expect(readFileSync(note, 'utf8')).toBe(`serve ${holder.home.gatehouseHome}\n`);
});

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
