// title: sends frames that promise or hold gigabytes
// success: host processes
// where: product
// hooks: prevented
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

const head = Buffer.alloc(5);
head.writeUInt32BE(0xffffffff, 0);
await send(head);
await send(Buffer.concat([head, Buffer.alloc(8 * 1024 * 1024, 0x41)]));
await send(json({ id: 1, method: 'evidence.run', params: { argv: ['x'.repeat(4 * 1024 * 1024)], cwd: '/' } }));
