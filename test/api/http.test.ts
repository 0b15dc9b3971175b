import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { errorCodes, Problem } from '../../contract/errors.ts';
import { endpointList } from '../../contract/index.ts';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { makeCustomer } from '../helpers/builders.ts';
import { rawHttp } from '../helpers/raw-http.ts';
import { refused } from '../helpers/refused.ts';
import { claimedRun, codeOf, field, makeTask, openRun } from '../helpers/runs.ts';

onBothStores('requests and answers', (app) => {
  const get = (path: string, headers: Record<string, string> = {}) => app().request({ path: `/admin/api${path}`, headers });
  const post = (path: string, raw: string | Buffer, headers: Record<string, string> = {}) =>
    app().request({ method: 'POST', path: `/admin/api${path}`, raw, headers });
  const BASIC = `Host: x\r\nAuthorization: Bearer ${OWNER_TOKEN}\r\n`;

  test('G27: a well-formed X-Request-Id is used, any other is replaced', async () => {
    assert.equal((await get('/customers', { 'x-request-id': 'abc-1.2_3' })).headers['x-request-id'], 'abc-1.2_3');
    for (const bad of ['a b', '', 'x'.repeat(129), 'ü']) {
      const answer = await get('/nothing', { 'x-request-id': bad });
      assert.match(answer.headers['x-request-id'] ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      assert.equal(field(answer.body, 'request_id'), answer.headers['x-request-id']);
    }
  });

  test('G24, G28: every answer names its content type and API version and is not cached', async () => {
    for (const path of ['/customers', '/nothing']) {
      const { headers } = await get(path);
      assert.equal(headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cache-control'], 'no-store');
      assert.match(headers['api-version'] ?? '', /^\d{4}-\d\d-\d\d$/);
      assert.equal(headers['access-control-allow-origin'], undefined, 'CORS is off');
    }
  });

  test('ER1, C1: errors have one shape; application/problem+json only for a client that names it', async () => {
    const plain = await get('/customers/999999');
    assert.equal(plain.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(plain.headers['vary'], 'Accept');
    const problem = Problem.strict().parse(plain.body);
    assert.deepEqual(
      [problem.type, problem.title, problem.status, problem.code, problem.instance],
      ['/problems/not_found', 'The record does not exist', 404, 'not_found', '/admin/api/customers/999999'],
    );
    const asked = await get('/customers/999999', { accept: 'application/problem+json' });
    assert.equal(asked.headers['content-type'], 'application/problem+json; charset=utf-8');
    assert.equal((await get('/customers/999999', { accept: '*/*' })).headers['content-type'], 'application/json; charset=utf-8');
  });

  test('ER1, ER2: one wrong value gives the answer its code, several give validation_failed, each with its place', async () => {
    const one = await get('/customers?per_page=101');
    assert.deepEqual(codeOf(one), [422, 'out_of_range']);
    const two = await get('/customers?per_page=0&sort=x');
    assert.deepEqual(codeOf(two), [422, 'validation_failed']);
    const { errors = [] } = Problem.parse(two.body);
    assert.deepEqual(
      errors.map(({ pointer, parameter, code }) => [pointer, parameter, code]),
      [
        [null, 'per_page', 'out_of_range'],
        [null, 'sort', 'invalid_enum'],
      ],
    );
    const body = await post('/ai-tasks', '{"name":"","description":1,"source_code":"x","permissions":["nope"],"parameters":[]}');
    assert.deepEqual(
      Problem.parse(body.body).errors?.map(({ pointer, parameter, code }) => [pointer, parameter, code]),
      [
        ['/name', null, 'blank'],
        ['/description', null, 'invalid_type'],
        ['/permissions/0', null, 'unknown_permission'],
      ],
    );
  });

  test('ER1: /problems describes every error code without a token', async () => {
    for (const [code, [status, title]] of Object.entries(errorCodes)) {
      const page = await app().request({ path: `/problems/${code}`, token: null });
      assert.equal(page.status, 200);
      assert.deepEqual(page.body, { type: `/problems/${code}`, title, status, code });
    }
    assert.equal((await app().request({ path: '/problems/toString', token: null })).status, 404);
  });

  test('G1: paths are exact: a trailing slash or another case is 404', async () => {
    for (const path of ['/customers/', '/Customers', '//customers', '/customers/1/', '/customers/%31/notes/']) {
      assert.deepEqual(codeOf(await get(path)), [404, 'route_not_found'], path);
    }
  });

  test('G2, R3: an id is a positive safe integer in digits; anything else is 404', async () => {
    for (const id of ['0', '-1', '+1', '1.0', '1e3', 'abc', '%20', '9007199254740993', '99999999999999999999999', '1%00', '١']) {
      assert.equal((await get(`/customers/${encodeURI(decodeURIComponent(id))}`)).status, 404, id);
    }
    assert.equal((await get('/orders/preview')).status, 405);
    assert.equal((await get('/orders/abc')).status, 404);
  });

  test('G3: a wrong method is 405 with Allow; HEAD answers like GET without the body', async () => {
    const wrong = await app().request({ method: 'DELETE', path: '/admin/api/logs' });
    assert.deepEqual(codeOf(wrong), [405, 'method_not_allowed']);
    assert.equal(wrong.headers['allow'], 'GET, HEAD, OPTIONS');
    const { id } = await makeCustomer(app());
    const full = await get(`/customers/${id}`);
    const head = await app().request({ method: 'HEAD', path: `/admin/api/customers/${id}` });
    assert.deepEqual(
      [head.status, head.text, head.headers['etag'], head.headers['content-length']],
      [200, '', full.headers['etag'], full.headers['content-length']],
    );
    assert.equal((await app().request({ method: 'HEAD', path: '/admin/api/customers/999999' })).status, 404);
  });

  test("G3: HEAD of a run's stream is 405 at once", async () => {
    const run = await claimedRun(app());
    const answer = await app().request({ method: 'HEAD', path: `${run.path}/stream` });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers['allow'], 'GET, OPTIONS');
  });

  test('R2: invalid percent-encoding in a path or query is 400 malformed_path', async () => {
    for (const path of ['/customers/%ZZ', '/customers/%', '/customers/%FF', '/customers?search=%ZZ', '/customers?search=%C3%28']) {
      assert.deepEqual(codeOf(await get(path)), [400, 'malformed_path'], path);
    }
    assert.equal((await get('/customers?search=%C3%A9&_x=1+2')).status, 200);
  });

  test('R2: an invalid request target is 400 or 404', async () => {
    assert.deepEqual((await rawHttp(app().url, `GET http://any.example/admin/api/customers HTTP/1.1\r\n${BASIC}\r\n`)).statuses, [200]);
    for (const target of ['http://[', 'http://x:99999', '*', '//', '\\', '/admin/api']) {
      const { statuses, text } = await rawHttp(app().url, `GET ${target} HTTP/1.1\r\n${BASIC}\r\n`);
      assert.equal(statuses.length, 1, target);
      assert.ok(statuses[0] === 400 || statuses[0] === 404, `${target}: ${text.slice(0, 40)}`);
      assert.match(text, /"code":|^HTTP\/1\.1 400 Bad Request\r\nConnection: close/);
    }
  });

  test('R2: a body that cannot be parsed is 400, before any other check', async () => {
    const cases: [string | Buffer, string][] = [
      ['{', 'malformed_json'],
      ['{"a":1,}', 'malformed_json'],
      ['{"name":"\u0001"}', 'malformed_json'],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'malformed_json'],
      [Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]), 'malformed_json'],
      ['{"a":'.repeat(100_000), 'malformed_json'],
      ['[]', 'body_not_object'],
      ['null', 'body_not_object'],
      ['"x"', 'body_not_object'],
      ['7', 'body_not_object'],
    ];
    for (const [raw, code] of cases) assert.deepEqual(codeOf(await post('/ai-tasks', raw)), [400, code], String(raw).slice(0, 20));
    assert.equal((await post('/customers/999999/notes', '{')).status, 400, '400 before 404');
  });

  test('G4: a body in UTF-8 of application/json or +json is read, a body of another type is 415', async () => {
    const { id } = await makeCustomer(app());
    const send = (type: string, raw = '{"body":"x"}') => post(`/customers/${id}/notes`, raw, { 'content-type': type });
    for (const type of [
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/merge-patch+json',
    ]) {
      assert.equal((await send(type)).status, 201, type);
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/json; charset=latin1',
      'json',
    ]) {
      assert.deepEqual(codeOf(await send(type)), [415, 'unsupported_media_type'], type);
    }
    assert.deepEqual(codeOf(await send('text/plain', '{')), [415, 'unsupported_media_type'], '415 before 400');
    assert.equal((await post(`/customers/${id}/notes`, '{"body":"x"}', { 'content-encoding': 'gzip' })).status, 415);
    assert.deepEqual(codeOf(await send('text/plain', '')), [422, 'required'], 'an empty body is {} whatever its Content-Type');
  });

  test('G5: a body over the limit is 413, with and without Content-Length', async () => {
    const { id } = await makeCustomer(app());
    const large = JSON.stringify({ body: 'x'.repeat(1024 * 1024) });
    assert.deepEqual(codeOf(await post(`/customers/${id}/notes`, large)), [413, 'body_too_large']);
    const chunk = 'x'.repeat(0x8000);
    const chunked = `POST /admin/api/customers/${id}/notes HTTP/1.1\r\n${BASIC}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${`8000\r\n${chunk}\r\n`.repeat(40)}0\r\n\r\n`;
    assert.deepEqual((await rawHttp(app().url, chunked)).statuses, [413]);
    const exact = JSON.stringify({ body: 'x' }).padEnd(1024 * 1024, ' ');
    assert.equal((await post(`/customers/${id}/notes`, exact)).status, 201, 'exactly 1 MiB');
  });

  test('G6: of a repeated key the last one counts', async () => {
    const { id } = await makeCustomer(app());
    const answer = await post(`/customers/${id}/notes`, '{"body":"first","id":1,"body":"last"}');
    assert.deepEqual([answer.status, field(answer.body, 'body')], [201, 'last']);
  });

  test('G7: values are not coerced, but 5.0 is 5; integers must be safe', async () => {
    const { id } = await makeCustomer(app());
    const adjust = (delta: string) => post(`/customers/${id}/credits/adjust`, `{"delta":${delta}}`);
    for (const delta of ['"5"', 'true', '1.5', '[5]', '{}']) assert.deepEqual(codeOf(await adjust(delta)), [422, 'invalid_type'], delta);
    for (const delta of ['1e400', '9007199254740993']) assert.equal((await adjust(delta)).status, 422, delta);
    assert.deepEqual(codeOf(await adjust('null')), [422, 'invalid_type']);
    assert.equal(field((await adjust('5.0')).body, 'credits'), 5);
    assert.equal(field((await adjust('1e1')).body, 'credits'), 15);
  });

  test('G8: query values are read strictly: an empty one is absent, a repeated one 422', async () => {
    for (const query of [
      'page=1.0',
      'page=0x1',
      'page=%201',
      'page=1e1',
      'page=9999999999999999',
      'registered=1',
      'registered=TRUE',
      'page=-1',
      'page=0',
    ]) {
      assert.equal((await get(`/customers?${query}`)).status, 422, query);
    }
    for (const query of ['page=', 'sort=&per_page=', '_nonsense=1&_nonsense=2', 'registered=true', 'page=007'])
      assert.equal((await get(`/customers?${query}`)).status, 200, query);
    assert.deepEqual(codeOf(await get('/customers?page=1&page=1')), [422, 'duplicate']);
    for (const value of ['1', '0', 'true', 'false']) assert.equal((await get(`/ai-tasks?include_deleted=${value}`)).status, 200);
    assert.equal((await get('/ai-tasks?include_deleted=2')).status, 422);
  });

  test('R5: list limits of tasks are clamped, those of customers are refused', async () => {
    for (const query of ['limit=0', 'limit=-5', 'limit=999', 'offset=-1'])
      assert.equal((await get(`/ai-tasks?${query}`)).status, 200, query);
    assert.equal((await get('/ai-tasks?limit=x')).status, 422);
    for (const query of ['per_page=0', 'per_page=101', 'page=0']) assert.equal((await get(`/customers?${query}`)).status, 422, query);
  });

  test('G9: timestamps are UTC with milliseconds', async () => {
    const { id } = await makeCustomer(app());
    assert.match(
      String(field((await post(`/customers/${id}/notes`, '{"body":"x"}')).body, 'created_at')),
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    );
  });

  test('Health: /healthz, /readyz, /metrics and /openapi.json need no token and take GET alone', async () => {
    const open = async (path: string, method = 'GET') => app().request({ path, method, token: null });
    assert.deepEqual((await open('/healthz')).body, { status: 'ok' });
    assert.deepEqual(field(field((await open('/readyz')).body, 'checks'), 'database'), 'writable');
    await app().store.write(async () => assert.equal((await open('/readyz')).status, 200, 'readiness does not wait for the writer'));
    const { headers } = await open('/admin/api/orders');
    assert.match(
      String(headers['ratelimit']),
      /^"unauthorized";r=\d+;t=\d+$/,
      'a refused token counts towards the limit, which the answer shows',
    );
    assert.match((await open('/metrics')).text, /^# HELP /m);
    assert.equal((await open('/healthz', 'HEAD')).status, 200);
    const wrong = await open('/healthz', 'POST');
    assert.deepEqual([...codeOf(wrong), wrong.headers['allow']], [405, 'method_not_allowed', 'GET, HEAD']);
    assert.equal((await open('/nothing')).status, 404);
  });

  test('/docs and /api lead to the documentation', async () => {
    for (const [path, to] of [
      ['/docs', '/docs/'],
      ['/api', '/docs/api/'],
    ] as const) {
      const { status, headers } = await app().request({ path, token: null });
      assert.deepEqual([status, headers['location']], [308, to]);
      assert.equal((await app().request({ path, method: 'POST', token: null })).status, 405);
    }
    // Whoever asks for something else than a page gets the answer of the API.
    assert.deepEqual(codeOf(await app().request({ path: '/docs/no-such-page', token: null })), [404, 'route_not_found']);
  });

  test('/metrics counts opened runs and not refused ones', async () => {
    const opened = async () => {
      const { text } = await app().request({ path: '/metrics', token: null });
      return Number(/^backroom_runs_opened_total (\d+)$/m.exec(text)?.[1]);
    };
    const taskId = await makeTask(app());
    const before = await opened();
    const run = await openRun(app(), { executor: 'external' }, taskId);
    await app().client.ai_tasks.append_run_events(taskId, run.runId, { events: [{ kind: 'finalize', status: 'interrupted' }] });
    await app().client.ai_tasks.start_run(taskId, { resume_run_id: run.runId });
    await refused(app().client.ai_tasks.start_run(taskId, { resume_run_id: run.runId }), 409, 'already_resumed');
    assert.equal((await opened()) - before, 2);
  });

  /** What the document lists beside the endpoints: the address of hooks, which has tests of its own. */
  const OUTSIDE = ['/hooks/{hook_id}/{secret}'];

  test('OpenAPI: the document lists exactly the endpoints, and each one is routed', async () => {
    const document = (await app().request({ path: '/openapi.json', token: null })).body;
    const paths = Paths.parse(field(document, 'paths'));
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), template: path, ...operation })),
    );
    assert.equal(listed.length, endpointList.length + OUTSIDE.length);
    for (const { method, template, parameters } of listed) {
      if (OUTSIDE.includes(template)) continue;
      const isWord = (name: string) => parameters.some((one) => one.name === name && one.schema?.type === 'string');
      const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => (isWord(name) ? 'order_placed' : '999999'));
      // These two wait: for a run, and for changes. Their own tests show that they are routed.
      if (['/admin/api/runner/claims', '/admin/api/changes'].includes(template)) continue;
      const answer = await app().request({ method, path, ...(method === 'GET' ? {} : { body: {} }) });
      assert.ok(
        !['route_not_found', 'method_not_allowed'].includes(String(codeOf(answer)[1])) && answer.status !== 500,
        `${method} ${path}: ${answer.status}`,
      );
    }
  });
});

const Parameter = z.object({ name: z.string().optional(), schema: z.object({ type: z.unknown().optional() }).optional() });
const Paths = z.record(z.string(), z.record(z.string(), z.object({ parameters: z.array(Parameter).default([]) })));
