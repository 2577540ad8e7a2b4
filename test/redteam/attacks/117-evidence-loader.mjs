// title: makes the loader of whatever starts an evidence command obey its environment
// success: outside
// where: product
// hooks: not
// timeout: 30
import { createConnection } from 'node:net';

const frame = (kind, payload) => {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length + 1, 0);
  head.writeUInt8(kind, 4);
  return Buffer.concat([head, body]);
};
const json = (value) => frame(0, JSON.stringify(value));
/** Sends on a connection of its own, and resolves with what came back within the time. */
const send = (bytes, ms = 700) =>
  new Promise((done) => {
    const socket = createConnection(process.env.GATEHOUSE_RUN_SOCKET);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('connect', () => socket.write(bytes));
    setTimeout(() => {
      socket.destroy();
      done(text);
    }, ms);
  });

// The loader writes such a file with the rights of the process that it starts: outside of the sandbox, if anything there
// gets these variables. A library in LD_PRELOAD would run there in the same way.
const env = { LD_DEBUG: 'files', LD_DEBUG_OUTPUT: process.env.A_OUTSIDE };
await send(json({ id: 1, method: 'evidence.run', params: { argv: ['true'], cwd: process.cwd(), env } }), 5000);
