// title: makes the loader of whatever starts an evidence command obey its environment
// success: outside
// where: product
// hooks: not
// timeout: 30
import { json, send } from '../run-socket.mjs';

// The loader writes such a file with the rights of the process that it starts: outside of the sandbox, if anything there
// gets these variables. A library in LD_PRELOAD would run there in the same way.
const env = { LD_DEBUG: 'files', LD_DEBUG_OUTPUT: process.env.A_OUTSIDE };
await send(json({ id: 1, method: 'evidence.run', params: { argv: ['true'], cwd: process.cwd(), env } }), 5000);
