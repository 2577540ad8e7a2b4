// Owns one listening unix socket (0600). A stale socket file is replaced only when nobody answers on it; one that is
// removed while we live (runtime directories are emptied at logout) is made again.
import { chmodSync, mkdirSync, statSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GatehouseError } from '../core/error.ts';

const lookAfterMs = 5_000;
const longestFlushMs = 500;
/** More callers than any agent has at once; fewer than would exhaust descriptors. */
const mostConnections = 200;

export class UnixServer {
  private readonly path: string;
  private readonly onConnection: (socket: Socket) => void;
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private inode = 0;
  private watch: NodeJS.Timeout | null = null;

  constructor(path: string, onConnection: (socket: Socket) => void) {
    this.path = path;
    this.onConnection = onConnection;
  }

  /** @throws GatehouseError `host.locked` when somebody else serves this path. */
  async listen(): Promise<void> {
    await refuseIfServed(this.path);
    await this.bind();
    this.watch = setInterval(() => void this.restore(), lookAfterMs);
  }

  /** What has been written still goes out, as long as somebody takes it soon. */
  async close(): Promise<void> {
    if (this.watch !== null) clearInterval(this.watch);
    this.server?.close();
    this.server = null;
    const flushed = [...this.sockets].map((socket) => {
      socket.destroySoon();
      return new Promise<void>((done) => socket.once('close', () => done()));
    });
    await Promise.race([Promise.all(flushed), delay(longestFlushMs, undefined, { ref: false })]);
    for (const socket of this.sockets) socket.destroy();
  }

  private async bind(): Promise<void> {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    removeFile(this.path);
    const server = createServer((socket) => this.accept(socket));
    server.maxConnections = mostConnections;
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      // The socket is made inside this call, and must never be there with other permissions.
      const before = process.umask(0o177);
      try {
        server.listen(this.path, done);
      } finally {
        process.umask(before);
      }
    });
    server.on('error', () => undefined);
    chmodSync(this.path, 0o600);
    this.inode = statSync(this.path).ino;
    this.server = server;
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    this.onConnection(socket);
  }

  private async restore(): Promise<void> {
    if (this.server === null || statSync(this.path, { throwIfNoEntry: false })?.ino === this.inode) return;
    if (await isAnswered(this.path)) return;
    // Closed first: closing unlinks the path, whoever has made it.
    this.server.close();
    try {
      await this.bind();
    } catch {
      // No room or no directory now; the next look tries again.
    }
  }
}

/** @throws GatehouseError `host.locked` when somebody answers on this path. */
export async function refuseIfServed(path: string): Promise<void> {
  if (!(await isAnswered(path))) return;
  throw new GatehouseError('host.locked', `${path} is served by another process`, 'end that process first');
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      done(true);
    });
    probe.once('error', () => done(false));
  });
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
