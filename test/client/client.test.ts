import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { ApiError, connect, NotBackroom, type ShopOptions, Unreachable } from '../../client/index.ts';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { type FaultProxy, openFaultProxy, passAll } from '../helpers/fault-proxy.ts';

/** `backroom/client` against a real server behind a network that loses requests and answers, and against servers that fail as they like. */

const SOON = { firstMs: 1 };

let app: TestApp;
let proxy: FaultProxy;
before(async () => {
  app = await startApp('sqlite');
  proxy = await openFaultProxy(Number(new URL(app.url).port));
});
afterEach(() => proxy.decide(passAll));
after(async () => {
  await proxy.close();
  await app.close();
});

const shop = (options: Partial<ShopOptions> = {}) => connect({ url: proxy.url, token: OWNER_TOKEN, retries: SOON, ...options });

/** A server that answers as the test says; `asked` are the requests that it got. */
async function playing(t: { after(end: () => void): void }, ...answers: RequestListener[]) {
  const asked: { headers: NodeJS.Dict<string | string[]>; at: number }[] = [];
  const server = createServer((request, response) => {
    asked.push({ headers: request.headers, at: performance.now() });
    const answer = answers[Math.min(asked.length, answers.length) - 1];
    request.resume().on('end', () => answer?.(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  return { asked, url: `http://127.0.0.1:${port}` };
}

const problem =
  (status: number, code: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ type: 'about:blank', title: code, status, code, detail: code, errors: [] }));
const json =
  (value: unknown): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));

test('a write whose request or answer is lost is carried out once', async () => {
  const keys: string[] = [];
  proxy.decide(({ key }) => {
    keys.push(key);
    return keys.length === 1 ? 'cut_before' : keys.length < 4 ? 'cut_after' : 'pass';
  });
  const made = await shop().api.customers.create({ email: 'once@example.com', name: 'Once' });
  assert.equal(keys.length, 4);
  assert.match(keys[0] ?? '', /^"[0-9a-f]{32}"$/);
  assert.equal(new Set(keys).size, 1);
  const found = await app.client.customers.list({ search: 'once@example.com' });
  assert.deepEqual(
    found.data.map(({ id }) => id),
    [made.id],
  );
});

test('each yields the rows of all pages, once each, while they are changed', async () => {
  const { api } = shop();
  for (let n = 0; n < 130; n++) await app.client.customers.create({ email: `page-${n}@example.com`, name: `Page ${n}` });
  const seen: number[] = [];
  for await (const { id, name } of api.customers.each({ search: 'page-' })) {
    seen.push(id);
    if (seen.length % 40 === 0) await api.customers.update(id, { name: `${name} again` });
  }
  assert.deepEqual([seen.length, new Set(seen).size], [130, 130]);
});

test('each takes headers of one’s own, for all pages, and ends with a signal', async (t) => {
  const page = (id: number, next: string | null) => json({ data: [{ id }], next_cursor: next });
  const server = await playing(t, page(1, 'a'), page(2, 'b'), page(3, null));
  const stop = new AbortController();
  const { api } = connect({ url: server.url, token: 't', retries: SOON }).until(stop.signal);
  const rows = api.customers.each({ search: 'a' }, { headers: { 'X-Request-Id': 'import-7' } });
  assert.equal((await rows.next()).value?.id, 1);
  assert.equal((await rows.next()).value?.id, 2);
  assert.deepEqual(
    server.asked.map(({ headers }) => headers['x-request-id']),
    ['import-7', 'import-7'],
  );
  stop.abort(new Error('enough'));
  await assert.rejects(rows.next(), (error) => error === stop.signal.reason);
  assert.equal(server.asked.length, 2);
});

test('a refusal is thrown as it was told, and asked for once', async () => {
  let requests = 0;
  proxy.decide(() => {
    requests += 1;
    return 'pass';
  });
  await assert.rejects(shop().api.customers.create({ email: 'not one', name: '' }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.status, 422);
    assert.deepEqual(error.errors.map(({ pointer }) => pointer).sort(), ['/email', '/name']);
    return true;
  });
  assert.equal(requests, 1);
});

