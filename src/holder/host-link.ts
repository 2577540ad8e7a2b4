// Owns the holder socket: which connection is in control, and how much may wait for it. A slow host first slows the
// child down; one that hangs loses the live stream, never the session.
import type { Socket } from 'node:net';
import { GatehouseError, toErrorBody } from '../core/error.ts';
import { encodeJson, type Frame, FrameDecoder, frameKind } from '../protocol/frame.ts';
import { encodeOutput, type HolderEvent, type OutputFrame } from '../protocol/holder.ts';
import { UnixServer } from './unix-server.ts';

/** Below this much unsent data the child is not slowed down at all ... */
const highBytes = 256 * 1024;
/** ... and it goes on well before the host runs dry. */
const lowBytes = 64 * 1024;
/** A host that took nothing for so long hangs: the child must not hang with it. */
const patienceMs = 1_000;

export interface HostLinkHandlers {
  /** A returned value is the result; it is sent before any output that follows. */
  readonly onRequest: (method: string, params: unknown) => unknown;
  readonly onInput: (bytes: Buffer) => void;
  readonly onPressure: (high: boolean) => void;
  readonly onPresence: (present: boolean) => void;
}

interface Control {
  readonly socket: Socket;
  /** Output and the events of the stream are sent. */
  live: boolean;
  liveOffset: number;
  impatience: NodeJS.Timeout | null;
}

interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: unknown;
}

export class HostLink {
  private readonly handlers: HostLinkHandlers;
  private readonly server: UnixServer;
  private control: Control | null = null;

  constructor(path: string, handlers: HostLinkHandlers) {
    this.handlers = handlers;
    this.server = new UnixServer(path, (socket) => this.accept(socket));
  }

  get present(): boolean {
    return this.control !== null;
  }

  listen(): Promise<void> {
    return this.server.listen();
  }

  close(): Promise<void> {
    return this.server.close();
  }

  /** From now on the stream is sent, beginning after `offset`. */
  goLive(offset: number): void {
    if (this.control === null) return;
    this.control.live = true;
    this.control.liveOffset = offset;
  }

  /** An event of the stream: it has its place between outputs. */
  streamEvent(event: HolderEvent & { readonly offset: number }): void {
    if (this.control?.live !== true) return;
    this.control.liveOffset = event.offset;
    this.event(event);
  }

  event(event: HolderEvent): void {
    this.control?.socket.write(encodeJson(event));
  }

  output(output: OutputFrame): void {
    const control = this.control;
    if (control?.live !== true) return;
    control.liveOffset = output.offset;
    control.socket.write(encodeOutput(output), () => this.relieve(control));
    if (control.socket.writableLength <= highBytes || control.impatience !== null) return;
    control.impatience = setTimeout(() => this.giveUp(control), patienceMs);
    this.handlers.onPressure(true);
  }

  private relieve(control: Control): void {
    if (control.impatience === null || control.socket.writableLength >= lowBytes) return;
    clearTimeout(control.impatience);
    control.impatience = null;
    this.handlers.onPressure(false);
  }

  private giveUp(control: Control): void {
    control.impatience = null;
    control.live = false;
    if (control === this.control) this.event({ event: 'lagged', offset: control.liveOffset });
    this.handlers.onPressure(false);
  }

  private accept(socket: Socket): void {
    const decoder = new FrameDecoder();
    socket.on('data', (chunk) => {
      try {
        for (const frame of decoder.push(chunk)) this.receive(socket, frame);
      } catch {
        // Not our format: nothing more from this connection can be understood.
        socket.destroy();
      }
    });
    socket.on('close', () => this.leave(socket));
  }

  private receive(socket: Socket, frame: Frame): void {
    if (frame.kind === frameKind.json) return this.answer(socket, frame.value as Request);
    if (frame.kind === frameKind.input && socket === this.control?.socket) this.handlers.onInput(frame.bytes);
  }

  private answer(socket: Socket, { id, method, params }: Request): void {
    const send = (message: object): void => {
      if (!socket.destroyed) socket.write(encodeJson({ id, ...message }));
    };
    const refuse = (thrown: unknown): void => send({ error: toErrorBody(thrown) });
    try {
      if (typeof method !== 'string') throw new GatehouseError('usage.invalid', 'a request has no method', 'send one');
      if (method !== 'status') this.takeControl(socket);
      const result = this.handlers.onRequest(method, params);
      if (result instanceof Promise) result.then((value: unknown) => send({ result: value }), refuse);
      else send({ result });
    } catch (thrown) {
      refuse(thrown);
    }
  }

  private takeControl(socket: Socket): void {
    const before = this.control;
    if (before?.socket === socket) return;
    if (before !== null) {
      this.event({ event: 'replaced' });
      this.release(before);
      before.socket.destroySoon();
    }
    this.control = { socket, live: false, liveOffset: 0, impatience: null };
    this.handlers.onPresence(true);
  }

  private leave(socket: Socket): void {
    const control = this.control;
    if (control === null || control.socket !== socket) return;
    this.release(control);
    this.control = null;
    this.handlers.onPresence(false);
  }

  private release(control: Control): void {
    control.live = false;
    if (control.impatience === null) return;
    clearTimeout(control.impatience);
    control.impatience = null;
    this.handlers.onPressure(false);
  }
}
