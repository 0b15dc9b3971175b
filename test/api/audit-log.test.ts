import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { person } from '../helpers/people.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('audit log', (app) => {
  test('AL1: an entry has the actor, token, request and the values before and after', async () => {
    const { client } = app();
    const order = await makeOrder(app());
    const me = await client.me.get();
    await client.orders.update_test_flag(order.id, { is_test: true }, { headers: { 'X-Request-Id': 'audit-test-1' } });
    const { data } = await client.audit_log.list({ resource_type: 'order', resource_id: order.id });
    const [entry] = data;
    assert.ok(entry);
    assert.deepEqual(entry.actor, { type: 'admin', id: me.id, token_id: me.token_id, run_id: null });
    assert.deepEqual(
      [entry.action, entry.resource, entry.changes, entry.request_id, entry.ip],
      ['orders.update_test_flag', { type: 'order', id: order.id }, { is_test: [false, true] }, 'audit-test-1', '127.0.0.1'],
    );
  });

  test('AL1: the log is filtered by admin, action, day and time, and read page by page with a cursor', async () => {
    const { client, clientFor } = app();
    const anna = await person(app(), { permissions: ['admin_api.customers.write'] });
    const { id } = await makeCustomer(app());
    for (let i = 0; i < 5; i++) await clientFor(anna.token).customers.create_note(id, { body: `note ${i}` });
    const first = await client.audit_log.list({ actor_id: anna.adminId, per_page: 3 });
    assert.equal(first.data.length, 3);
    const second = await client.audit_log.list({ actor_id: anna.adminId, per_page: 3, cursor: first.next_cursor ?? '' });
    assert.equal(second.data.length, 2);
    assert.equal(second.next_cursor, null);
    const ids = [...first.data, ...second.data].map((entry) => entry.id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => b - a),
    );
    const day = first.data[0]?.at.slice(0, 10) ?? '';
    const count = async (query: object) => (await client.audit_log.list({ actor_id: anna.adminId, ...query })).data.length;
    assert.equal(await count({ action: 'customers.create_note', from: day, to: day }), 5);
    assert.equal(await count({ action: 'orders.edit' }), 0);
    assert.equal(await count({ from: '2031-01-01' }), 0);
    assert.equal(await count({ to: first.data[0]?.at ?? '' }), 4);
    await refused(client.audit_log.list({ from: 'yesterday' }), 422, 'invalid_value');
    await refused(client.audit_log.list({ cursor: 'nonsense' }), 422, 'invalid_value');
  });

  test('AU7: reading the audit log needs admin_api.logs.read', async () => {
    await refused(
      app()
        .clientFor((await person(app())).token)
        .audit_log.list(),
      403,
      'forbidden',
    );
  });
});
