import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { OWNER_TOKEN, startApp, type TestApp } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { openInProcessRunner } from '../helpers/in-process-runner.ts';
import { rawHttp } from '../helpers/raw-http.ts';
import { makeTask, openRun } from '../helpers/runs.ts';
import { watchAnswers } from '../helpers/seen-answers.ts';

/** A wrong answer of the tests' server fails the tests, whoever sent the request. */

const GOOD = '{"credits":1,"buckets":[],"value_cents":0}';
const FALSE = GOOD.replace('1', '"ten"');

describe('a server that was changed to answer wrongly', () => {
  let app: TestApp;
  before(async () => {
    app = await startApp('sqlite');
    // A repeated request gets the stored answer, which the server does not parse by its schema again.
    for (const change of [
      `CREATE TRIGGER false_answers AFTER INSERT ON idempotency
        BEGIN UPDATE idempotency SET body = '${FALSE}' WHERE scope = NEW.scope; END`,
      `CREATE TRIGGER false_calls AFTER INSERT ON journal BEGIN UPDATE journal SET answer = '[{"id":"one"}]' WHERE key = NEW.key; END`,
    ])
      await app.store.write((db) => sql.raw(change).execute(db));
  });

  // The last test closes the server. If an earlier test has failed, a further error here does not matter.
  after(() => app.close().catch(() => undefined));

  const headers = { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json', 'idempotency-key': 'again' };
  const pathOf = (id: number) => `/admin/api/customers/${id}/credits/adjust`;
  const adjust = async (id: number) => {
    const answer = await fetch(app.url + pathOf(id), { method: 'POST', headers, body: '{"delta":10}' });
    return answer.text();
  };

  test('is reported once for its wrong answer to another client', async () => {
    const { id } = await makeCustomer(app);
    await adjust(id);
    app.checkSeen();
    assert.equal(await adjust(id), FALSE);
    assert.throws(
      () => app.checkSeen(),
      ({ message }) => {
        assert.match(message, /customers\.adjust_credits 200: \/credits must be integer/);
        assert.ok(message.includes(`POST ${pathOf(id)}: 200 ${FALSE}`), message);
        return true;
      },
    );
    app.checkSeen();
  });

  test("is reported for its wrong answer to a script's call", async () => {
    const { id } = await makeCustomer(app);
    const source_code = `await admin_api.get('/customers/${id}/notes');`;
    const run = await openRun(app, {}, await makeTask(app, { source_code }, { on_interrupt: 'resume' }));
    const runner = openInProcessRunner(app);
    let killed = false;
    try {
      await runner.finish(run.taskId, run.runId, ({ type }) => {
        const kills = type === 'answer' && !killed;
        killed ||= kills;
        return kills;
      });
    } finally {
      await runner.close();
    }
    assert.throws(() => app.checkSeen(), /GET \/admin\/api\/customers\/\d+\/notes: 200 \[\{"id":"one"\}\]/);
  });

  test('makes the request of the test itself fail, and the closing of the server', async () => {
    const { id } = await makeCustomer(app);
    await adjust(id);
    const again = app.request({ method: 'POST', path: pathOf(id), headers, body: { delta: 10 } });
    await assert.rejects(again, /\/credits must be integer/);
    await assert.rejects(app.close(), /False answers: 1/);
    await assert.rejects(fetch(app.url), 'the server must be closed nevertheless');
  });
});

describe('any server', () => {
  const seen = watchAnswers();
  let answer: (response: ServerResponse) => unknown;
  const own: RequestListener = (_, response) => {
    response.setHeader('X-Request-Id', 'an-id');
    response.setHeader('API-Version', '2026-01-01');
    answer(response);
  };
  const server = createServer().on('request', seen.watch).on('request', own);
  let url = '';
  before(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}`;
  });
  after(() => server.close());

  async function faultOf(path: string, how: (response: ServerResponse) => unknown, method = 'GET'): Promise<string> {
    answer = how;
    const sent = await fetch(`${url}/admin/api${path}`, { method }).catch(() => null);
    await sent?.text().catch(() => null);
    try {
      seen.check();
      return '';
    } catch (error) {
      return String(error);
    }
  }
  const json = { 'Content-Type': 'application/json' };

  test('is checked when it sends a body in pieces that cut characters', async () => {
    const inPieces = (bytes: Buffer) => (response: ServerResponse) => {
      response.writeHead(200, json);
      for (const byte of bytes) response.write(Buffer.of(byte));
      response.end();
    };
    assert.equal(await faultOf('/customers/1/credits', inPieces(Buffer.from(GOOD))), '');
    const fault = await faultOf('/customers/1/credits', inPieces(Buffer.from(GOOD.replace('{', '{"é":1,'))));
    assert.match(fault, /additional properties\n.*\{"é":1,"credits"/);
  });

  test('is checked for status and content type, also of streams and files', async () => {
    const ends = (status: number, headers: Record<string, string>, body = '') => [
      (response: ServerResponse) => response.writeHead(status, headers).end(body),
    ];
    for (const [path, [how], expected] of [
      ['/customers/1/credits', ends(202, json, GOOD), /no such answer/],
      ['/customers/1/credits', ends(200, json, GOOD.slice(1)), /SyntaxError/],
      ['/customers/1/credits', ends(200, { 'Content-Type': 'text/html' }, '<p>'), /its type is text\/html/],
      ['/nothing', ends(200, json, '{}'), /no such answer/],
      ['/ai-tasks/1/runs/1/stream', ends(200, json, '{}'), /its type is application\/json/],
      [
        '/files/1/content',
        ends(200, { 'Content-Type': 'text/csv', 'Content-Disposition': 'inline' }, 'a'),
        /content-disposition is inline/,
      ],
      ['/files/1/content', ends(200, { ...json, 'Content-Disposition': 'attachment' }, 'no json'), /^$/],
    ] as const) {
      assert.ok(how);
      assert.match(await faultOf(path, how), expected, path);
    }
  });

  test('is not reported for a body that no client receives', async () => {
    const cut = (response: ServerResponse) => {
      response.writeHead(200, json);
      response.write('{"cred', () => response.destroy());
    };
    assert.equal(await faultOf('/customers/1/credits', cut), '');
    // Koa ends an answer in this way when the client no longer waits for it.
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    answer = (response) => {
      response.once('close', () => end(void response.writeHead(200, json).end()));
      leaving.abort();
    };
    const leaving = new AbortController();
    await assert.rejects(fetch(`${url}/admin/api/customers/1/credits`, { signal: leaving.signal }));
    await ended;
    seen.check();
    assert.equal(await faultOf('/customers/1/credits', (response) => response.writeHead(200, json).end(), 'HEAD'), '');
    assert.equal(await faultOf('/customers/1', (response) => response.writeHead(304, { ETag: '"customer-1-1"' }).end()), '');
    assert.match(await faultOf('/customers/1', (response) => response.writeHead(304, { ETag: 'customer-1-1' }).end()), /etag/);
    const { statuses } = await rawHttp(url, 'NOT HTTP\r\n\r\n');
    assert.deepEqual(statuses, [400]);
    seen.check();
  });
});
