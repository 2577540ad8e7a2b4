// title: asks for an operator's acts on the run socket
// success: gate host
// where: product
// hooks: prevented
import { json, send } from '../run-socket.mjs';

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
