import type { Channel } from '../protocol/channel.ts';
import type { OperatorEvent } from '../protocol/operator.ts';

/** One client as the request handlers see it. */
export class ClientConnection {
  onInput: ((bytes: Buffer) => void) | null = null;
  /** The run that this client is attached to for writing. */
  keyboardOf: string | null = null;
  private readonly closers: (() => void)[] = [];
  private readonly channel: Channel;
  readonly subscribe: () => void;

  constructor(channel: Channel, subscribe: () => void) {
    this.channel = channel;
    this.subscribe = subscribe;
  }

  get backlogBytes(): number {
    return this.channel.backlogBytes;
  }

  event(event: OperatorEvent): void {
    this.channel.event(event);
  }

  output(bytes: Uint8Array): boolean {
    return this.channel.bytes(1, bytes);
  }

  drained(): Promise<void> {
    return this.channel.drained();
  }

  end(): void {
    this.channel.end();
  }

  whenClosed(callback: () => void): void {
    this.closers.push(callback);
  }

  onClosed(): void {
    for (const callback of this.closers) callback();
  }
}
