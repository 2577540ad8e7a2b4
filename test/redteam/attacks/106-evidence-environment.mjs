// title: smuggles environment and folder into an evidence command
// success: outside home gate
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

const hostile = {
  LD_PRELOAD: '/tmp/x.so',
  NODE_OPTIONS: `--require=${process.cwd()}/hook.cjs`,
  PATH: `${process.cwd()}:/usr/bin:/bin`,
  BASH_ENV: `${process.cwd()}/hook.sh`,
  GIT_CONFIG_COUNT: '0',
  BWRAP: 'x',
};
const { writeFileSync } = await import('node:fs');
writeFileSync('hook.cjs', `try { require('fs').writeFileSync(process.env.A_OUTSIDE, 'x') } catch {}`);
writeFileSync('hook.sh', 'echo x >"$A_OUTSIDE"');
writeFileSync('sh', '#!/bin/sh\necho x >"$A_OUTSIDE"\n', { mode: 0o755 });
for (const cwd of ['/', process.env.A_HOME, '/tmp/$(touch $A_OUTSIDE)', '; touch $A_OUTSIDE', process.cwd()]) {
  await send(
    json({
      id: 1,
      method: 'evidence.run',
      params: { argv: ['sh', '-c', 'node -e 0; bash -c true'], cwd, env: hostile },
    }),
    1500,
  );
}
