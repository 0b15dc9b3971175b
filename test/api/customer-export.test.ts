import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OWNER_TOKEN, onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';

onBothStores('customers as CSV', (app) => {
  const exported = (query: string, token?: string) =>
    app().request({ path: `/admin/api/customers/export${query}`, ...(token === undefined ? {} : { token }) });
  /** Reading it as text drops the mark at its beginning. */
  const bytesOf = async (query: string): Promise<Uint8Array> => {
    const answer = await fetch(`${app().url}/admin/api/customers/export${query}`, { headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
    return answer.bytes();
  };
  const linesOf = (text: string): string[] => text.split('\r\n');

  test('CU14: those who match are a table with their figures; a text that would be a formula is none', async () => {
    const { customers, discount_groups } = app().client;
    const group = await discount_groups.create({ name: '-Trade, "A"', percent_bps: 500 });
    const ann = await makeCustomer(app(), {
      name: '=HYPERLINK("http://x")',
      email: 'csv-ann@example.com',
      phone: '+36 1 234',
      registered: true,
    });
    await customers.update_b2b(ann.id, { is_b2b: true, discount_group_id: group.id });
    await customers.adjust_credits(ann.id, { delta: 7 });
    const order = await makeOrder(app(), { customer_email: 'csv-ann@example.com' });
    await app().client.orders.update_payment_status(order.id, { payment_status: 'paid' });
    const bob = await makeCustomer(app(), { name: 'Bob, the\nsecond', email: 'csv-bob@example.com' });
    const { status, headers, text } = await exported('?q=csv-&sort=email');
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8');
    assert.match(headers['content-disposition'] ?? '', /^attachment; filename="customers-\d{4}-\d\d-\d\d\.csv"/);
    assert.equal(headers['content-length'], undefined, 'it is sent while it is made');
    assert.deepEqual([...(await bytesOf('?q=csv-&sort=email')).subarray(0, 5)], [0xef, 0xbb, 0xbf, 0x69, 0x64]);
    const detail = await customers.get(ann.id);
    const spent = `${Math.floor(detail.total_spent / 100)}.${String(detail.total_spent % 100).padStart(2, '0')}`;
    assert.deepEqual(linesOf(text), [
      'id,name,email,phone,registered,is_b2b,discount_group,marketing_opt_out,created_at,anonymised_at,order_count,total_spent,last_order_at,credits',
      `${ann.id},"'=HYPERLINK(""http://x"")",csv-ann@example.com,'+36 1 234,true,true,"'-Trade, ""A""",false,${detail.created_at},,1,${spent},${(await app().client.orders.get(order.id)).created_at},7`,
      `${bob.id},"Bob, the\nsecond",csv-bob@example.com,,true,false,,false,${bob.created_at},,0,0.00,,0`,
      '',
    ]);
  });

  test('CU14: chosen ones are in the order of their ids in the request; who was deleted has no name, who is not there no line', async () => {
    const [ann, bob] = [await makeCustomer(app(), { name: 'Ann' }), await makeCustomer(app(), { name: 'Gone Person' })];
    await makeOrder(app(), { customer_email: bob.email });
    await app().client.customers.delete(bob.id);
    const { text } = await exported(`?ids=${bob.id},999999,${ann.id},${bob.id}`);
    const [, first = '', second = '', end] = linesOf(text);
    assert.match(first, new RegExp(`^${bob.id},,,,false,.*,\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z,1,`));
    assert.match(second, new RegExp(`^${ann.id},Ann,`));
    assert.equal(end, '');
    assert.doesNotMatch(text, /Gone Person/);
    for (const wrong of ['x', '1,,2', '-1']) assert.equal((await exported(`?ids=${wrong}`)).status, 422, wrong);
  });

  test('CU14: a table of more lines than are read at once is whole, by a link that works once, and only for who may read customers', async () => {
    const { client } = app();
    const made = await Promise.all(
      Array.from({ length: 501 }, (_, n) => makeCustomer(app(), { name: `Row ${n}`, email: `row-${n}@export.example` })),
    );
    const ids = made.map(({ id }) => id);
    const { url } = await client.me.create_download_link({ path: `/customers/export?ids=${ids.join(',')}` });
    const { status, text } = await app().request({ path: url ?? '', token: null });
    assert.equal(status, 200);
    assert.deepEqual(
      linesOf(text)
        .slice(1, -1)
        .map((line) => Number(line.split(',', 1)[0])),
      ids,
    );
    const { token } = await client.me.create_token({ name: 'orders alone', permissions: ['admin_api.orders.read'] });
    assert.equal((await exported('', token ?? '')).status, 403);
  });
});
