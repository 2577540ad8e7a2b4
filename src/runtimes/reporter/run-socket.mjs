// Runs inside an agent program (bun or node): tells the run socket what happens, in order, and can ask a question.
// Owns one connection, made when there is something to say; it never keeps the program alive and never throws.
import { connect } from 'node:net';

/** Reports kept while nobody listens; the oldest go first. */
const longestQueue = 500;
const retryMs = 500;

export function openReporter(runtime, env = process.env) {
  const path = env.GATEHOUSE_RUN_SOCKET;
  const marker = env.GATEHOUSE_SESSION_ID ?? null;
  const waiting = new Map();
  let queue = [];
  let socket = null;
  let ready = false;
  let sequence = 0;
  let received = Buffer.alloc(0);

  function message(event) {
    sequence += 1;
    const gatehouse = { at: Date.now(), sequence, marker };
    return { id: sequence, method: 'hook', params: { runtime, event: { ...event, gatehouse } } };
  }

  function flush() {
    if (path === undefined) return;
    if (socket === null) open();
    if (!ready) return;
    for (const each of queue) socket.write(frame(each));
    queue = [];
  }

  function open() {
    const mine = connect({ path });
    socket = mine;
    received = Buffer.alloc(0);
    mine.on('connect', () => {
      ready = true;
      flush();
    });
    mine.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 4 && received.length >= 4 + received.readUInt32BE(0)) {
        const end = 4 + received.readUInt32BE(0);
        settle(received.subarray(5, end));
        received = received.subarray(end);
      }
    });
    mine.on('error', () => {});
    mine.on('close', () => {
      if (socket !== mine) return;
      socket = null;
      ready = false;
      // A question whose connection broke is asked again; a report that was on its way is lost.
      for (const each of waiting.values()) if (!queue.includes(each.request)) queue.push(each.request);
      if (queue.length > 0) setTimeout(flush, retryMs).unref?.();
    });
    mine.unref?.();
  }

  function settle(payload) {
    let reply;
    try {
      reply = JSON.parse(payload.toString('utf8'));
    } catch {
      return;
    }
    waiting.get(reply.id)?.resolve(reply.result?.json ?? null);
    waiting.delete(reply.id);
  }

  return {
    /** Says something and does not wait. */
    report(event) {
      queue.push(message(event));
      if (queue.length > longestQueue) queue.splice(0, queue.length - longestQueue);
      flush();
    },
    /** Asks; `null` when there was no answer in time. */
    ask(event, timeoutMs) {
      const request = message(event);
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.delete(request.id);
          resolve(null);
        }, timeoutMs);
        waiting.set(request.id, {
          request,
          resolve: (answer) => {
            clearTimeout(timer);
            resolve(answer);
          },
        });
        queue.push(request);
        flush();
      });
    },
  };
}

function frame(value) {
  const payload = Buffer.from(JSON.stringify(value), 'utf8');
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length + 1, 0);
  head.writeUInt8(0, 4);
  return Buffer.concat([head, payload]);
}
