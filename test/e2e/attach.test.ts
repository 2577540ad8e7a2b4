// Attached and watching, on the wire: between a client and the real host, with no console in between.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttachEnding, type AttachStream, Client } from '../../src/client/client.ts';
import { openOperatorChannel } from '../../src/client/connect.ts';
import type { OperatorEvent } from '../../src/protocol/operator.ts';
import { waitFor } from '../support/wait-for.ts';
import { recommendedLine } from './product.ts';
import { Site, actor, quiet } from './site.ts';

const size = { cols: 100, rows: 30 };
const megabyte = 1024 * 1024;
let site: Site;

beforeAll(async () => {
  site = await Site.open({
    config: { sandbox: 'off' },
    fixtures: {
      hashes: { file: 'hashes-input.mjs', args: ['256', String(megabyte + 12)] },
      floods: { file: 'floods-on-key.mjs' },
    },
  });
}, 60_000);
afterAll(() => site[Symbol.asyncDispose](), 60_000);

interface Attached {
  readonly stream: AttachStream;
  readonly events: OperatorEvent[];
  readonly ends: AttachEnding[];
  bytes(): Buffer;
}

async function attach(client: Client, run: string, mode: 'write' | 'read', at = size): Promise<Attached> {
  const chunks: Buffer[] = [];
  const events: OperatorEvent[] = [];
  const ends: AttachEnding[] = [];
  const stream = await client.attach(run, mode, at, {
    onOutput: (bytes) => chunks.push(Buffer.from(bytes)),
    onEvent: (event) => events.push(event),
    onEnd: (end) => ends.push(end),
  });
  return { stream, events, ends, bytes: () => Buffer.concat(chunks) };
}