test('a busy server is asked again when it says, but not where that is too late', async (t) => {
  const busy = await playing(
    t,
    problem(503, 'busy', { 'retry-after': '1' }),
    problem(429, 'rate_limited', { 'retry-after': '0' }),
    json({ id: 7 }),
  );
  const me = await connect({ url: busy.url, token: 't', retries: SOON }).api.me.get();
  assert.equal(me.id, 7);
  const [first = 0, second = 0] = busy.asked.map(({ at }) => at);
  assert.ok(second - first >= 990, `${second - first} ms`);

  const full = await playing(t, problem(429, 'rate_limited', { 'retry-after': '3600' }));
  await assert.rejects(
    connect({ url: full.url, token: 't' }).api.me.get(),
    (error) => error instanceof ApiError && error.code === 'rate_limited',
  );
  assert.equal(full.asked.length, 1);
});

test('what passes is not waited for longer than was said', async (t) => {
  const down = await playing(t, (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>nginx</h1>'));
  const client = connect({ url: down.url, token: 't', retries: { times: 3, firstMs: 1 } });
  await assert.rejects(client.api.me.get(), (error) => error instanceof ApiError && error.status === 502);
  assert.equal(down.asked.length, 4);
  // What another system said is the server's own answer.
  const told = await playing(t, problem(502, 'provider_error'));
  await assert.rejects(connect({ url: told.url, token: 't' }).api.me.get(), (error) => error instanceof ApiError && error.status === 502);
  assert.equal(told.asked.length, 1);
  const gone = connect({ url: 'http://127.0.0.1:9', token: 't', retries: { times: 1, firstMs: 1 } });
  await assert.rejects(gone.api.me.get(), Unreachable);
});

test('a server that is none of Backroom is told apart', async (t) => {
  const other = await playing(t, (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>nginx</h1>'));
  await assert.rejects(connect({ url: other.url, token: 't' }).api.me.get(), NotBackroom);
  assert.equal(other.asked.length, 1);
});

const line = (id: string, data: unknown): string => `id: ${id}\nevent: event\ndata: ${JSON.stringify(data)}\n\n`;
const stream = (...lines: string[]) => ({ 'content-type': 'text/event-stream', lines });

test('a stream that breaks off goes on after its last message, and each comes once', async (t) => {
  const open =
    ({ lines, ...headers }: ReturnType<typeof stream>, ends: boolean): RequestListener =>
    (request, response) => {
      response.writeHead(200, headers);
      response.write(lines.join(''), () => (ends ? response.end() : request.socket.destroy()));
    };
  const server = await playing(
    t,
    open(stream(line('1', 'a'), line('2', 'b'), 'id: 3\ndata: "hal'), false),
    problem(503, 'busy', { 'retry-after': '0' }),
    open(stream(': alive\n\n', line('3', 'c')), true),
    open(stream(line('4', { d: 1 }).replaceAll('\n', '\r\n')), true),
    (_, response) => response.writeHead(204).end(),
  );
  const client = connect({ url: server.url, token: 't', retries: SOON });
  const got: unknown[] = [];
  for await (const { id, data } of client.follow('/changes', { after: '0' })) got.push([id, data]);
  assert.deepEqual(got, [
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'c'],
    ['4', { d: 1 }],
  ]);
  assert.deepEqual(
    server.asked.map(({ headers }) => headers['last-event-id']),
    ['0', '2', '2', '3', '4'],
  );
});

test('a message comes whole, whatever separators of lines its text has', async (t) => {
  const text = 'one\u2028two\u2029three\u0085four\r\nfive';
  const server = await playing(t, (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(line('end', text)));
  const got: unknown[] = [];
  for await (const { data } of connect({ url: server.url, token: 't', retries: SOON }).follow('/changes')) got.push(data);
  assert.deepEqual(got, [text]);
});

test('a stream that may not be read, or breaks off without a message each time, ends with what was wrong', async (t) => {
  const refusing = await playing(t, problem(403, 'forbidden'));
  const read = async (url: string) => {
    for await (const _ of connect({ url, token: 't', retries: { times: 2, firstMs: 1 } }).follow('/changes')) assert.fail();
  };
  await assert.rejects(read(refusing.url), (error) => error instanceof ApiError && error.status === 403);
  const cutting = await playing(t, (request) => request.socket.destroy());
  await assert.rejects(read(cutting.url), Unreachable);
  assert.equal(cutting.asked.length, 3);
});

test('what happens between the opening of a stream and its first cut is told, too', async (t) => {
  const opened: RequestListener = (_, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end('retry: 2000\nid: 7-1\n: ok\n\n');
  const server = await playing(t, opened, (_, response) => response.writeHead(204).end());
  for await (const _ of connect({ url: server.url, token: 't', retries: SOON }).follow('/changes')) assert.fail();
  assert.deepEqual(
    server.asked.map(({ headers }) => headers['last-event-id']),
    [undefined, '7-1'],
  );
});

test('a stream on which nothing is told for long is opened again and again', async (t) => {
  const quiet: RequestListener = (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': alive\n\n');
  const server = await playing(t, quiet, quiet, quiet, quiet, (_, response) => response.writeHead(204).end());
  let now = 0;
  // Each look at the clock is a minute after the one before: a gateway that cuts what is idle.
  t.mock.method(performance, 'now', () => (now += 60_000));
  for await (const _ of connect({ url: server.url, token: 't', retries: { times: 1, firstMs: 1 } }).follow('/changes')) assert.fail();
  assert.equal(server.asked.length, 5);
});

test('a signal ends a request, a wait and a stream at once', async (t) => {
  const silent = await playing(t, () => undefined);
  const slow = await playing(t, problem(503, 'busy', { 'retry-after': '50' }));
  for (const { url, asked } of [silent, slow]) {
    const stop = new AbortController();
    const waiting = connect({ url, token: 't' }).until(stop.signal).api.me.get();
    const refused = assert.rejects(waiting, (error) => error === stop.signal.reason);
    while (asked.length === 0) await new Promise(setImmediate);
    stop.abort(new Error('enough'));
    await refused;
  }
  const endless = await playing(t, (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write(line('1', 1)));
  const stop = new AbortController();
  const follow = connect({ url: endless.url, token: 't' }).follow('/changes', { signal: stop.signal });
  await follow.next();
  stop.abort(new Error('enough'));
  await assert.rejects(follow.next(), (error) => error === stop.signal.reason);
});

test('a key and headers of one’s own are sent as they are, in any spelling', async () => {
  const keys: string[] = [];
  proxy.decide(({ key }) => {
    keys.push(key);
    return 'pass';
  });
  const { api } = shop();
  const body = { email: 'own-key@example.com', name: 'Own' };
  const first = await api.customers.create(body, { headers: { 'Idempotency-Key': '"order-71"' } });
  const again = await api.customers.create(body, { headers: { 'idempotency-key': '"order-71"' } });
  assert.deepEqual([keys, again.id], [['"order-71"', '"order-71"'], first.id]);
});

test('a page of another program is no answer, and a token that cannot be had is told at once', async (t) => {
  const page: RequestListener = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>app</h1>');
  const other = await playing(t, page);
  await assert.rejects(connect({ url: other.url, token: 't' }).api.me.get(), NotBackroom);
  await assert.rejects(connect({ url: other.url, token: 't' }).follow('/changes').next(), NotBackroom);
  let asked = 0;
  const token = () => {
    asked += 1;
    throw new Error('no token');
  };
  await assert.rejects(connect({ url: other.url, token }).follow('/changes').next(), /no token/);
  assert.equal(asked, 1);
  assert.throws(() => connect({ url: 'shop.example', token: 't' }), /one such as https:\/\/shop\.example is expected/);
});

test('files are sent and read whole, over a lost answer', async () => {
  let cuts = 0;
  proxy.decide(({ method }) => (method === 'POST' && cuts++ === 0 ? 'cut_after' : 'pass'));
  const client = shop();
  const bytes = new Uint8Array(200_000).map((_, i) => i % 251);
  const { id } = Object(await client.upload('/files', new Blob([bytes]), 'bytes.bin'));
  assert.equal(cuts, 2);
  const answer = await client.download(`/files/${id}/content`);
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes);
  const small = await client.api.files.create({ file: { filename: 'note.txt', content: 'hello', content_type: 'text/plain' } });
  assert.equal(await (await client.download(`/files/${small.id}/content`)).text(), 'hello');
  let reads = 0;
  proxy.decide(() => (reads++ === 0 ? 'cut_before' : 'pass'));
  assert.equal((await client.download(`/files/${small.id}/content`)).status, 200);
  await assert.rejects(client.download('/files/999999/content'), (error) => error instanceof ApiError && error.status === 404);
});
