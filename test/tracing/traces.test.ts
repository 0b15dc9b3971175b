import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import {
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVER_PORT,
  ATTR_URL_PATH,
} from '@opentelemetry/semantic-conventions';
import pino from 'pino';
import { z } from 'zod';
import { readConfig } from '../../runner/config.ts';
import { openTracing, type Tracing } from '../../tracing/tracing.ts';
import { OWNER_TOKEN, onBothStores, RUNNER_TOKEN } from '../helpers/app.ts';
import { type CollectedSpan, type Collector, startCollector } from '../helpers/collector.ts';
import { type InProcessRunner, openInProcessRunner } from '../helpers/in-process-runner.ts';
import { until } from '../helpers/machines.ts';
import { type OtherSystem, openOtherSystem } from '../helpers/other-system.ts';
import { person } from '../helpers/people.ts';
import { field, makeTask } from '../helpers/runs.ts';
import { type Smtp, startSmtp } from '../helpers/smtp.ts';

const TRACE = 'a0123456789abcdef0123456789abcde';
const CLIENT_SPAN = 'b0123456789abcde';
const TRACEPARENT = `00-${TRACE}-${CLIENT_SPAN}-01`;
const SCRIPT = `import { admin, checkpoint, http, parameters, secret } from 'backroom';
export default async function () {
  await admin.orders.list({ search: 'searched-for-9341' });
  await checkpoint({ done: 1 });
  const { body } = await http.request({
    url: parameters.there + '/v1/ask?token=query-secret-77',
    headers: { authorization: \`Bearer \${secret('shop_key')}\` },
  });
  try {
    await admin.orders.get(999999);
  } catch {}
  return { body, globals: Object.keys(globalThis).filter((name) => /trace|span/i.test(name)) };
}`;

let lines: string[] = [];
let collector: Collector;
const environment = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '20' });

before(async () => {
  collector = await startCollector();
});
after(() => collector.close());

