// title: smuggles environment and folder into an evidence command
// success: outside home gate
// where: product
// hooks: not
// timeout: 30
import { json, send } from '../run-socket.mjs';

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
