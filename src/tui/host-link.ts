// Keeps a connection to the host: subscribes, notices when it is gone, and tries again for as long as the console lives.
import { GatehouseError } from '../core/error.ts';
import type { OperatorEvent, OperatorMethod, Params, Result } from '../protocol/operator.ts';
import type { Actor, ConsoleClient, ConsolePorts } from './ports.ts';
import type { RunFeed } from './run-feed.ts';

/** A holder brings a dead host back within seconds; asking more often gains nothing. */
const retryMs = 1_000;

/** Methods that record who asked. Named here and not read from the schemas, which would load zod before the first key. */
const recorded: ReadonlySet<OperatorMethod> = new Set<OperatorMethod>([
  'run.start',
  'run.approve',
  'run.feedback',
  'run.send',
  'run.answer',
  'run.grant',
  'run.restore',
  'run.stop',
  'run.resume',
]);

interface LinkEvents {
  readonly onEvent: (event: OperatorEvent) => void;
  /** A new connection: nothing that was asked for on the old one still holds. */
  readonly onConnected: () => void;
}

export class HostLink {
  readonly ports: ConsolePorts;
  private readonly feed: RunFeed;
  private readonly events: LinkEvents;
  private readonly now: () => number;
  private current: ConsoleClient | null = null;
  private actor: Actor | null = null;
  private timer: NodeJS.Timeout | null = null;
  private readonly closing = new AbortController();

  constructor(ports: ConsolePorts, feed: RunFeed, events: LinkEvents, now: () => number) {
    this.ports = ports;
    this.feed = feed;
    this.events = events;
    this.now = now;
  }

  /** @throws what keeps the first connection from being made; a later one is tried for until it is there. */
  async open(): Promise<void> {
    const client = await this.ports.connect(this.closing.signal);
    if (this.closed) return client.close();
    client.onEvent(this.events.onEvent);
    client.onClose(() => this.lost(client));
    this.current = client;
    this.feed.replaceAll((await client.request('runs.subscribe', {})).runs);
    this.feed.setLink({ state: 'connected' });
    this.events.onConnected();
  }

  /** The actor is added where the method records one. */
  async request<M extends OperatorMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    const client = this.current;
    if (client === null) throw unreachable();
    const full = recorded.has(method) ? { ...params, actor: await this.whoActs() } : params;
    return client.request(method, full as Params<M>);
  }

  client(): ConsoleClient | null {
    return this.current;
  }

  close(): void {
    this.closing.abort();
    if (this.timer !== null) clearTimeout(this.timer);
    this.current?.close();
    this.current = null;
  }

  private get closed(): boolean {
    return this.closing.signal.aborted;
  }

  private async whoActs(): Promise<Actor> {
    this.actor ??= await this.ports.actor();
    return this.actor;
  }

  private lost(client: ConsoleClient): void {
    if (this.closed || this.current !== client) return;
    this.current = null;
    this.retry('the connection was closed');
  }

  private retry(reason: string): void {
    if (this.closed) return;
    if (this.feed.link.state !== 'lost') this.feed.setLink({ state: 'lost', since: this.now(), reason });
    this.timer = setTimeout(() => {
      this.open().catch((error: unknown) => this.retry(error instanceof Error ? error.message : String(error)));
    }, retryMs);
  }
}

function unreachable(): GatehouseError {
  return new GatehouseError(
    'host.unreachable',
    'the host does not answer',
    'runs go on; this console tries again by itself',
  );
}
