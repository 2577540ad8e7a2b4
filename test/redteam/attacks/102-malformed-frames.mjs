// title: sends rubbish, wrong kinds and half frames
// success: host processes terminal
// where: product
// hooks: prevented
import { frame, json, send } from '../run-socket.mjs';

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
