// The connection from the host to one holder. Starts a holder, or finds the one that is there; never guesses from a
// failed connection that a holder is dead: only its recorded pid and start time tell.
import { type Socket, createConnection } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { GatehouseError } from '../core/error.ts';
import { startHolder } from '../holder/start.ts';
import { readTextIfThere } from '../platform/atomic-file.ts';
import type { RunPaths } from '../platform/paths.ts';
import { isSameProcess } from '../platform/process-identity.ts';
import { Channel } from '../protocol/channel.ts';
import {
  type HolderEvent,
  type HolderMethod,
  type HolderParams,
  type HolderResult,
  type HolderSpec,
  type OutputFrame,
  decodeOutput,
} from '../protocol/holder.ts';

export interface HolderHandlers {
  readonly onOutput: (frame: OutputFrame) => void;
  readonly onEvent: (event: HolderEvent) => void;
  readonly onClose: () => void;
}

/** A live holder answers in a moment; on a machine that is busy beyond measure it is asked again. */
const greetLimitMs = 5_000;

const identityFileSchema = z.object({ pid: z.number().int(), startTime: z.string() });

export class HolderLink {
  readonly pid: number;
  private readonly channel: Channel;

  private constructor(channel: Channel, pid: number) {
    this.channel = channel;
    this.pid = pid;
  }

  /** Starts a holder for a run that has none. */
  static async start(paths: RunPaths, spec: HolderSpec): Promise<HolderLink> {
    await startHolder(spec);
    const socket = await tryConnect(paths.holderSocket);
    const link = socket === null ? null : await HolderLink.greet(socket);
    if (link !== null) return link;
    throw new GatehouseError(
      'runtime.launch-failed',
      `the holder of ${spec.runId} did not stay`,
      `see ${paths.holderLog}`,
    );
  }

  /** `none`: it ended in order, or never was. `dead`: the recorded process is gone. `unreachable`: it lives, silent. */
  static async adopt(paths: RunPaths): Promise<HolderLink | 'none' | 'dead' | 'unreachable'> {
    const socket = await tryConnect(paths.holderSocket);
    const link = socket === null ? null : await HolderLink.greet(socket);
    if (link !== null) return link;
    const text = await readTextIfThere(join(paths.dir, 'holder.json'));
    if (text === null) return 'none';
    const identity = identityFileSchema.safeParse(parseJson(text));
    if (!identity.success) return 'dead';
    return isSameProcess(identity.data) ? 'unreachable' : 'dead';
  }

  /** Null when it does not answer: a stopped process still takes connections. */
  private static async greet(socket: Socket): Promise<HolderLink | null> {
    const channel = new Channel(socket);
    const impatience = setTimeout(() => channel.destroy(), greetLimitMs);
    try {
      const status = (await channel.request('status', {})) as HolderResult<'status'>;
      return new HolderLink(channel, status.holder.pid);
    } catch {
      channel.destroy();
      return null;
    } finally {
      clearTimeout(impatience);
    }
  }

  handle(handlers: HolderHandlers): void {
    this.channel.handle({
      onBytes: (_kind, payload) => handlers.onOutput(decodeOutput(payload)),
      // Holder and host are one product on one machine; what the agent says inside a `request` is checked later.
      onEvent: (event) => handlers.onEvent(event as unknown as HolderEvent),
      onClose: handlers.onClose,
    });
  }

  async request<M extends HolderMethod>(method: M, params: HolderParams<M>): Promise<HolderResult<M>> {
    return (await this.channel.request(method, params)) as HolderResult<M>;
  }

  input(bytes: Uint8Array): void {
    this.channel.bytes(2, bytes);
  }

  /** Reading stops; the holder then holds its child back, or lets us lag. */
  pause(): void {
    this.channel.pause();
  }

  resume(): void {
    this.channel.resume();
  }

  close(): void {
    this.channel.end();
  }
}

/** Null for what is no JSON: half a file that a full disk left. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function tryConnect(path: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', () => resolve(null));
  });
}
