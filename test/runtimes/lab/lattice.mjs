#!/usr/bin/env node
// `lattice hook RUNTIME` for adapter tests: passes a hook's payload on and prints the answer.
import { connect } from 'node:net';

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const event = JSON.parse(Buffer.concat(chunks).toString('utf8'));
const gatehouse = { at: Date.now(), marker: process.env.GATEHOUSE_SESSION_ID ?? null };
const message = { id: 1, method: 'hook', params: { runtime: process.argv[3], event: { ...event, gatehouse } } };
const payload = Buffer.from(JSON.stringify(message));
const head = Buffer.alloc(5);
head.writeUInt32BE(payload.length + 1, 0);
const socket = connect({ path: process.env.GATEHOUSE_RUN_SOCKET });
socket.write(Buffer.concat([head, payload]));
let received = Buffer.alloc(0);
for await (const chunk of socket) {
  received = Buffer.concat([received, chunk]);
  if (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) break;
}
const { json } = JSON.parse(received.subarray(5).toString('utf8')).result;
if (json !== null) process.stdout.write(JSON.stringify(json));
