// The operator socket: accepts clients, checks what they ask, and feeds rows to those who subscribed.
import { chmodSync, rmSync } from 'node:fs';
import { type Server, createServer } from 'node:net';
import { GatehouseError } from '../core/error.ts';
import type { RunSummary } from '../core/run.ts';
import type { Log } from '../platform/log.ts';
import { Channel } from '../protocol/channel.ts';
import { type OperatorEvent, type OperatorMethod, paramSchemas } from '../protocol/operator.ts';
import { ClientConnection } from './client-connection.ts';
import type { ClientHandlers } from './requests.ts';

/** Rows change many times a second; clients hear of it at most this often, as of the rows of a watched screen. */
const publishMs = 250;
/** A subscriber that has left so much unread (a stopped console) hears nothing until it reads again; then all rows. */
const behindBytes = 1024 * 1024;

export interface Feed {
  rows(): RunSummary[];
}

export class OperatorServer {
  private readonly server: Server;
  private readonly channels = new Set<Channel>();
  private readonly subscribers = new Set<Channel>();
  /** Subscribers that do not read at the moment. */
  private readonly behind = new Set<Channel>();
  private readonly published = new Map<string, string>();
  private timer: NodeJS.Timeout | null = null;
  private readonly feed: Feed;
  private readonly log: Log;

  constructor(feed: Feed, makeHandlers: (client: ClientConnection) => ClientHandlers, log: Log) {
    this.feed = feed;
    this.log = log;
    this.server = createServer((socket) => {
      const channel = new Channel(socket);
      const client = new ClientConnection(channel, () => this.subscribers.add(channel));
      const handlers = makeHandlers(client);
      this.channels.add(channel);
      channel.handle({
        onRequest: (method, params) => dispatch(handlers, method, params),
        onBytes: (kind, bytes) => {
          if (kind === 2) client.onInput?.(bytes);
        },
        onClose: () => {
          this.channels.delete(channel);
          this.subscribers.delete(channel);
          client.onClosed();
        },
      });
    });
  }

  get clients(): number {
    return this.channels.size;
  }

  listen(path: string): Promise<void> {
    // The lock is ours, so whatever lies here is left over from a host that is gone.
    rmSync(path, { force: true });
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(path, () => {
        chmodSync(path, 0o600);
        resolve();
      });
    });
  }

  /** Rows may have changed; tells subscribers soon, once for many changes. */
  touch(): void {
    if (this.timer !== null || this.subscribers.size === 0) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      this.publish();
    }, publishMs);
  }

  notice(event: Extract<OperatorEvent, { event: 'notice' }>): void {
    for (const channel of this.subscribers) if (!this.behind.has(channel)) channel.event(event);
  }

  async close(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    for (const channel of this.channels) channel.end();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async waitFor(channel: Channel): Promise<void> {
    this.behind.add(channel);
    await channel.drained();
    this.behind.delete(channel);
    channel.event(rowsChanged(this.feed.rows(), []));
  }

  private publish(): void {
    try {
      const changed: RunSummary[] = [];
      const gone = new Set(this.published.keys());
      for (const row of this.feed.rows()) {
        gone.delete(row.id);
        const text = JSON.stringify(row);
        if (this.published.get(row.id) === text) continue;
        this.published.set(row.id, text);
        changed.push(row);
      }
      for (const id of gone) this.published.delete(id);
      if (changed.length === 0 && gone.size === 0) return;
      for (const channel of this.subscribers) {
        if (this.behind.has(channel)) continue;
        channel.event(rowsChanged(changed, [...gone]));
        if (channel.backlogBytes > behindBytes) void this.waitFor(channel);
      }
    } catch (error) {
      this.log.error('publishing rows failed', { error: String(error) });
    }
  }
}

function rowsChanged(changed: readonly RunSummary[], removed: readonly string[]): OperatorEvent {
  return { event: 'runs.changed', changed, removed };
}

async function dispatch(handlers: ClientHandlers, method: string, params: unknown): Promise<unknown> {
  if (!Object.hasOwn(paramSchemas, method)) {
    throw new GatehouseError(
      'usage.invalid',
      `there is no request ${method}`,
      'client and host differ in version: gatehouse host stop',
    );
  }
  const parsed = paramSchemas[method as OperatorMethod].safeParse(params);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new GatehouseError(
      'usage.invalid',
      `${method}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'invalid'}`.trim(),
      'nothing was changed',
    );
  }
  const handler = handlers[method as OperatorMethod] as (params: unknown) => unknown;
  return handler(parsed.data);
}
