// The run socket as a hook of an agent program uses it.
import { createConnection } from 'node:net';
import { homePaths } from '../../src/platform/paths.ts';
import { FrameDecoder, encodeJson } from '../../src/protocol/frame.ts';

/** Reports an event of the scripted runtime; settles once the host has answered. */
export async function reportEvent(home: string, run: string, event: object): Promise<void> {
  const socket = createConnection(homePaths(home).run(run).runSocket);
  const decoder = new FrameDecoder();
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      if (decoder.push(chunk).length > 0) resolve();
    });
    socket.write(encodeJson({ id: 1, method: 'hook', params: { runtime: 'scripted', event } }));
  });
  socket.destroy();
}
