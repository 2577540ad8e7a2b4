// What console and CLI use: typed requests, the feed of rows, and attach streams. Holds no truth.
import { GatehouseError } from '../core/error.ts';
import type { ByteKind } from '../protocol/frame.ts';
import type { OperatorEvent, OperatorMethod, Params, Result } from '../protocol/operator.ts';
import type { Channel } from '../protocol/channel.ts';
import { openOperatorChannel } from './connect.ts';

export interface AttachStream {
  /** Escape text that paints the present screen. */
  readonly snapshot: string;
  readonly cols: number;
  readonly rows: number;
  write(bytes: Uint8Array): void;
  resize(cols: number, rows: number): Promise<void>;
  close(): void;
}

export interface AttachHandlers {
  readonly onOutput: (bytes: Buffer) => void;
  readonly onEvent: (event: OperatorEvent) => void;
  readonly onEnd: (end: AttachEnding) => void;
}

/** Why an attached run's stream is over: this side closed it, the run has no session any more, or the host is gone. */
export type AttachEnding =
  | { readonly by: 'us' }
  | { readonly by: 'run'; readonly reason: string }
  | { readonly by: 'host'; readonly error: GatehouseError };

export class Client {
  private readonly listeners = new Set<(event: OperatorEvent) => void>();
  private readonly closeListeners = new Set<() => void>();

  private readonly home: string;
  private readonly channel: Channel;

  private constructor(home: string, channel: Channel) {
    this.home = home;
    this.channel = channel;
    channel.handle({
      // The host is on the same machine, of the same version and user: its events are taken as typed.
      onEvent: (event) => {
        for (const listener of this.listeners) listener(event as OperatorEvent);
      },
      onClose: () => {
        for (const listener of this.closeListeners) listener();
      },
    });
  }

  /** Starts the host when none runs. */
  static async connect(home: string, signal?: AbortSignal): Promise<Client> {
    const channel = await openOperatorChannel(home, { start: true, signal });
    if (channel === null) throw new Error('unreachable: a start was asked for');
    return new Client(home, channel);
  }

  /** Null when no host runs. */
  static async connectIfRunning(home: string): Promise<Client | null> {
    const channel = await openOperatorChannel(home, { start: false });
    return channel === null ? null : new Client(home, channel);
  }

  get closed(): boolean {
    return this.channel.closed;
  }

  async request<M extends OperatorMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    return (await this.channel.request(method, params)) as Result<M>;
  }

  /** Gives the function that ends it. */
  onEvent(listener: (event: OperatorEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onClose(listener: () => void): () => void {
    this.closeListeners.add(listener);
    return () => this.closeListeners.delete(listener);
  }

  /** A connection of its own per attached run, so that a flood there delays nothing here. */
  async attach(
    run: string,
    mode: 'write' | 'read',
    size: { cols: number; rows: number },
    handlers: AttachHandlers,
  ): Promise<AttachStream> {
    const channel = await openOperatorChannel(this.home, { start: true });
    if (channel === null) throw new Error('unreachable: a start was asked for');
    let attached = false;
    let ending: AttachEnding = { by: 'host', error: hostWentAway(run) };
    channel.handle({
      onBytes: (_kind: ByteKind, bytes) => handlers.onOutput(bytes),
      onEvent: (event) => {
        const typed = event as OperatorEvent;
        if (typed.event === 'ended') ending = { by: 'run', reason: typed.reason };
        handlers.onEvent(typed);
      },
      onClose: () => {
        if (attached) handlers.onEnd(ending);
      },
    });
    let started: Result<'run.attach'>;
    try {
      started = (await channel.request('run.attach', { run, mode, ...size })) as Result<'run.attach'>;
    } catch (error) {
      channel.destroy();
      throw error;
    }
    attached = true;
    return {
      ...started,
      write: (bytes) => void channel.bytes(2, bytes),
      resize: async (cols, rows) => {
        await channel.request('run.resize', { run, cols, rows });
      },
      close: () => {
        ending = { by: 'us' };
        leave(channel);
      },
    };
  }

  close(): void {
    leave(this.channel);
  }
}

function hostWentAway(run: string): GatehouseError {
  return new GatehouseError('host.unreachable', `the host went away; ${run} goes on`, `gatehouse attach ${run}`);
}

/** A host that is stopped never closes its end; that must not keep this process. */
function leave(channel: Channel): void {
  channel.end();
  channel.unref();
}