onBothStores(
  'traces',
  (app) => {
    let tracing: Tracing | null;
    let runner: InProcessRunner;
    let there: OtherSystem;
    let smtp: Smtp;

    before(async () => {
      lines = [];
      there = await openOtherSystem();
      smtp = await startSmtp();
      const config = readConfig({ RUNNER_TOKEN, ...environment(), OTEL_SERVICE_NAME: 'the-runner' });
      assert.ok(!('problem' in config));
      tracing = await openTracing(config.tracing, { part: 'runner', version: '1', log: pino({ level: 'silent' }) });
      runner = openInProcessRunner(app(), { tracing });
    });
    beforeEach(() => {
      collector.spans.length = 0;
      collector.texts.length = 0;
    });
    after(async () => {
      await runner.close();
      await tracing?.close();
      await there.close();
      await smtp.close();
    });

    const named = (name: string) => (span: CollectedSpan) => span.name === name;

    test('a request that opens a run, the run, its calls, their requests and what these ask of others are one trace', async () => {
      there.decide(({ headers }) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(headers) }));
      await app().client.task_secrets.create({ name: 'shop_key', value: 'secret-value-5521', hosts: [`127.0.0.1:${there.port}`] });
      const taskId = await makeTask(app(), {
        source_code: SCRIPT,
        permissions: ['admin_api.orders.read', 'http_request'],
        http_allow: [`GET ${there.origin}/v1/*`],
        secrets: ['shop_key'],
        parameters: [{ name: 'there', kind: 'text' }],
      });
      const path = `/admin/api/ai-tasks/${taskId}/runs`;
      const headers = { traceparent: TRACEPARENT, 'x-request-id': 'opens-the-run' };
      const opened = await app().request({ method: 'POST', path, body: { parameters: { there: there.origin } }, headers });
      assert.equal(opened.status, 201, opened.text);
      const runId = Number(field(opened.body, 'run_id'));
      const ended = await runner.finish(taskId, runId);
      assert.deepEqual([ended.status, ended.error_message], ['success', null]);

      const run = await collector.span((span) => span.name === 'run' && span.attributes['backroom.run.id'] === runId);
      const opening = await collector.span(named('POST /admin/api/ai-tasks/{id}/runs'));
      assert.deepEqual(
        [opening.traceId, opening.parentSpanId, opening.kind, opening.service],
        [TRACE, CLIENT_SPAN, 'server', 'backroom-server'],
      );
      assert.deepEqual([run.traceId, run.parentSpanId, run.kind, run.service], [TRACE, opening.spanId, 'consumer', 'the-runner']);
      const { attributes: ofRun } = run;
      assert.deepEqual(
        ['backroom.task.id', 'backroom.task.version', 'backroom.run.attempt', 'backroom.run.status', 'backroom.run.end_reason'].map(
          (name) => ofRun[name],
        ),
        [taskId, 1, 1, 'success', 'completed'],
      );
      const { attributes: ofOpening } = opening;
      assert.deepEqual(
        [
          ATTR_HTTP_REQUEST_METHOD,
          ATTR_HTTP_ROUTE,
          ATTR_URL_PATH,
          ATTR_HTTP_RESPONSE_STATUS_CODE,
          'backroom.request_id',
          'backroom.actor.type',
        ].map((name) => ofOpening[name]),
        ['POST', '/admin/api/ai-tasks/{id}/runs', path, 201, 'opens-the-run', 'admin'],
      );

      const requestOf = (name: string) =>
        collector.span((span) => span.name === name && span.traceId === TRACE && span.spanId !== opening.spanId);
      for (const [request, call] of [
        ['GET /admin/api/orders', 'call admin_api'],
        ['POST /admin/api/http/fetch', 'call admin_api'],
        ['GET /admin/api/orders/{id}', 'call admin_api'],
      ] as const) {
        const served = await requestOf(request);
        const called = await collector.span(({ spanId }) => spanId === served.parentSpanId);
        assert.deepEqual(
          [called.name, called.parentSpanId, called.kind, called.service],
          [call, run.spanId, 'client', 'the-runner'],
          request,
        );
        assert.equal(served.attributes['backroom.actor.type'], 'run');
        assert.equal(called.isFailed, request.endsWith('{id}'));
      }
      const checkpointed = await collector.span(named('call checkpoint'));
      assert.equal(checkpointed.parentSpanId, run.spanId);
      const reports = await requestOf('PATCH /admin/api/ai-tasks/{id}/runs/{run_id}');
      assert.deepEqual([reports.parentSpanId, reports.attributes['backroom.actor.type']], [run.spanId, 'runner']);
      const sending = await requestOf('POST /admin/api/http/fetch');
      const asked = await collector.span((span) => span.name === 'GET' && span.kind === 'client');
      assert.deepEqual([asked.traceId, asked.parentSpanId, asked.attributes[ATTR_SERVER_PORT]], [TRACE, sending.spanId, there.port]);
      assert.deepEqual([asked.attributes[ATTR_HTTP_RESPONSE_STATUS_CODE], asked.isFailed], [200, false]);

      const sent = collector.texts.join('\n');
      for (const secret of [OWNER_TOKEN, RUNNER_TOKEN, 'query-secret-77', 'secret-value-5521', 'searched-for-9341', 'Bearer']) {
        assert.ok(!sent.includes(secret), `a span holds ${secret}`);
      }
      assert.doesNotMatch(sent, /\brun_[\w-]{30,}/, 'a span holds a token of a run');
      const [echo] = there.got;
      assert.ok(echo && echo.headers['x-request-id'] !== undefined);
      assert.equal(
        echo.headers.traceparent,
        undefined,
        'another system is not told of the trace, and the script cannot read it from there',
      );
      const events = await app().client.ai_tasks.list_run_lines(taskId, runId, {});
      const seen = JSON.stringify([ended, events, opened.body]);
      assert.ok(seen.includes('x-request-id'), 'the script did see the headers');
      assert.ok(!seen.includes(TRACE) && !seen.includes('traceparent'), 'nothing of the trace reaches the script');
      assert.deepEqual(field(ended.result, 'globals'), []);
    });

    test('without a traceparent, or with one that is not valid, a request begins a trace; one that is not sampled is not sent', async () => {
      const zeros = '0'.repeat(32);
      for (const traceparent of [
        undefined,
        'nonsense',
        `00-${zeros}-${CLIENT_SPAN}-01`,
        `ff-${TRACE}-${CLIENT_SPAN}-01`,
        `${TRACEPARENT}-more`,
      ]) {
        const headers = { 'x-request-id': `begins-${collector.spans.length}-x`, ...(traceparent === undefined ? {} : { traceparent }) };
        await app().request({ path: '/admin/api/inquiries', headers });
        const span = await collector.span(({ attributes }) => attributes['backroom.request_id'] === headers['x-request-id']);
        assert.equal(span.parentSpanId, undefined);
        assert.notEqual(span.traceId, TRACE);
      }
      const later = { traceparent: `01-${TRACE}-${CLIENT_SPAN}-01-more`, 'x-request-id': 'of-a-later-version' };
      await app().request({
        path: '/admin/api/inquiries',
        headers: { traceparent: `00-${TRACE}-${CLIENT_SPAN}-00`, 'x-request-id': 'unsampled' },
      });
      await app().request({ path: '/admin/api/inquiries', headers: later });
      const last = await collector.span(({ attributes }) => attributes['backroom.request_id'] === 'of-a-later-version');
      assert.deepEqual([last.traceId, last.parentSpanId], [TRACE, CLIENT_SPAN]);
      assert.ok(!collector.texts.join().includes('unsampled'));
    });

    test('log lines name the trace and the span of their request', async () => {
      await app().request({ path: '/admin/api/inquiries?q=1', headers: { traceparent: TRACEPARENT, 'x-request-id': 'is-logged' } });
      const span = await collector.span(({ attributes }) => attributes['backroom.request_id'] === 'is-logged');
      const Line = z.looseObject({
        msg: z.string(),
        request_id: z.string().optional(),
        trace_id: z.string().optional(),
        span_id: z.string().optional(),
      });
      const line = await until('the line of the request', () =>
        lines.map((text) => Line.parse(JSON.parse(text))).find(({ msg, request_id }) => msg === 'request' && request_id === 'is-logged'),
      );
      assert.deepEqual([line.trace_id, line.span_id], [TRACE, span.spanId]);
    });

    test('secret parts of paths are in no span, and an unknown path gives no name', async () => {
      for (const path of [
        '/downloads/secret-code-31',
        '/downloads/once/secret-code-32',
        '/unsubscribe/secret-code-33',
        '//downloads/secret-code-34',
      ])
        await app().request({ path, token: null });
      await app().request({ method: 'POST', path: '/hooks/1/secret-code-35', token: null, body: {} });
      await app().request({ path: '/nowhere/at/all?secret-code-36', headers: { 'x-request-id': 'nowhere' } });
      const unknown = await collector.span(({ attributes }) => attributes['backroom.request_id'] === 'nowhere');
      assert.deepEqual(
        [unknown.name, unknown.attributes[ATTR_HTTP_ROUTE], unknown.attributes[ATTR_URL_PATH]],
        ['GET', undefined, '/nowhere/…'],
      );
      const hook = await collector.span(named('POST /hooks/{id}/{secret}'));
      assert.equal(hook.attributes[ATTR_URL_PATH], '/hooks/…');
      assert.ok(!collector.texts.join().includes('secret-code'));
    });

    test('the delivery of a webhook and of a mail are client spans that name the request which caused them', async () => {
      await person(app(), { permissions: ['admin_api.inquiries.read'] });
      const { origin } = there;
      there.decide(() => ({ status: 503 }));
      await app().client.webhooks.create({ url: `${origin}/take?key=webhook-secret-8`, events: ['*'] });
      await app().client.settings.update({ smtp: { host: '127.0.0.1', port: smtp.port, from: 'shop@example.com' } });
      const body = { name: 'Ann', email: 'ann@example.com', subject: 'A question', body: 'Hello' };
      await app().request({ method: 'POST', path: '/admin/api/inquiries', body, headers: { 'x-request-id': 'causes-both' } });
      const caused = (name: string) => (span: CollectedSpan) =>
        span.name === name && span.attributes['backroom.request_id'] === 'causes-both' && span.kind === 'client';
      const webhook = await collector.span(caused('POST'));
      assert.deepEqual(
        [webhook.isFailed, webhook.attributes[ATTR_HTTP_RESPONSE_STATUS_CODE], webhook.attributes[ATTR_SERVER_PORT]],
        [true, 503, there.port],
      );
      const mail = await collector.span(caused('send mail'));
      assert.deepEqual([mail.isFailed, mail.attributes[ATTR_SERVER_PORT]], [false, smtp.port]);
      const sent = collector.texts.join();
      assert.ok(!sent.includes('ann@example.com') && !sent.includes('webhook-secret-8'));
    });
  },
  () => ({ env: { ...environment(), ALLOW_PRIVATE_WEBHOOKS: 'true' }, log: (line) => void lines.push(line) }),
);