const ready = (run: string) => site.until(run, 'to be ready', (row) => row.lastLine.includes('ready'));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('attach', () => {
  test('C043, C051: all 256 bytes and a paste of 1 MB reach the program; all bytes come back as they are', {
    timeout: 120_000,
  }, async () => {
    const { id } = await site.fixture('hashes');
    await ready(id);
    const client = await site.client();
    const attached = await attach(client, id, 'write');
    const { stream } = attached;
    const bytes = () => attached.bytes();
    const corpus = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    const paste = Buffer.concat([
      Buffer.from('\u001b[200~'),
      Buffer.from(randomBytes(megabyte / 2).toString('hex')),
      Buffer.from('\u001b[201~'),
    ]);
    stream.write(corpus);
    await waitFor(() => bytes().includes(`sha256 ${sha256(corpus)}`), { what: 'the hash of all bytes' });
    stream.write(paste);
    await waitFor(() => bytes().includes(`sha256 ${sha256(paste)}`), {
      what: 'the hash of the paste',
    });
    await waitFor(() => bytes().includes('END'), { what: 'all bytes' });
    const all = bytes();
    const begin = all.indexOf('BEGIN') + 5;
    expect(all.subarray(begin, all.indexOf('END'))).toEqual(corpus);
    stream.close();
  });

  test('C071: watching sends nothing and resizes nothing; only who types may resize', {
    timeout: 120_000,
  }, async () => {
    const { id } = await site.fixture('floods');
    await ready(id);
    const client = await site.client();
    const writer = await attach(client, id, 'write');
    const viewer = await attach(client, id, 'read', { cols: 40, rows: 10 });
    expect({ cols: viewer.stream.cols, rows: viewer.stream.rows }).toEqual(size);
    viewer.stream.write(Buffer.from('x'));
    await expect(viewer.stream.resize(40, 10)).rejects.toThrow(/writing/);
    await expect(client.request('run.resize', { run: id, cols: 40, rows: 10 })).rejects.toThrow(/writing/);
    writer.stream.write(Buffer.from('y'));
    await waitFor(() => viewer.bytes().includes('key 121 at'), { what: 'what was typed by the other' });
    expect(viewer.bytes().toString()).not.toContain('key 120');
    await writer.stream.resize(90, 20);
    await waitFor(() => viewer.events.some((e) => e.event === 'resized' && e.cols === 90), { what: 'the new size' });
    await waitFor(
      () => {
        writer.stream.write(Buffer.from('z'));
        return viewer.bytes().includes('key 122 at 90x20');
      },
      { what: 'the program to have the size of who types', intervalMs: 200 },
    );
    expect(viewer.bytes().toString()).not.toContain('40x10');
    writer.stream.close();
    viewer.stream.close();
  });

  test('C075: a viewer that reads nothing slows neither the run nor the others, and gets the screen when it reads', {
    timeout: 180_000,
  }, async () => {
    const { id } = await site.fixture('floods');
    await ready(id);
    const client = await site.client();
    const lazy = await openOperatorChannel(site.home, { start: false });
    if (lazy === null) throw new Error('no host');
    const seen: Buffer[] = [];
    let skippedBytes = 0;
    lazy.handle({
      onBytes: (_kind, bytes) => seen.push(Buffer.from(bytes)),
      onEvent: (event) => {
        const told = event as OperatorEvent;
        if (told.event === 'skipped') skippedBytes += told.bytes;
      },
    });
    await lazy.request('run.attach', { run: id, mode: 'read', ...size });
    lazy.pause();
    const writer = await attach(client, id, 'write');
    writer.stream.write(Buffer.from('f'));
    await waitFor(() => writer.bytes().subarray(-4096).includes('flood over 1'), {
      what: 'the end of the flood',
      timeoutMs: 120_000,
    });
    expect(Buffer.concat(seen).length).toBeLessThan(4 * megabyte);
    lazy.resume();
    await waitFor(() => Buffer.concat(seen).includes('flood over 1'), { what: 'the present screen' });
    // Dropped, not queued: what it got is far less than what was written. It is told how much that is.
    expect(Buffer.concat(seen).length).toBeLessThan(12 * megabyte);
    await waitFor(() => skippedBytes > 10 * megabyte, { what: 'the count of what was left out' });
    expect(skippedBytes + Buffer.concat(seen).length).toBeGreaterThanOrEqual(24_000_000);
    lazy.destroy();
    writer.stream.close();
  });

  test('a session that is replaced keeps its viewers', { timeout: 180_000 }, async () => {
    const { id } = await site.scripted();
    const waiting = await site.until(id, 'to reach gate 1', (row) => row.pendingToken !== null);
    const client = await site.client();
    const viewer = await attach(client, id, 'read');
    await site.product.done(['approve', id, recommendedLine(waiting)]);
    // A review is made by another session than the one that implemented.
    await waitFor(() => viewer.bytes().includes('I did not write this change'), {
      what: 'the review',
      timeoutMs: 120_000,
    });
    expect((await site.show(id)).sessions.length).toBeGreaterThan(1);
    expect(viewer.ends).toEqual([]);
    viewer.stream.close();
  });

  test('a session that is stopped tells its viewers', { timeout: 180_000 }, async () => {
    const { id } = await site.scripted(quiet);
    await site.untilIdle(id);
    const client = await site.client();
    const viewer = await attach(client, id, 'read');
    const writer = await attach(client, id, 'write');
    await client.request('run.stop', { run: id, actor });
    await waitFor(() => viewer.ends.length === 1 && writer.ends.length === 1, { what: 'the end of both' });
    expect(viewer.ends).toEqual([{ by: 'run', reason: 'Test Operator stopped the session' }]);
    const ends: AttachEnding[] = [];
    const handlers = { onOutput: () => {}, onEvent: () => {}, onEnd: (end: AttachEnding) => ends.push(end) };
    await expect(client.attach(id, 'read', size, handlers)).rejects.toThrow(/no session/);
    await client.request('run.resume', { run: id, actor });
    await site.untilIdle(id);
    const again = await attach(client, id, 'read');
    expect(again.stream.snapshot).toContain('resumed');
    // What never was attached has no end that could hide why.
    expect(ends).toEqual([]);
    again.stream.close();
  });
});
