import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, type ClientRequest, type ClientResponse } from '../../contract/calls.ts';
import { createClient, operationTable } from '../../contract/client.ts';
import { endpointList } from '../../contract/index.ts';

function recording(response: Partial<ClientResponse> = {}) {
  const sent: ClientRequest[] = [];
  const client = createClient(async (request) => {
    sent.push(request);
    return { status: 200, headers: {}, body: {}, ...response };
  });
  return { client, sent };
}

test('the client makes path, body, query and headers from its arguments', async () => {
  const { client, sent } = recording();
  await client.orders.list({ status: 'shipped', search: 'a b&c', include_test: true });
  await client.orders.list();
  await client.orders.get(5);
  await client.orders.update_status(5, { status: 'shipped' }, { headers: { 'If-Match': '"order-5-1"' } });
  await client.customers.delete_note(3, 4);
  await client.preferences.update('order/placed', { email_enabled: false });
  await client.orders.create_shipment(7, { headers: { 'Idempotency-Key': 'k' } });
  await client.ai_tasks.start_run(9);
  assert.deepEqual(sent, [
    { method: 'GET', path: '/orders?status=shipped&search=a%20b%26c&include_test=true' },
    { method: 'GET', path: '/orders' },
    { method: 'GET', path: '/orders/5' },
    { method: 'PATCH', path: '/orders/5/status', body: { status: 'shipped' }, headers: { 'If-Match': '"order-5-1"' } },
    { method: 'DELETE', path: '/customers/3/notes/4' },
    { method: 'PUT', path: '/me/notification-preferences/order%2Fplaced', body: { email_enabled: false } },
    { method: 'POST', path: '/orders/7/shipments', headers: { 'Idempotency-Key': 'k' } },
    { method: 'POST', path: '/ai-tasks/9/runs', body: {} },
  ]);
});

test('the client sends the parts of an upload', async () => {
  const { client, sent } = recording({ status: 201 });
  const file = { filename: 'a.txt', content: 'hello' };
  await client.customers.upload_file(3, { file, note: 'n' });
  assert.deepEqual(sent, [{ method: 'POST', path: '/customers/3/files', body: { file, note: 'n' } }]);
});

test('the client returns the body of an answer, and undefined for 204', async () => {
  assert.deepEqual(await recording({ body: { marked: 2 } }).client.notifications.mark_all_read(), { marked: 2 });
  assert.equal(await recording({ status: 204, body: '' }).client.pages.delete(1), undefined);
});

test('the client throws the problem of an answer of 400 and above', async () => {
  const problem = {
    type: '/problems/slug_taken',
    title: 'The slug is taken',
    status: 422,
    code: 'slug_taken',
    detail: 'taken',
    instance: '/admin/api/pages',
    request_id: 'r',
    errors: [{ pointer: '/slug', parameter: null, code: 'slug_taken', detail: 'taken' }],
  };
  const { client } = recording({ status: 422, body: problem });
  await assert.rejects(client.pages.create({ slug: 'a', title: 'A' }), (error) => {
    assert.ok(error instanceof ApiError);
    assert.deepEqual([error.status, error.code, error.errors], [422, 'slug_taken', problem.errors]);
    return true;
  });
  await assert.rejects(recording({ status: 502, body: 'Bad gateway' }).client.pages.get(1), {
    status: 502,
    code: 'unknown',
    problem: null,
  });
});

test('the client refuses a missing path parameter before anything is sent', async () => {
  const { client, sent } = recording();
  const get: unknown = client.orders.get;
  assert.ok(typeof get === 'function');
  await assert.rejects(async () => get(), TypeError);
  assert.deepEqual(sent, []);
});

test('wrong arguments do not compile', () => {
  const { client } = recording();
  const wrong = [
    // @ts-expect-error an unknown status
    () => client.orders.update_status(5, { status: 'lost' }),
    // @ts-expect-error the body is needed
    () => client.orders.update_status(5),
    // @ts-expect-error ids are numbers
    () => client.orders.get('5'),
    // @ts-expect-error streams are not part of the client
    () => client.ai_tasks.stream_run(1, 2),
  ];
  assert.equal(wrong.length, 4);
});

test('the table of operations is JSON and contains all operations except streams', () => {
  const table = operationTable();
  assert.deepEqual(JSON.parse(JSON.stringify(table)), table);
  assert.equal(table.length, endpointList.filter((e) => !e.stream && !e.binary).length);
  assert.deepEqual(
    table.find((o) => o.id === 'customers.delete_note'),
    {
      id: 'customers.delete_note',
      method: 'DELETE',
      path: '/customers/{id}/notes/{note_id}',
      paramNames: ['id', 'note_id'],
      hasBody: false,
      hasQuery: false,
    },
  );
});
