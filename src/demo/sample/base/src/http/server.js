import { once } from 'node:events';
import { createServer } from 'node:http';
import { paginate } from '../paginate.js';
import { sortEntries } from '../sort.js';
import { readPageQuery } from './page-query.js';

export async function startServer(store, port) {
  const server = createServer((request, response) => {
    try {
      const answer = route(new URL(request.url, 'http://localhost'), store);
      send(response, answer.status, answer.body);
    } catch (error) {
      send(response, 500, { error: String(error.stack) });
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function route(url, store) {
  if (url.pathname === '/api/health') return { status: 200, body: { ok: true } };
  if (url.pathname !== '/api/caches') return { status: 404, body: { error: `nothing at ${url.pathname}` } };
  const query = readPageQuery(url.searchParams);
  if (query.refused !== undefined) return query.refused;
  const page = paginate(sortEntries(store.entries, 'name'), query.page, query.perPage);
  const items = page.items.map(({ name, bytes, lastUsed }) => ({ name, bytes, lastUsed }));
  return { status: 200, body: { ...page, items } };
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
