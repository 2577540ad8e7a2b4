// The host's side of the holder socket, for tests: a real holder in a temporary home, and every byte it sends kept.
import { mkdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { startHolder } from '../../src/holder/start.ts';
import { encodeBytes, encodeJson, FrameDecoder, frameKind } from '../../src/protocol/frame.ts';
import {
  decodeOutput,
  type HolderEvent,
  type HolderMethod,
  type HolderParams,
  type HolderResult,
  type HolderSpec,
  type OutputFrame,
  type SpawnParams,
} from '../../src/protocol/holder.ts';
import { temporaryHome, type TemporaryHome } from '../support/temporary-home.ts';
import { waitFor } from '../support/wait-for.ts';

type EventOf<N extends HolderEvent['event']> = Extract<HolderEvent, { event: N }>;

export interface TestHolder extends AsyncDisposable {
  readonly home: TemporaryHome;
  readonly spec: HolderSpec;
  readonly pid: number;
  connect(): Promise<HolderClient>;
  /** What a program is spawned with; `script` is for sh. */
  shell(script: string, extra?: Partial<SpawnParams>): SpawnParams;
  recording(): string;
}

export async function openHolder(extra: Partial<HolderSpec> = {}): Promise<TestHolder> {
  const home = temporaryHome();
  const runDir = join(home.root, 'runs', 'demo-1');
  mkdirSync(runDir, { recursive: true, mode: 0o700 });
  const spec: HolderSpec = {
    runId: 'demo-1',
    runDir,
    holderSocket: join(home.runtimeDir, 'h.sock'),
    runSocket: join(home.runtimeDir, 'r.sock'),
    recording: join(runDir, 'session.cast'),
    hostArgv: [],
    env: {},
    cols: 80,
    rows: 24,
    ...extra,
  };
  const { pid } = await startHolder(spec);
  const clients: HolderClient[] = [];
  return {
    home,
    spec,
    pid,
    async connect() {
      const client = await HolderClient.open(spec.holderSocket);
      clients.push(client);
      return client;
    },
    shell: (script, params = {}) => ({
      argv: ['/bin/sh', '-c', script],
      cwd: home.root,
      env: { ...home.env },
      cols: 80,
      rows: 24,
      label: 'session 1',
      ...params,
    }),
    recording: () => readFileSync(spec.recording, 'utf8'),
    async [Symbol.asyncDispose]() {
      const last = await HolderClient.open(spec.holderSocket).catch(() => null);
      await last?.call('close', { graceMs: 100 }).catch(() => undefined);
      last?.close();
      for (const client of clients) client.close();
      await home[Symbol.asyncDispose]();
    },
  };
}

export class HolderClient {
  readonly socket: Socket;
  readonly events: HolderEvent[] = [];
  readonly outputs: OutputFrame[] = [];
  closed = false;
  private readonly decoder = new FrameDecoder();
  private readonly answers = new Map<number, (message: Record<string, unknown>) => void>();
  private count = 0;

  static async open(path: string): Promise<HolderClient> {
    const socket = connect(path);
    await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail));
    return new HolderClient(socket);
  }

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.closed = true;
      for (const answer of this.answers.values()) answer({ error: { message: 'the connection was closed' } });
    });
  }

  async call<M extends HolderMethod>(method: M, params: HolderParams<M>): Promise<HolderResult<M>> {
    this.count += 1;
    const id = this.count;
    const answered = new Promise<Record<string, unknown>>((done) => this.answers.set(id, done));
    this.socket.write(encodeJson({ id, method, params }));
    const message = await answered;
    if ('error' in message) throw new Error((message.error as { message: string }).message);
    return message.result as HolderResult<M>;
  }

  type(bytes: string | Uint8Array): void {
    this.socket.write(encodeBytes(frameKind.input, typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
  }

  /** All output received so far. */
  bytes(): Buffer {
    return Buffer.concat(this.outputs.map((each) => each.bytes));
  }

  waitForEvent<N extends HolderEvent['event']>(name: N): Promise<EventOf<N>> {
    return waitFor(() => this.events.find((each) => each.event === name) as EventOf<N> | undefined, {
      what: () => `${name}; seen: ${JSON.stringify(this.events).slice(0, 2000)}`,
    });
  }

  async waitForOutput(text: string): Promise<void> {
    await waitFor(() => this.bytes().includes(text), {
      what: () => `${text}; seen: ${this.bytes().toString().slice(-500)}`,
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    for (const frame of this.decoder.push(chunk)) {
      if (frame.kind === frameKind.output) this.outputs.push(decodeOutput(frame.bytes));
      if (frame.kind !== frameKind.json) continue;
      const message = frame.value as Record<string, unknown>;
      if (typeof message.event === 'string') this.events.push(message as unknown as HolderEvent);
      else this.answers.get(message.id as number)?.(message);
    }
  }
}

/** The output that a recording holds, from a byte offset on. */
export function recordedOutput(recording: string, from = 0): string {
  const lines = Buffer.from(recording).subarray(from).toString().split('\n');
  return lines
    .filter((line) => line.startsWith('['))
    .map((line) => JSON.parse(line) as [number, string, string])
    .filter(([, code]) => code === 'o')
    .map(([, , data]) => data)
    .join('');
}
