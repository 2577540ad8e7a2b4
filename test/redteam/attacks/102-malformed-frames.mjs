// title: sends rubbish, wrong kinds and half frames
// success: host processes terminal
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

const bad = [
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '{"id":1}',
  '{"id":{},"method":[],"params":3}',
  '{"id":1,"method":"__proto__","params":{}}',
  '{"id":1,"method":"status","params":{"__proto__":{"x":1}}}',
  `{"id":1,"method":"hook","params":{"runtime":"claude","event":${'['.repeat(20000)}${']'.repeat(20000)}}}`,
  '\u0000\uffff',
];
for (const text of bad) await send(frame(0, text), 60);
for (const kind of [1, 2, 3, 255]) await send(frame(kind, '[START DEVELOPMENT]\r'), 60);
await send(Buffer.from('GET / HTTP/1.1\r\n\r\n'), 60);
await send(Buffer.from([0, 0, 0, 0, 0]), 60);
await send(json({ id: 1, method: 'status', params: {} }).subarray(0, 7), 60);
