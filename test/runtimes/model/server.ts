// A model on loopback whose answers are decided by a plan: Anthropic Messages, OpenAI chat completions and Responses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from './answer.ts';
import type { ModelPlan, ModelRequest } from './exchange.ts';
import { readAnthropic, readChat, readResponses } from './read-request.ts';

export interface ScriptedModel extends AsyncDisposable {
  /** Without a path: `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Every request that had tools, in order. */
  readonly requests: readonly ModelRequest[];
  /** Paths that nothing is scripted for. */
  readonly unknown: readonly string[];
  setPlan(plan: ModelPlan): void;
}

const readers = [
  { path: /\/messages$/, read: readAnthropic },
  { path: /\/chat\/completions$/, read: readChat },
  { path: /\/responses$/, read: readResponses },
] as const;

export async function startModel(first: ModelPlan): Promise<ScriptedModel> {
  let plan = first;
  const requests: ModelRequest[] = [];
  const unknown: string[] = [];
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) json(response, 500, { error: { message: String(error) } });
      else response.destroy();
    });
  });

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(incoming.url ?? '/', 'http://model').pathname;
    const body = await readBody(incoming);
    if (path.endsWith('/count_tokens')) return json(response, 200, { input_tokens: 1234 });
    if (path.endsWith('/models'))
      return json(response, 200, { object: 'list', data: [{ id: 'scripted-1', object: 'model' }], models: [] });
    const reader = readers.find((each) => each.path.test(path));
    if (reader === undefined) {
      unknown.push(`${incoming.method} ${path}`);
      return json(response, 404, { error: { message: `not scripted: ${path}` } });
    }
    const request = reader.read(body);
    if (request.tools.length === 0) return answer(response, request, { kind: 'say', text: 'Scripted session' });
    requests.push(request);
    const reply = await plan(request);
    if (reply.kind === 'say') return answer(response, request, reply);
    const error = { type: reply.status === 429 ? 'rate_limit_error' : 'overloaded_error', message: 'scripted failure' };
    return json(response, reply.status, { type: 'error', error });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    unknown,
    setPlan: (next) => {
      plan = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
  response.end(JSON.stringify(value));
}
