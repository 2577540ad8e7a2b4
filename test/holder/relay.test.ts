// The run socket: what the agent's side asks waits for a host, without an error, and is answered by whoever comes.
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { encodeJson, FrameDecoder, frameKind } from '../../src/protocol/frame.ts';
import { waitFor } from '../support/wait-for.ts';
import { type HolderClient, openHolder, type TestHolder } from './holder-client.ts';

/** A `lattice` call as the holder sees it. */
class Caller implements Disposable {
  readonly answers: unknown[] = [];
  private readonly socket: Socket;

  constructor(holder: TestHolder) {
    const decoder = new FrameDecoder();
    this.socket = connect(holder.spec.runSocket);
    this.socket.on('error', () => undefined);
    this.socket.on('data', (chunk) => {
      for (const frame of decoder.push(chunk)) if (frame.kind === frameKind.json) this.answers.push(frame.value);
    });
  }

  ask(message: object): void {
    this.socket.write(encodeJson(message));
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

function requests(client: HolderClient): { key: string; body: unknown }[] {
  return client.events.filter((event) => event.event === 'request').map(({ key, body }) => ({ key, body }));
}

test('a request is passed on unread, and its answer passed back', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  using caller = new Caller(holder);
  caller.ask({ id: 7, method: 'advance', params: { any: ['thing'] } });
  const { key, body } = await client.waitForEvent('request');
  expect(body).toEqual({ method: 'advance', params: { any: ['thing'] } });
  expect(await client.call('reply', { key, body: { result: { done: true } } })).toEqual({ delivered: true });
  await waitFor(() => caller.answers.length > 0, { what: 'the answer' });
  expect(caller.answers).toEqual([{ id: 7, result: { done: true } }]);
  expect(await client.call('reply', { key, body: { result: 1 } })).toEqual({ delivered: false });
});

test('without a host requests wait, in order; hook events too, though nobody waits for their answer', async () => {
  await using holder = await openHolder();
  using caller = new Caller(holder);
  for (const id of [1, 2, 3]) caller.ask({ id, method: 'check', params: { id } });
  {
    using hook = new Caller(holder);
    hook.ask({ method: 'hook', params: { event: 'Stop' } });
    await waitFor(async () => (await (await holder.connect()).call('status', {})).runId, { what: 'a round trip' });
  }
  const client = await holder.connect();
  await client.call('subscribe', {});
  await waitFor(() => requests(client).length === 4, { what: 'all requests' });
  expect(requests(client).map(({ body }) => (body as { method: string }).method)).toEqual([
    'check',
    'check',
    'check',
    'hook',
  ]);
  for (const { key } of requests(client)) await client.call('reply', { key, body: { result: key } });
  await waitFor(() => caller.answers.length === 3, { what: 'the answers' });
  expect(caller.answers.map((answer) => (answer as { id: number }).id)).toEqual([1, 2, 3]);
});

test('a request that died with its host is handed to the next one under the same key', async () => {
  await using holder = await openHolder();
  const first = await holder.connect();
  await first.call('subscribe', {});
  using caller = new Caller(holder);
  caller.ask({ id: 1, method: 'advance' });
  const { key } = await first.waitForEvent('request');
  first.close();
  const second = await holder.connect();
  await second.call('subscribe', {});
  expect((await second.waitForEvent('request')).key).toBe(key);
  await second.call('reply', { key, body: { result: 'from the second' } });
  await waitFor(() => caller.answers.length > 0, { what: 'the answer' });
  expect(caller.answers).toEqual([{ id: 1, result: 'from the second' }]);
});

test('a caller that leaves takes its request along', async () => {
  await using holder = await openHolder();
  {
    using caller = new Caller(holder);
    caller.ask({ id: 1, method: 'advance' });
    await waitFor(async () => (await (await holder.connect()).call('status', {})).runId, { what: 'a round trip' });
  }
  using other = new Caller(holder);
  other.ask({ id: 2, method: 'check' });
  const client = await holder.connect();
  await client.call('subscribe', {});
  await client.waitForEvent('request');
  expect(requests(client).map(({ body }) => body)).toEqual([{ method: 'check' }]);
});

test('what waits longer than the limit without a host is told so; with a host there is no limit', async () => {
  await using holder = await openHolder({ relayLimitMs: 100 });
  using caller = new Caller(holder);
  caller.ask({ id: 1, method: 'advance' });
  await waitFor(() => caller.answers.length === 1, { what: 'the refusal' });
  expect(caller.answers).toMatchObject([{ id: 1, error: { code: 'host.unreachable' } }]);
  const client = await holder.connect();
  await client.call('subscribe', {});
  caller.ask({ id: 2, method: 'evidence' });
  const { key } = await client.waitForEvent('request');
  const asked = performance.now();
  await waitFor(() => performance.now() - asked > 300, { what: 'three times the limit' });
  await client.call('reply', { key, body: { result: 'slow' } });
  await waitFor(() => caller.answers.length === 2, { what: 'the answer' });
  expect(caller.answers[1]).toEqual({ id: 2, result: 'slow' });
});

test('more requests than anybody needs are refused, not kept', async () => {
  await using holder = await openHolder();
  using caller = new Caller(holder);
  for (let id = 1; id <= 300; id += 1) caller.ask({ id, method: 'check' });
  await waitFor(() => caller.answers.length === 300 - 256, { what: 'the refusals' });
  expect(caller.answers[0]).toMatchObject({ id: 257, error: { code: 'run.busy' } });
});

test('a host is given a few at once and the rest as it answers; asking and hanging up gets no more there', async () => {
  await using holder = await openHolder();
  const client = await holder.connect();
  await client.call('subscribe', {});
  {
    using caller = new Caller(holder);
    for (let id = 1; id <= 40; id += 1) caller.ask({ id, method: 'check' });
    await waitFor(() => requests(client).length === 16, { what: 'the first requests' });
    await client.call('reply', { key: requests(client)[0]?.key ?? '', body: { result: 'one' } });
    await waitFor(() => requests(client).length === 17 && caller.answers.length === 1, { what: 'the next one' });
  }
  using next = new Caller(holder);
  next.ask({ id: 1, method: 'status' });
  const seen = () => requests(client).map(({ body }) => (body as { method: string }).method);
  for (let at = 1; !seen().includes('status'); at += 1) {
    await waitFor(() => requests(client).length > at, { what: 'the next request' });
    await client.call('reply', { key: requests(client)[at]?.key ?? '', body: { result: 'unheard' } });
  }
  // Those who had hung up before a host had them are forgotten; how many the holder had noticed by then is its own affair.
  expect(seen().length).toBeLessThan(40);
});
