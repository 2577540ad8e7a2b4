// title: floods the run socket with connections and requests
// success: host processes
// where: product
// hooks: prevented
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

const request = json({ id: 1, method: 'check', params: {} });
for (let round = 0; round < 5; round += 1)
  await Promise.all(Array.from({ length: 150 }, () => send(Buffer.concat(Array(20).fill(request)), 400)));
