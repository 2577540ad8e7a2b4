// Writes one answer as a stream of server-sent events, in each of the three formats.
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModelReply, ModelRequest } from './exchange.ts';

type Saying = Extract<ModelReply, { kind: 'say' }>;

/** Unique across restarts of the model: a resumed conversation holds the ids of the run before. */
const epoch = Date.now().toString(36);
let counter = 0;
const nextId = (prefix: string) => `${prefix}_${epoch}${(++counter).toString(36)}`;

interface Stream {
  send(event: string | null, data: object): void;
  raw(line: string): void;
  end(): void;
}

export async function answer(response: ServerResponse, request: ModelRequest, reply: Saying): Promise<void> {
  const stream = openStream(response);
  if (request.api === 'anthropic') await anthropic(stream, request, reply, response);
  else if (request.api === 'chat') await chat(stream, request, reply, response);
  else await responses(stream, request, reply, response);
}

function openStream(response: ServerResponse): Stream {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const raw = (line: string) => {
    if (!response.writableEnded && !response.destroyed) response.write(line);
  };
  return {
    raw,
    send: (event, data) => raw(`${event === null ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`),
    end: () => response.end(),
  };
}

/** True when the answer was to be cut and is. */
async function pieces(reply: Saying, response: ServerResponse, emit: (text: string) => void): Promise<boolean> {
  const parts = reply.text.match(/\S+\s*|\s+/g) ?? [];
  const pauseMs = reply.overMs === undefined ? 0 : reply.overMs / Math.max(1, parts.length);
  for (const [index, part] of parts.entries()) {
    if (response.destroyed) return true;
    if (reply.cut === true && index >= parts.length / 2) {
      response.destroy();
      return true;
    }
    emit(part);
    if (pauseMs > 0) await delay(pauseMs);
  }
  return false;
}

async function anthropic(stream: Stream, request: ModelRequest, reply: Saying, response: ServerResponse) {
  const usage = { input_tokens: 100 + counter, cache_creation_input_tokens: 0, cache_read_input_tokens: 50 };
  const message = {
    id: nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  stream.send('message_start', { type: 'message_start', message });
  let index = 0;
  if (reply.text !== '') {
    stream.send('content_block_start', {
      type: 'content_block_start',
      index,
      content_block: { type: 'text', text: '' },
    });
    const cut = await pieces(reply, response, (text) =>
      stream.send('content_block_delta', {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      }),
    );
    if (cut) return;
    stream.send('content_block_stop', { type: 'content_block_stop', index });
    index += 1;
  }
  if (reply.use !== undefined) {
    const block = { type: 'tool_use', id: nextId('toolu'), name: reply.use.tool, input: {} };
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(reply.use.input) };
    stream.send('content_block_start', { type: 'content_block_start', index, content_block: block });
    stream.send('content_block_delta', { type: 'content_block_delta', index, delta });
    stream.send('content_block_stop', { type: 'content_block_stop', index });
  }
  const stop = { stop_reason: reply.use === undefined ? 'end_turn' : 'tool_use', stop_sequence: null };
  stream.send('message_delta', { type: 'message_delta', delta: stop, usage: { output_tokens: 20 } });
  stream.send('message_stop', { type: 'message_stop' });
  stream.end();
}

async function chat(stream: Stream, request: ModelRequest, reply: Saying, response: ServerResponse) {
  const base = {
    id: nextId('chatcmpl'),
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1000),
    model: request.model,
  };
  const chunk = (delta: object, finish: string | null = null) =>
    stream.send(null, { ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  chunk({ role: 'assistant', content: '' });
  if (await pieces(reply, response, (content) => chunk({ content }))) return;
  if (reply.use !== undefined) {
    const call = { name: reply.use.tool, arguments: JSON.stringify(reply.use.input) };
    chunk({ tool_calls: [{ index: 0, id: nextId('call'), type: 'function', function: call }] });
  }
  chunk({}, reply.use === undefined ? 'stop' : 'tool_calls');
  const usage = { prompt_tokens: 100 + counter, completion_tokens: 20, total_tokens: 120 + counter };
  stream.send(null, { ...base, choices: [], usage });
  stream.raw('data: [DONE]\n\n');
  stream.end();
}

async function responses(stream: Stream, request: ModelRequest, reply: Saying, response: ServerResponse) {
  let sequence = 0;
  const send = (type: string, more: object) => stream.send(type, { type, sequence_number: sequence++, ...more });
  const base = {
    id: nextId('resp'),
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: request.model,
    status: 'in_progress',
    output: [],
    parallel_tool_calls: false,
    tools: [],
  };
  send('response.created', { response: base });
  const output: object[] = [];
  if (reply.text !== '') {
    const item = { id: nextId('msg'), type: 'message', role: 'assistant', status: 'in_progress', content: [] };
    const at = { item_id: item.id, output_index: 0, content_index: 0 };
    send('response.output_item.added', { output_index: 0, item });
    send('response.content_part.added', { ...at, part: { type: 'output_text', text: '', annotations: [] } });
    if (await pieces(reply, response, (delta) => send('response.output_text.delta', { ...at, delta }))) return;
    const part = { type: 'output_text', text: reply.text, annotations: [] };
    const done = { ...item, status: 'completed', content: [part] };
    send('response.output_text.done', { ...at, text: reply.text });
    send('response.content_part.done', { ...at, part });
    send('response.output_item.done', { output_index: 0, item: done });
    output.push(done);
  }
  if (reply.use !== undefined) output.push(sendCall(send, reply.use, output.length));
  const input = 100 + counter;
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 50 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + 20,
  };
  send('response.completed', { response: { ...base, status: 'completed', output, usage } });
  stream.end();
}

function sendCall(send: (type: string, more: object) => void, use: NonNullable<Saying['use']>, index: number): object {
  const custom = typeof use.input === 'string';
  const type = custom ? 'custom_tool_call' : 'function_call';
  const key = custom ? 'input' : 'arguments';
  const value = custom ? use.input : JSON.stringify(use.input);
  const item = {
    id: nextId(custom ? 'ctc' : 'fc'),
    type,
    call_id: nextId('call'),
    name: use.tool,
    status: 'completed',
  };
  const event = custom ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  send('response.output_item.added', { output_index: index, item: { ...item, [key]: '', status: 'in_progress' } });
  send(`${event}.delta`, { item_id: item.id, output_index: index, delta: value });
  send(`${event}.done`, { item_id: item.id, output_index: index, [key]: value });
  send('response.output_item.done', { output_index: index, item: { ...item, [key]: value } });
  return { ...item, [key]: value };
}
