import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { hasBody } from '../../contract/endpoint.ts';
import { eventTypes } from '../../contract/events.ts';
import { endpointList, endpoints } from '../../contract/index.ts';
import { buildOpenApi } from '../../contract/openapi.ts';

const Ref = z.object({ $ref: z.string() });
const Operation = z.looseObject({
  operationId: z.string(),
  tags: z.array(z.string()).length(1),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(z.union([Ref, z.looseObject({ name: z.string(), in: z.string() })])).default([]),
  requestBody: z.object({ required: z.boolean(), content: z.record(z.string(), z.unknown()) }).optional(),
  responses: z.record(z.string(), z.unknown()),
  'x-required-permission': z.string().nullish(),
});
const Document = z.looseObject({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ version: z.string(), description: z.string(), license: z.looseObject({ name: z.string() }) }),
  servers: z.tuple([z.looseObject({ url: z.literal('/') })]),
  security: z.tuple([z.object({ pat: z.array(z.string()) })]),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.object({ post: Operation.omit({ 'x-required-permission': true }) })),
  components: z.looseObject({
    schemas: z.record(
      z.string(),
      z.looseObject({ properties: z.record(z.string(), z.looseObject({ type: z.unknown().optional() })).optional() }),
    ),
    securitySchemes: z.object({ pat: z.looseObject({ type: z.literal('http'), scheme: z.literal('bearer') }) }),
  }),
});

const text = JSON.stringify(buildOpenApi({ version: '1.2.3' }));
const document = Document.parse(JSON.parse(text));
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
const byId = (id: string) => {
  const found = operations.find((operation) => operation.operationId === id);
  assert.ok(found, id);
  return found;
};

/** What senders without a token of an admin call; it is no endpoint of the admin API. */
const HOOK = { id: 'hooks.call', path: '/hooks/{hook_id}/{secret}' };

test('every endpoint is in the document once, and the address of hooks', () => {
  assert.deepEqual(operations.map((o) => o.operationId).sort(), [...Object.keys(endpoints), HOOK.id].sort());
  for (const path of Object.keys(document.paths)) if (path !== HOOK.path) assert.match(path, /^\/admin\/api\//);
});

test('permissions, success codes and bodies are those of the contract', () => {
  for (const e of endpointList) {
    const operation = byId(e.id);
    assert.equal(operation['x-required-permission'], e.permission, e.id);
    const codes = Object.keys(operation.responses);
    assert.deepEqual(
      codes.filter((code) => code < '300'),
      e.sse?.ends ? ['200', '204'] : [String(e.status)],
      e.id,
    );
    for (const code of ['400', '401', '403', '404', '405', '429']) assert.ok(codes.includes(code), `${e.id} ${code}`);
    assert.equal(operation.requestBody !== undefined, hasBody(e), e.id);
    if (hasBody(e)) assert.equal(operation.requestBody?.required, true, e.id);
    if (e.body) for (const code of ['400', '413', '415', '422']) assert.ok(codes.includes(code), `${e.id} ${code}`);
  }
});

test('path parameters match the path', () => {
  for (const [path, item] of Object.entries(document.paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    for (const operation of Object.values(item)) {
      const declared = operation.parameters.flatMap((p) => ('in' in p && p.in === 'path' ? [p.name] : []));
      assert.deepEqual(declared, names, operation.operationId);
    }
  }
});

test('every reference in the document has a target', () => {
  const root: unknown = JSON.parse(text);
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    let at: unknown = root;
    for (const step of pointer.split('/')) {
      at = z.record(z.string(), z.unknown()).parse(at)[step.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    assert.notEqual(at, undefined, pointer);
  }
});

test('null is written as a type in a list, and objects allow additional properties', () => {
  assert.deepEqual(document.components.schemas['Shipment']?.properties?.['courier_id']?.type, ['string', 'null']);
  assert.ok(!text.includes('"additionalProperties":false'));
  assert.match(document.info.description, /`unknown_field`, `unknown_parameter`/);
});

test('the document lists refusals by status, and declares multipart bodies and event streams', () => {
  assert.ok('409' in byId('orders.edit').responses && '412' in byId('orders.edit').responses);
  assert.ok('502' in byId('orders.buy_label').responses);
  assert.ok('402' in byId('customers.upload_file').responses);
  assert.deepEqual(Object.keys(byId('customers.upload_file').requestBody?.content ?? {}), ['multipart/form-data']);
  assert.ok(byId('ai_tasks.stream_run')['x-sse-events']);
});

test('OA1: webhooks lists the outbound events with their data and headers', () => {
  assert.deepEqual(Object.keys(document.webhooks), eventTypes);
  const { parameters, requestBody } = document.webhooks['order.paid']?.post ?? {};
  assert.deepEqual(
    parameters?.map((p) => ('name' in p ? p.name : '')),
    ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'x-request-id'],
  );
  assert.match(JSON.stringify(requestBody), /"const":"order\.paid".*"timestamp".*"order_id".*"total".*"currency"/);
});

test('ET2, ET3: a read of one record accepts If-None-Match, a change of it If-Match', () => {
  const headersOf = (id: string) => byId(id).parameters.flatMap((p) => ('$ref' in p ? [String(p.$ref).replace(/.*\//, '')] : []));
  assert.deepEqual(headersOf('orders.get'), ['IfNoneMatch']);
  assert.ok('304' in byId('orders.get').responses);
  assert.deepEqual(headersOf('orders.edit'), ['IdempotencyKey', 'IfMatch']);
  assert.deepEqual(headersOf('orders.list_payments'), []);
});

test('answers declare content types of files, ETags, rate limits, and schema names for pages and events', () => {
  const answerOf = (id: string, status: string) => Answer.parse(byId(id).responses[status]);
  const headersOf = (id: string, status = '200') => Object.keys(answerOf(id, status).headers);
  for (const id of ['files.get_content', 'customers.get_file_content', 'ai_tasks.get_artifact_content']) {
    assert.deepEqual(Object.keys(answerOf(id, '200').content), ['*/*'], id);
    assert.ok(headersOf(id).includes('Content-Disposition'), id);
  }
  assert.ok(headersOf('runner.read_file').includes('Content-Range'));
  for (const [id, status] of [
    ['pages.delete', '204'],
    ['me.create_token', '201'],
    ['me.list_tokens', '200'],
    ['orders.bulk_status', '200'],
    ['notifications.mark_all_read', '200'],
  ] as const)
    assert.ok(!headersOf(id, status).includes('ETag'), id);
  for (const [id, status] of [
    ['orders.delete_payment', '204'],
    ['orders.get', '304'],
    ['orders.update_status', '204'],
  ] as const)
    assert.ok(headersOf(id, status).includes('ETag'), id);
  assert.ok(headersOf('runner.status').includes('RateLimit') && !headersOf('runner.claim').includes('RateLimit'));
  for (const name of ['RunEvent', 'RunCheckpointEvent', 'OrderRowPage', 'TaskPage', 'LogPage'])
    assert.ok(name in document.components.schemas);
  assert.ok('/admin/api/orders/{id}/shipments/{sid_or_locker_network}' in document.paths);
  for (const [tuple] of text.matchAll(/"prefixItems".{0,300}/g)) assert.match(tuple, /"items":\{\}/);
});

const Answer = z.object({
  headers: z.record(z.string(), z.unknown()),
  content: z.record(z.string(), z.unknown()).default({}),
});
