// Frames of the run socket, made by hand as an attacker would; attacks of the product import it.
import { createConnection } from 'node:net';

export const frame = (kind, payload) => {
  const body = Buffer.from(payload);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(body.length + 1, 0);
  head.writeUInt8(kind, 4);
  return Buffer.concat([head, body]);
};
export const json = (value) => frame(0, JSON.stringify(value));
/** Sends on a connection of its own, and resolves with what came back within the time. */
export const send = (bytes, ms = 700) =>
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
