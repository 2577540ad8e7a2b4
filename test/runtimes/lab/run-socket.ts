// The run socket as a runtime's hooks see it, with a host behind it that only listens and decides about tool calls.
import { createServer, type Socket } from 'node:net';
import type { RuntimeAdapter, ToolDecision } from '../../../src/runtimes/adapter.ts';
import type { RuntimeEvent } from '../../../src/runtimes/event.ts';
import { encodeJson, FrameDecoder } from '../../../src/protocol/frame.ts';

export interface LabSocket extends AsyncDisposable {
  readonly payloads: readonly unknown[];
  readonly events: readonly RuntimeEvent[];
}

export type Decide = (event: RuntimeEvent) => ToolDecision;

export async function labSocket(path: string, adapter: RuntimeAdapter, decide: Decide): Promise<LabSocket> {
  const payloads: unknown[] = [];
  const events: RuntimeEvent[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const decoder = new FrameDecoder();
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      for (const frame of decoder.push(chunk)) {
        if (frame.kind !== 0) continue;
        const request = frame.value as { id: number; params: { event: unknown } };
        const payload = request.params.event;
        payloads.push(payload);
        const told = adapter.readEvent(payload, Date.now());
        events.push(...told);
        const refused = told.map(decide).find((each) => each.verdict === 'refused');
        const json = adapter.hookAnswer(refused ?? { verdict: 'no-objection' }, payload);
        socket.write(encodeJson({ id: request.id, result: { text: '', json } }));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    payloads,
    events,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
