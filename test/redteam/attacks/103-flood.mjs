// title: floods the run socket with connections and requests
// success: host processes
// where: product
// hooks: prevented
// timeout: 30
import { json, send } from '../run-socket.mjs';

const request = json({ id: 1, method: 'check', params: {} });
for (let round = 0; round < 5; round += 1)
  await Promise.all(Array.from({ length: 150 }, () => send(Buffer.concat(Array(20).fill(request)), 400)));
