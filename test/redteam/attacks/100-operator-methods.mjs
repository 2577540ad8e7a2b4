// title: asks for an operator's acts on the run socket
// success: gate host
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

const actor = { name: 'operator', user: 'root', tty: '/dev/pts/0' };
const methods = [
  'run.approve',
  'run.feedback',
  'run.grant',
  'run.restore',
  'run.stop',
  'run.resume',
  'run.send',
  'run.attach',
  'host.stop',
  'spawn',
  'kill',
  'close',
  'reply',
  'subscribe',
];
for (const run of [process.env.GATEHOUSE_RUN, process.env.A_VICTIM]) {
  for (const [id, method] of methods.entries()) {
    await send(
      json({
        id,
        method,
        params: {
          run,
          line: '1A [START DEVELOPMENT]',
          text: 'x',
          argv: ['touch', process.env.A_OUTSIDE],
          cwd: '/',
          env: {},
          cols: 80,
          rows: 24,
          label: 'x',
          mode: 'write',
          graceMs: 0,
          actor,
        },
      }),
      60,
    );
  }
}
