// Owns the run socket: passes what the agent's side asks on to the host, unread, and answers back. Without a host the
// requests wait here. A request that a host took along into its death is handed to the next one under the same key.
import type { Socket } from 'node:net';
import type { ErrorBody } from '../core/error.ts';
import { encodeJson, FrameDecoder, frameKind } from '../protocol/frame.ts';
import type { HolderEvent, RelayBody } from '../protocol/holder.ts';
import { UnixServer } from './unix-server.ts';

const mostWaiting = 256;
/** Of those, what a host is given at once: whatever a session asks, others and the operator come through. */
const mostSent = 16;
/** All requests that wait; the frame size alone would allow an agent to fill the memory. */
const mostWaitingBytes = 32 * 1024 * 1024;

export interface RelayOptions {
  readonly path: string;
  /** Keys must differ between holders of one run, because a host may remember them. */
  readonly keyPrefix: string;
  /** Only time without a host counts; a host may take as long as it needs. */
  readonly limitMs: number;
  /** @returns false when no host is there. */
  readonly send: (event: HolderEvent) => boolean;
  readonly onWaiting: () => void;
}

interface Waiting {
  readonly key: string;
  readonly body: unknown;
  readonly sizeBytes: number;
  readonly since: number;
  /** null: nobody waits for the answer (the caller sent no id). */
  readonly caller: { readonly socket: Socket; readonly id: unknown } | null;
  sent: boolean;
}

export class Relay {
  private readonly options: RelayOptions;
  private readonly server: UnixServer;
  private readonly waiting = new Map<string, Waiting>();
  private readonly timer: NodeJS.Timeout;
  private waitingBytes = 0;
  private count = 0;

  constructor(options: RelayOptions) {
    this.options = options;
    this.server = new UnixServer(options.path, (socket) => this.accept(socket));
    this.timer = setInterval(() => this.expire(), Math.max(20, Math.min(options.limitMs / 4, 5_000)));
  }

  /** Something is asked that no host has seen. */
  get hasWaiting(): boolean {
    return [...this.waiting.values()].some((each) => !each.sent);
  }

  listen(): Promise<void> {
    return this.server.listen();
  }

  close(): Promise<void> {
    clearInterval(this.timer);
    const gone = unreachable('the run is being closed');
    for (const each of this.waiting.values()) answer(each, { error: gone });
    this.waiting.clear();
    return this.server.close();
  }

  hostArrived(): void {
    this.hostLeft();
    this.offerWaiting();
  }

  hostLeft(): void {
    for (const each of this.waiting.values()) {
      each.sent = false;
      if (isGone(each)) this.forget(each);
    }
  }

  /** @returns false when nobody waits for it any more. */
  reply(key: string, body: RelayBody): boolean {
    const entry = this.waiting.get(key);
    if (entry === undefined) return false;
    this.forget(entry);
    const heard = answer(entry, body);
    this.offerWaiting();
    return heard;
  }

  private accept(socket: Socket): void {
    const decoder = new FrameDecoder();
    socket.on('data', (chunk) => {
      try {
        for (const frame of decoder.push(chunk)) {
          if (frame.kind === frameKind.json) this.take(socket, frame.value);
        }
      } catch {
        socket.destroy();
      }
    });
    socket.on('close', () => {
      // What a host works on counts until it is answered: or asking and hanging up would be a way to drown the host.
      for (const each of this.waiting.values()) if (each.caller?.socket === socket && !each.sent) this.forget(each);
    });
  }

  private take(socket: Socket, message: unknown): void {
    const { id, ...body } = (message ?? {}) as Record<string, unknown>;
    const sizeBytes = JSON.stringify(body).length;
    this.count += 1;
    const entry: Waiting = {
      key: `${this.options.keyPrefix}-${this.count}`,
      body,
      sizeBytes,
      since: Date.now(),
      caller: id === undefined ? null : { socket, id },
      sent: false,
    };
    if (this.waiting.size >= mostWaiting || this.waitingBytes + sizeBytes > mostWaitingBytes) {
      const hint = 'wait until the earlier requests are answered, then ask again';
      answer(entry, { error: { code: 'run.busy', message: 'too many requests of this run wait for an answer', hint } });
      return;
    }
    this.waiting.set(entry.key, entry);
    this.waitingBytes += sizeBytes;
    if (!this.offerWaiting()) this.options.onWaiting();
  }

  /** In the order in which they came. @returns false when no host is there to take them. */
  private offerWaiting(): boolean {
    let sent = 0;
    for (const each of this.waiting.values()) if (each.sent) sent += 1;
    for (const entry of this.waiting.values()) {
      if (sent >= mostSent) return true;
      if (entry.sent) continue;
      const { key, body, since } = entry;
      entry.sent = this.options.send({ event: 'request', key, body, waitedMs: Date.now() - since });
      if (!entry.sent) return false;
      sent += 1;
    }
    return true;
  }

  private expire(): void {
    const limit = Date.now() - this.options.limitMs;
    for (const each of this.waiting.values()) {
      if (each.sent || each.since > limit) continue;
      this.forget(each);
      answer(each, { error: unreachable('no host has answered for too long') });
    }
  }

  private forget(entry: Waiting): void {
    if (this.waiting.delete(entry.key)) this.waitingBytes -= entry.sizeBytes;
  }
}

/** The caller has hung up. One that wants no answer is not gone. */
function isGone({ caller }: Waiting): boolean {
  return caller !== null && caller.socket.destroyed;
}

function answer(entry: Waiting, body: RelayBody): boolean {
  if (entry.caller === null || entry.caller.socket.destroyed) return false;
  entry.caller.socket.write(encodeJson({ id: entry.caller.id, ...body }));
  return true;
}

function unreachable(message: string): ErrorBody {
  return {
    code: 'host.unreachable',
    message,
    hint: 'nothing was changed; ask again later, or tell the operator to run `gatehouse host status`',
  };
}
