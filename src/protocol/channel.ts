// One end of a connection: requests and their answers, events, and bytes, over any socket of ours.
// Owns the socket. A request whose connection breaks is rejected; nothing is sent twice.
import type { Socket } from 'node:net';
import { type ErrorBody, GatehouseError, toErrorBody } from '../core/error.ts';
import { type ByteKind, FrameDecoder, encodeBytes, encodeJson } from './frame.ts';

export interface ChannelHandlers {
  /** Answers a request of the other side; what it throws becomes the error body. */
  readonly onRequest?: (method: string, params: unknown) => unknown;
  readonly onEvent?: (event: Record<string, unknown> & { event: string }) => void;
  readonly onBytes?: (kind: ByteKind, bytes: Buffer) => void;
  readonly onClose?: (error: Error | null) => void;
}

interface Waiting {
  readonly method: string;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Channel {
  private readonly socket: Socket;
  private readonly decoder = new FrameDecoder();
  private readonly waiting = new Map<number, Waiting>();
  private handlers: ChannelHandlers;
  private lastId = 0;
  private ended = false;
  private failure: Error | null = null;

  constructor(socket: Socket, handlers: ChannelHandlers = {}) {
    this.socket = socket;
    this.handlers = handlers;
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', (error) => {
      this.failure = error;
    });
    socket.on('close', () => this.finish());
  }

  get closed(): boolean {
    return this.ended;
  }

  /** Bytes that the other side has not taken yet. */
  get backlogBytes(): number {
    return this.socket.writableLength;
  }

  handle(handlers: ChannelHandlers): void {
    this.handlers = { ...this.handlers, ...handlers };
  }

  request(method: string, params: unknown): Promise<unknown> {
    if (this.ended) return Promise.reject(connectionLost(method));
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { method, resolve, reject });
      this.socket.write(encodeJson({ id, method, params }));
    });
  }

  event(event: { readonly event: string }): void {
    if (!this.ended) this.socket.write(encodeJson(event));
  }

  /** False when the other side is slow; `drained` then tells when it has caught up. */
  bytes(kind: ByteKind, bytes: Uint8Array): boolean {
    return this.ended || this.socket.write(encodeBytes(kind, bytes));
  }

  drained(): Promise<void> {
    if (this.ended || this.socket.writableLength === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.socket.off('drain', done);
        this.socket.off('close', done);
        resolve();
      };
      this.socket.on('drain', done);
      this.socket.on('close', done);
    });
  }

  /** Stops and starts reading: the other side then feels the back-pressure. */
  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Sends what is queued, then closes. */
  end(): void {
    this.socket.end();
  }

  destroy(): void {
    this.socket.destroy();
  }

  unref(): void {
    this.socket.unref();
  }

  private receive(chunk: Buffer): void {
    try {
      for (const frame of this.decoder.push(chunk)) {
        if (frame.kind === 0) this.message(frame.value);
        else this.handlers.onBytes?.(frame.kind, frame.bytes);
      }
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.socket.destroy();
    }
  }

  private message(value: unknown): void {
    if (typeof value !== 'object' || value === null) throw new Error('a message that is not an object');
    const message = value as Record<string, unknown>;
    if (typeof message.event === 'string') {
      this.handlers.onEvent?.(message as Record<string, unknown> & { event: string });
    } else if (typeof message.method === 'string') {
      void this.answer(message.id, message.method, message.params);
    } else if (typeof message.id === 'number') {
      this.settle(message.id, message);
    }
  }

  private async answer(id: unknown, method: string, params: unknown): Promise<void> {
    let reply: Record<string, unknown>;
    try {
      if (this.handlers.onRequest === undefined)
        throw new GatehouseError(
          'usage.invalid',
          `${method} is not served here`,
          'both sides must be the same version of Gatehouse',
        );
      reply = { id, result: (await Promise.resolve(this.handlers.onRequest(method, params))) ?? null };
    } catch (error) {
      reply = { id, error: toErrorBody(error) };
    }
    if (!this.ended) this.socket.write(encodeJson(reply));
  }

  private settle(id: number, message: Record<string, unknown>): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (waiting === undefined) return;
    if (message.error === undefined) waiting.resolve(message.result);
    else waiting.reject(GatehouseError.from(message.error as ErrorBody));
  }

  private finish(): void {
    if (this.ended) return;
    this.ended = true;
    for (const waiting of this.waiting.values()) waiting.reject(connectionLost(waiting.method, this.failure));
    this.waiting.clear();
    this.handlers.onClose?.(this.failure);
  }
}

function connectionLost(method: string, cause?: Error | null): GatehouseError {
  return new GatehouseError(
    'host.unreachable',
    `the connection ended before ${method} was answered`,
    'it may or may not have been done: look at the run before doing it again',
    cause ? { cause } : {},
  );
}
