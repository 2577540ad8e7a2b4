// The run socket seen from a runtime that has no dependencies: `u32 BE length, u8 kind, JSON`. Requests and their answers only.
import { createConnection, type Socket } from 'node:net';

const json = 0;
const headerBytes = 5;
const maxFrameBytes = 16 * 1024 * 1024;

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Connects on the first request and again after a lost connection. Never keeps the process alive. */
export class RunSocket {
  private readonly path: string;
  private socket: Socket | null = null;
  private received: Buffer = Buffer.alloc(0);
  private lastId = 0;
  private readonly waiting = new Map<number, (answer: Answer | null) => void>();

  constructor(path: string) {
    this.path = path;
  }

  get pending(): number {
    return this.waiting.size;
  }

  /** Null when the connection was lost or the other side refused. */
  async request(method: string, params: unknown): Promise<unknown> {
    const socket = this.connected();
    const id = ++this.lastId;
    const answer = await new Promise<Answer | null>((resolve) => {
      this.waiting.set(id, resolve);
      socket.write(encode({ id, method, params }));
    });
    return answer?.result ?? null;
  }

  close(): void {
    this.socket?.destroy();
  }

  private connected(): Socket {
    if (this.socket !== null) return this.socket;
    const socket = createConnection(this.path);
    this.socket = socket;
    this.received = Buffer.alloc(0);
    socket.unref();
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.socket === socket) this.socket = null;
      const lost = [...this.waiting.values()];
      this.waiting.clear();
      for (const resolve of lost) resolve(null);
    });
    return socket;
  }

  private receive(chunk: Buffer): void {
    this.received = Buffer.concat([this.received, chunk]);
    while (this.received.length >= headerBytes) {
      const length = this.received.readUInt32BE(0);
      if (length > maxFrameBytes) return void this.socket?.destroy();
      if (this.received.length < length + 4) return;
      const body = this.received.subarray(headerBytes, length + 4);
      if (this.received.readUInt8(4) === json) this.answer(JSON.parse(body.toString('utf8')) as Answer);
      this.received = this.received.subarray(length + 4);
    }
  }

  private answer(answer: Answer): void {
    const resolve = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    resolve?.(answer);
  }
}

function encode(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(body.length + 1, 0);
  header.writeUInt8(json, 4);
  return Buffer.concat([header, body]);
}
