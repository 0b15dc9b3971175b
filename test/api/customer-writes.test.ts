import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeAddress, makeCustomer, makeVariant } from '../helpers/builders.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { refused } from '../helpers/refused.ts';

onBothStores('creating and changing customers', (app) => {
  test('CU9, G22: a customer is created with an email that no other has in any case; orders find the customer by it', async () => {
    const { client } = app();
    const made = await client.customers.create({ name: ' Éva ', email: ' Eva@Example.com ', phone: '123' });
    assert.deepEqual(
      [made.name, made.email, made.phone, made.registered, made.order_count, made.credits, made.addresses],
      ['Éva', 'Eva@Example.com', '123', false, 0, 0, []],
    );
    await refused(client.customers.create({ name: 'Other', email: 'EVA@example.COM' }), 422, 'duplicate');
    await refused(client.customers.create({ name: 'Other', email: ' ' }), 422, 'blank');
    await refused(client.customers.create({ name: ' ', email: 'x@example.com' }), 422, 'blank');
    assert.deepEqual(
      (await client.customers.list({ search: 'éVA' })).data.map(({ id }) => id),
      [made.id],
    );
    const variant = await makeVariant(app(), { stock: 1 });
    const order = phoneOrder([{ variant_id: variant.id, quantity: 1 }], { customer: { name: 'Eva', email: 'eva@example.com', phone: '' } });
    const { id } = await client.orders.create(order);
    assert.equal((await client.orders.get(id)).customer_id, made.id);
  });

  test('CU9: of simultaneous requests with one email one creates the customer', async () => {
    const { client } = app();
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, () => client.customers.create({ name: 'Rush', email: 'rush@example.com' })),
    );
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const one of made) if (one.status === 'rejected') assert.match(String(one.reason), /422 duplicate/);
  });

  test('CU9, ET2: a change keeps omitted fields; a stale If-Match and an email of another customer are refused', async () => {
    const { client } = app();
    const a = await client.customers.create({ name: 'A', email: 'a@example.com', phone: '1' });
    await client.customers.create({ name: 'B', email: 'b@example.com' });
    const changed = await client.customers.update(a.id, { name: 'Anna', phone: null });
    assert.deepEqual([changed.name, changed.email, changed.phone], ['Anna', 'a@example.com', null]);
    assert.equal((await client.customers.update(a.id, { email: 'A@Example.com' })).email, 'A@Example.com');
    await refused(client.customers.update(a.id, { email: 'B@example.com' }), 422, 'duplicate');
    await refused(
      client.customers.update(a.id, { name: 'X' }, { headers: { 'If-Match': `"customer-${a.id}-1"` } }),
      412,
      'precondition_failed',
    );
    const { data } = await client.audit_log.list({ resource_type: 'customer', resource_id: a.id, action: 'customers.update' });
    assert.deepEqual(data.at(-1)?.changes, { name: ['A', 'Anna'], phone: ['1', null] });
    assert.deepEqual(
      (await client.customers.list({ search: 'anna' })).data.map(({ id }) => id),
      [a.id],
    );
  });

  test('ET1: a change that changes nothing leaves the version, the time and the list of changes as they are', async () => {
    const { client, request } = app();
    const { id } = await makeCustomer(app(), { phone: '1' });
    const address = await makeAddress(app(), id);
    const read = async () => {
      const { headers, body } = await request({ path: `/admin/api/customers/${id}` });
      return { etag: headers['etag'], body };
    };
    const before = await read();
    const { changes_cursor: after = '' } = await client.customers.list({ after: 'start' });
    const { name, email, phone } = await client.customers.get(id);
    await client.customers.update(id, { name, email, phone });
    await client.customers.update_address(id, address.id, { city: address.city, is_default: address.is_default });
    assert.deepEqual(await read(), before);
    assert.deepEqual((await client.customers.list({ after })).data, []);
  });

  test('ET1, ET2: an address has a new ETag after each change, and a stale one is refused', async () => {
    const { client, request } = app();
    const { id } = await makeCustomer(app());
    const address = await makeAddress(app(), id);
    const path = `/admin/api/customers/${id}/addresses/${address.id}`;
    const change = (city: string, etag?: string) =>
      request({ method: 'PATCH', path, body: { city }, ...(etag !== undefined && { headers: { 'If-Match': etag } }) });
    const first = await change('Graz');
    const second = await change('Linz', first.headers['etag']);
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.notEqual(second.headers['etag'], first.headers['etag']);
    const late = await change('Wels', first.headers['etag']);
    assert.equal(late.status, 412);
    const [now] = await client.customers.list_addresses(id);
    assert.equal(now?.city, 'Linz');
    assert.equal((await change('Wels', second.headers['etag'])).status, 200);
  });

  test('ET1, ET2: each type of address has one default, which is listed first', async () => {
    const { client } = app();
    const { id } = await makeCustomer(app());
    const home = { line1: 'High St 1', city: 'Ghent', postal_code: '9000', country: 'BE', is_default: true };
    const first = await client.customers.create_address(id, home);
    assert.deepEqual(first, { id: first.id, address_type: 'shipping', label: '', line2: null, state: '', ...home });
    const billing = await client.customers.create_address(id, { ...home, address_type: 'billing' });
    const second = await client.customers.create_address(id, { ...home, line1: 'Low St 2' });
    const listed = await client.customers.list_addresses(id);
    assert.deepEqual(
      listed.map((one) => [one.id, one.is_default]),
      [
        [billing.id, true],
        [second.id, true],
        [first.id, false],
      ],
    );
    assert.deepEqual((await client.customers.get(id)).addresses, listed);
    const moved = await client.customers.update_address(id, first.id, { city: 'Bruges', is_default: true });
    assert.deepEqual([moved.city, moved.is_default, moved.line1], ['Bruges', true, 'High St 1']);
    assert.equal((await client.customers.list_addresses(id)).filter((one) => one.is_default && one.address_type === 'shipping').length, 1);
    await refused(client.customers.create_address(id, { ...home, country: 'Belgium' }), 422, 'invalid_value');
    const other = await makeCustomer(app());
    await refused(client.customers.delete_address(other.id, first.id), 404, 'not_found');
    await client.customers.delete_address(id, first.id);
    await refused(client.customers.update_address(id, first.id, { city: 'X' }), 404, 'not_found');
  });
});
