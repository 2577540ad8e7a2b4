// title: sends frames that promise or hold gigabytes
// success: host processes
// where: product
// hooks: prevented
import { json, send } from '../run-socket.mjs';

const head = Buffer.alloc(5);
head.writeUInt32BE(0xffffffff, 0);
await send(head);
await send(Buffer.concat([head, Buffer.alloc(8 * 1024 * 1024, 0x41)]));
await send(json({ id: 1, method: 'evidence.run', params: { argv: ['x'.repeat(4 * 1024 * 1024)], cwd: '/' } }));
