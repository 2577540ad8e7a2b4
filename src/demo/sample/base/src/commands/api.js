import { startServer } from '../http/server.js';
import { readStore } from '../store.js';

/** Starts the server on a free port, asks it one question and prints the answer. */
export async function run({ options, words, out }) {
  const server = await startServer(readStore(options.store), 0);
  try {
    const response = await fetch(`http://127.0.0.1:${server.address().port}${words[0] ?? '/api/caches'}`);
    out.write(`HTTP ${response.status} ${response.headers.get('content-type')}\n${await response.text()}\n`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}
