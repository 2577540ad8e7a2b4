// The host's side of a holder socket, as thin as possible.
import { connect, type Socket } from 'node:net';
import { decodeOutput } from '../../src/protocol/holder.ts';
import type { Screen } from '../../src/terminal/screen.ts';
import { encodeJson, FrameDecoder, frameKind } from '../../src/protocol/frame.ts';

const highBytes = 256 * 1024;
const lowBytes = 64 * 1024;

export class HolderLink {
  private readonly socket: Socket;
  private readonly waiting = new Map<unknown, (value: unknown) => void>();
  private count = 0;
  private onExit: (() => void) | null = null;
  private exits = 0;
  private show: (bytes: Buffer) => void = () => undefined;

  static async open(path: string): Promise<HolderLink> {
    const socket = connect(path);
    await new Promise((done) => socket.once('connect', done));
    return new HolderLink(socket);
  }

  constructor(socket: Socket) {
    this.socket = socket;
    const decoder = new FrameDecoder();
    socket.on('data', (chunk) => {
      for (const frame of decoder.push(chunk)) {
        if (frame.kind === frameKind.output) this.show(decodeOutput(frame.bytes).bytes);
        if (frame.kind !== frameKind.json) continue;
        const message = frame.value as { id?: unknown; event?: string };
        if (message.event === 'exited') {
          this.exits += 1;
          this.onExit?.();
        } else if (message.id !== undefined) this.waiting.get(message.id)?.(message);
      }
    });
  }

  /** As the host does it: what is not on the screen yet holds up the holder. */
  showOn(screen: Screen): void {
    this.show = (bytes) => {
      screen.write(bytes, () => {
        if (screen.pendingBytes < lowBytes) this.socket.resume();
      });
      if (screen.pendingBytes > highBytes) this.socket.pause();
    };
  }

  call(method: string, params: object): Promise<unknown> {
    this.count += 1;
    const id = this.count;
    this.socket.write(encodeJson({ id, method, params }));
    return new Promise((done) => this.waiting.set(id, done));
  }

  spawn(argv: readonly string[]): Promise<unknown> {
    return this.call('spawn', { argv, cwd: '/', env: { PATH: '/usr/bin:/bin' }, cols: 80, rows: 24, label: 'bench' });
  }

  /** The exit of the session that was spawned last. */
  async exited(): Promise<void> {
    if (this.exits === 0) await new Promise<void>((done) => (this.onExit = done));
    this.exits -= 1;
    this.onExit = null;
  }

  close(): void {
    this.socket.destroy();
  }
}
