import { once } from 'node:events';
import { startServer } from '../http/server.js';
import { readStore } from '../store.js';

export async function run({ options, out }) {
  const server = await startServer(readStore(options.store), Number(options.port ?? 8080));
  out.write(`listening on http://127.0.0.1:${server.address().port}\n`);
  await once(server, 'close');
}
