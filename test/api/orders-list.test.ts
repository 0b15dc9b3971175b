import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../contract/errors.ts';
import type { OrderStatus, PaymentStatus } from '../../contract/orders.ts';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder, makeOrderStatus, makeProduct, makeVariant } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';
import { field } from '../helpers/runs.ts';
import { storeOrder } from '../helpers/stored-rows/shop.ts';
import { storeCopiesOfOrder } from '../helpers/stored-rows/sizes.ts';
import { makeTaxRate } from '../helpers/terms.ts';

onBothStores('reading orders', (app) => {
  type Listed = { data: { id: number }[] };
  const idsOf = (page: Listed): number[] => page.data.map(({ id }) => id);

  test('O4: newest first by default; every sort decides ties by id and reverses exactly', async () => {
    const at = '2026-02-02T00:00:00.000Z';
    const rows = [
      { customer_name: 'Sorty b', total: 300, status: 'pending', created_at: at },
      { customer_name: 'sorty A', total: 300, status: 'shipped', created_at: at },
      { customer_name: 'SORTY a', total: 100, status: 'pending', created_at: '2026-02-01T00:00:00.000Z' },
      { customer_name: 'sorty ß', total: 1000, status: 'cancelled', created_at: '2026-02-03T00:00:00.000Z' },
    ];
    const ids: number[] = [];
    for (const row of rows) ids.push((await storeOrder(app().store, row)).id);
    const expected = { created_at: [2, 0, 1, 3], customer_name: [1, 2, 0, 3], total: [2, 0, 1, 3], status: [3, 0, 2, 1] };
    for (const sort of ['created_at', 'customer_name', 'total', 'status'] as const) {
      const up = expected[sort].map((index) => ids[index] ?? 0);
      assert.deepEqual(idsOf(await app().client.orders.list({ search: 'sorty', sort })), up, sort);
      assert.deepEqual(idsOf(await app().client.orders.list({ search: 'sorty', sort: `-${sort}` })), up.toReversed(), `-${sort}`);
      const pages = await Promise.all([1, 2, 3, 4].map((page) => app().client.orders.list({ search: 'sorty', sort, page, per_page: 1 })));
      assert.deepEqual(pages.flatMap(idsOf), up, `${sort}, page by page`);
      const first = await app().client.orders.list({ search: 'sorty', sort: `-${sort}`, per_page: 3 });
      const rest = await app().client.orders.list({ search: 'sorty', sort: `-${sort}`, per_page: 3, cursor: first.next_cursor ?? '' });
      assert.deepEqual([...idsOf(first), ...idsOf(rest)], up.toReversed(), `-${sort}, by cursor`);
      assert.deepEqual([rest.page, rest.total, rest.next_cursor], [2, 4, null]);
    }
    assert.deepEqual(
      idsOf(await app().client.orders.list({ search: 'sorty' })),
      expected.created_at.map((index) => ids[index] ?? 0).toReversed(),
    );
  });

  test('O5: test orders are left out unless the query asks for them', async () => {
    const real = await makeOrder(app(), { customer_name: 'Testy' });
    const trial = await makeOrder(app(), { customer_name: 'Testy', is_test: true });
    const list = (query: object) => app().client.orders.list({ search: 'testy', sort: 'created_at', ...query });
    assert.deepEqual(idsOf(await list({})), [real.id]);
    assert.deepEqual(idsOf(await list({ include_test: true })), [real.id, trial.id]);
    assert.deepEqual(idsOf(await list({ test_only: true })), [trial.id]);
    assert.deepEqual(idsOf(await list({ test_only: true, include_test: true })), [trial.id]);
    assert.equal((await list({})).total, 1);
    assert.equal((await app().client.orders.get(trial.id)).is_test, true);
  });

  test('O6: search covers name and email as stored in the order, and nothing else', async () => {
    const customer = await makeCustomer(app(), { name: 'Snapshot Őrs', email: 'Then@Example.com' });
    const order = await makeOrder(app(), { customer, notes: 'Snapnote' });
    await app().client.orders.update_shipping(order.id, { tracking_number: 'Snaptrack' });
    await app().client.customers.update(customer.id, { name: 'Renamed Since', email: 'since@example.com' });
    const found = async (search: string) => idsOf(await app().client.orders.list({ search }));
    assert.deepEqual(await found('snapshot ŐRS'), [order.id]);
    assert.deepEqual(await found('then@example'), [order.id]);
    assert.deepEqual(await found('snapnote'), []);
    assert.deepEqual(await found('snaptrack'), []);
    assert.deepEqual(await found('renamed since'), []);
  });

  test('O3: orders are filtered by status and payment status, alone and together', async () => {
    const make = (status: OrderStatus, payment_status: PaymentStatus) =>
      makeOrder(app(), { customer_name: 'Filtery', status, payment_status });
    const paid = await make('shipped', 'paid');
    const failed = await make('shipped', 'failed');
    await make('pending', 'paid');
    const list = (query: object) => app().client.orders.list({ search: 'filtery', sort: 'created_at', ...query });
    assert.deepEqual(idsOf(await list({ status: 'shipped' })), [paid.id, failed.id]);
    assert.deepEqual(idsOf(await list({ payment_status: 'failed' })), [failed.id]);
    assert.deepEqual(idsOf(await list({ status: 'shipped', payment_status: 'paid' })), [paid.id]);
  });

  test('O1: total_min and total_max are in major units and inclusive', async () => {
    const made = new Map<number, number>();
    for (const total of [1998, 1999, 2000, 2001]) made.set((await makeOrder(app(), { customer_name: 'Totally', total })).id, total);
    const found = async (query: object) => {
      const page = await app().client.orders.list({ search: 'totally', sort: 'total', ...query });
      return idsOf(page).map((id) => made.get(id));
    };
    assert.deepEqual(await found({ total_min: '19.99' }), [1999, 2000, 2001]);
    assert.deepEqual(await found({ total_max: '19.99' }), [1998, 1999]);
    assert.deepEqual(await found({ total_min: '19.991', total_max: '20.009' }), [2000]);
    assert.deepEqual(await found({ total_min: '20', total_max: '20.0' }), [2000]);
    assert.deepEqual(await found({ total_min: '21', total_max: '20' }), []);
    for (const total_min of ['-1', '1e3', '.5', '+1', '1 ', '1,5']) {
      await refused(app().client.orders.list({ total_min }), 422, 'invalid_value');
    }
  });

  test('O2: created_from and created_to are inclusive days', async () => {
    for (const created_at of [
      '2025-05-09T23:59:59.999Z',
      '2025-05-10T00:00:00.000Z',
      '2025-05-11T23:59:59.999Z',
      '2025-05-12T00:00:00.000Z',
    ]) {
      await storeOrder(app().store, { customer_name: 'Dayly', created_at });
    }
    const page = await app().client.orders.list({
      search: 'dayly',
      created_from: '2025-05-10',
      created_to: '2025-05-11',
      sort: 'created_at',
    });
    assert.deepEqual(
      page.data.map(({ created_at }) => created_at),
      ['2025-05-10T00:00:00.000Z', '2025-05-11T23:59:59.999Z'],
    );
    assert.equal((await app().client.orders.list({ created_from: '2025-05-12', created_to: '2025-05-11' })).total, 0);
    await refused(app().client.orders.list({ created_to: '2025-02-30' }), 422, 'invalid_date');
  });

  test('orders are filtered by customer, internal status and delivery date, alone and with other filters', async () => {
    const { client } = app();
    const [ann, bob] = [await makeCustomer(app()), await makeCustomer(app())];
    const packed = await makeOrderStatus(app());
    const make = (values: Parameters<typeof makeOrder>[1]) => makeOrder(app(), { customer_name: 'Partly', ...values });
    const first = await make({ customer: ann, internal_status_id: packed.id, delivery_date: '2031-05-01' });
    const second = await make({ customer: ann, delivery_date: '2031-05-02', total: 7 });
    const third = await make({ customer: bob, internal_status_id: packed.id, is_test: true });
    const found = async (query: object) => {
      const { data, total } = await client.orders.list({ sort: 'created_at', ...query });
      assert.equal(total, data.length);
      return idsOf({ data });
    };
    assert.deepEqual(await found({ customer_id: ann.id }), [first.id, second.id]);
    assert.deepEqual(await found({ customer_id: 999_999 }), []);
    assert.deepEqual(await found({ internal_status_id: packed.id }), [first.id]);
    assert.deepEqual(await found({ internal_status_id: packed.id, include_test: true }), [first.id, third.id]);
    assert.deepEqual(await found({ internal_status_id: 999_999 }), []);
    assert.deepEqual(await found({ customer_id: ann.id, internal_status_id: 'none' }), [second.id]);
    assert.deepEqual(await found({ delivery_from: '2031-05-01', delivery_to: '2031-05-01' }), [first.id]);
    assert.deepEqual(await found({ delivery_from: '2031-05-02' }), [second.id]);
    assert.deepEqual(await found({ delivery_to: '2031-05-01', search: 'partly' }), [first.id]);
    assert.deepEqual(await found({ delivery_from: '2031-05-02', delivery_to: '2031-05-01' }), []);
    assert.deepEqual(await found({ customer_id: ann.id, total_max: '0.07', status: 'pending' }), [second.id]);
    await client.orders.update_delivery_date(second.id, { delivery_date: null });
    await client.orders.update_internal_status(second.id, { internal_status_id: packed.id });
    assert.deepEqual(await found({ delivery_from: '2031-05-01' }), [first.id]);
    assert.deepEqual(await found({ internal_status_id: packed.id }), [first.id, second.id]);
    const byWord = await app().request({ path: `/admin/api/orders?internal_status_id=none&customer_id=${ann.id}&delivery_from=` });
    assert.deepEqual([byWord.status, field(byWord.body, 'total')], [200, 0]);
    for (const [query, name, code] of [
      ['customer_id=0', 'customer_id', 'out_of_range'],
      ['customer_id=ann', 'customer_id', 'invalid_type'],
      ['customer_id=1&customer_id=2', 'customer_id', 'duplicate'],
      ['internal_status_id=0', 'internal_status_id', 'out_of_range'],
      ['internal_status_id=None', 'internal_status_id', 'invalid_enum'],
      ['internal_status_id=1.5', 'internal_status_id', 'invalid_enum'],
      ['delivery_from=2031-02-29', 'delivery_from', 'invalid_date'],
      ['delivery_to=tomorrow', 'delivery_to', 'invalid_date'],
    ] as const) {
      const refusal = await app().request({ path: `/admin/api/orders?${query}` });
      const [error] = Problem.parse(refusal.body).errors ?? [];
      assert.deepEqual([refusal.status, error?.parameter, error?.code], [422, name, code], refusal.text);
    }
  });

  test('orders are filtered by payment progress as the detail shows it, and by having no delivery date', async () => {
    const { client } = app();
    const customer = await makeCustomer(app());
    const make = (values: Parameters<typeof makeOrder>[1]) => makeOrder(app(), { customer, ...values });
    const dated = await make({ total: 1000, delivery_date: '2031-06-01' });
    const other = await make({ total: 1000 });
    const free = await make({ total: 0 });
    const found = async (query: object) => idsOf(await client.orders.list({ customer_id: customer.id, sort: 'created_at', ...query }));
    const pay = (amount_cents: number) => client.orders.create_payment(dated.id, { label: 'Part', amount_cents, paid: true });
    assert.deepEqual(await found({ payment_progress: 'unpaid' }), [dated.id, other.id]);
    assert.deepEqual(await found({ payment_progress: 'paid' }), [free.id]);
    const reached: string[] = [];
    for (const amount of [400, 600, 1]) {
      await pay(amount);
      const { payment_progress } = await client.orders.get(dated.id);
      reached.push(payment_progress);
      assert.ok((await found({ payment_progress })).includes(dated.id), payment_progress);
      assert.deepEqual(await found({ payment_progress: 'unpaid' }), [other.id]);
    }
    assert.deepEqual(reached, ['partial', 'paid', 'overpaid']);
    await client.orders.update_payment_status(other.id, { payment_status: 'paid' });
    assert.deepEqual(await found({ payment_progress: 'paid' }), [other.id, free.id]);
    assert.deepEqual(await found({ no_delivery_date: true }), [other.id, free.id]);
    assert.deepEqual(await found({ no_delivery_date: true, payment_progress: 'overpaid' }), []);
    assert.deepEqual(await found({ no_delivery_date: false }), [dated.id, other.id, free.id]);
    await refused(client.orders.list({ no_delivery_date: true, delivery_to: '2031-06-01' }), 422, 'invalid_value');
  });

  test('an order is found by the beginning of its public id in any case, or by its id', async () => {
    const { client } = app();
    const { id, public_id } = await makeOrder(app());
    const found = async (number: string, query: object = {}) => idsOf(await client.orders.list({ number, ...query }));
    assert.deepEqual(await found(` ${public_id.toLowerCase()} `), [id]);
    assert.deepEqual(await found(public_id.slice(0, 8).toLowerCase()), [id]);
    assert.deepEqual(await found(String(id)), [id]);
    assert.deepEqual(await found(`${public_id}0`), []);
    assert.deepEqual(await found(public_id.slice(1)), [], 'only its beginning counts');
    assert.deepEqual(await found(public_id, { status: 'shipped' }), [], 'the other filters still count');
    assert.deepEqual(await found('99999999999999999999'), []);
    const stored = await storeOrder(app().store, { public_id: '777AAAAAAAAA' });
    assert.deepEqual(await found('777'), [stored.id], 'digits may be the beginning of a public id');
    for (const number of ['AB', '-1', '1A']) await refused(client.orders.list({ number }), 422, 'invalid_value');
  });

  test('GET /orders/ids lists the ids of all matching orders in the order of the list, or refuses if they are too many', async () => {
    const { client, store } = app();
    const first = await storeOrder(store, { delivery_date: '2032-01-01', total: 5 });
    const asked = { delivery_from: '2032-01-01', delivery_to: '2032-01-02', sort: 'total' } as const;
    const dearer = await storeOrder(store, { delivery_date: '2032-01-02', total: 7 });
    const cheaper = await storeOrder(store, { delivery_date: '2032-01-02', total: 3 });
    assert.deepEqual(await client.orders.list_ids(asked), { ids: [cheaper.id, first.id, dearer.id], total: 3 });
    assert.deepEqual(await client.orders.list_ids({ ...asked, customer_id: 999_999 }), { ids: [], total: 0 });
    await storeCopiesOfOrder(store, first.id, 9997);
    const { ids, total } = await client.orders.list_ids(asked);
    assert.deepEqual([ids[0], ids.at(-1), new Set(ids).size, total], [cheaper.id, dearer.id, 10_000, 10_000]);
    await storeOrder(store, { delivery_date: '2032-01-01' });
    const { problem } = await refused(client.orders.list_ids(asked), 422, 'too_many_matches');
    assert.deepEqual([problem?.['total'], problem?.['most']], [10_001, 10_000]);
    assert.equal(problem?.detail, '10,001 orders match; the ids of at most 10,000 can be listed. Narrow the filters.');
  });

  test('O3, R5: an unknown value and an out-of-range page size are refused', async () => {
    const raw = async (query: string) => {
      const { status, body } = await app().request({ path: `/admin/api/orders?${query}` });
      return [status, typeof body === 'object' && body !== null && 'code' in body ? body.code : null];
    };
    assert.deepEqual(await raw('status=returned'), [422, 'invalid_enum']);
    assert.deepEqual(await raw('payment_status=canceled'), [422, 'invalid_enum']);
    assert.deepEqual(await raw('sort=id'), [422, 'invalid_enum']);
    assert.deepEqual(await raw('per_page=101'), [422, 'out_of_range']);
    assert.equal((await raw('status=&search='))[0], 200, 'an empty value does not filter');
  });

  test('G20, G21: a search is trimmed, literal and of any script, at most 200 characters; blanks do not filter', async () => {
    const { id } = await makeOrder(app(), { customer_name: 'Lit_eral 50% Ünïq', customer_email: 'lit@Straße.example' });
    const found = async (search: string) => idsOf(await app().client.orders.list({ search }));
    for (const search of ['  lit_eral ', '50%', 'ÜNÏQ', 'strasse.EX', 'T_E', '% Ü', 'üN', 'uniq', '% u'])
      assert.deepEqual(await found(search), [id], search);
    for (const search of ['litXeral', '5%', '__', '%%', 'Ünïq lit', 'Ünïq\nlit']) assert.deepEqual(await found(search), [], search);
    const { total } = await app().client.orders.list({});
    assert.equal((await app().client.orders.list({ search: '   ' })).total, total);
    await refused(app().client.orders.list({ search: 'ü'.repeat(201) }), 422, 'too_long');
    assert.deepEqual(await found('ü'.repeat(200)), []);
  });

  test('PG1, PG3: a page past the end is empty with true totals; the Link header names the other pages', async () => {
    for (let i = 0; i < 5; i++) await makeOrder(app(), { customer_name: 'Pagely' });
    const list = async (query: string) => {
      const { status, body, headers } = await app().request({ path: `/admin/api/orders?search=pagely&per_page=2&${query}` });
      const { data, total, total_pages, page } = body as { data: unknown[]; total: number; total_pages: number; page: number };
      const rels = Array.from((headers['link'] ?? '').matchAll(/page=(\d+)>; rel="(\w+)"/g), ([, to, rel]) => `${rel} ${to}`);
      return [status, data.length, total, total_pages, page, rels.join()];
    };
    assert.deepEqual(await list('page=1'), [200, 2, 5, 3, 1, 'first 1,next 2,last 3']);
    assert.deepEqual(await list('page=3'), [200, 1, 5, 3, 3, 'first 1,prev 2,last 3']);
    assert.deepEqual(await list('page=4'), [200, 0, 5, 3, 4, 'first 1,prev 3,last 3']);
    const none = await app().client.orders.list({ search: 'pagely nobody' });
    assert.deepEqual([none.total, none.total_pages, none.data, none.next_cursor], [0, 0, [], null]);
    const { next_cursor } = await app().client.orders.list({ search: 'pagely', per_page: 2 });
    await refused(app().client.orders.list({ search: 'pagely', page: 1, cursor: next_cursor ?? '' }), 422, 'invalid_value');
  });

  test('PG4: rows and total agree while orders are being created', async () => {
    const inserts = Array.from({ length: 20 }, () => makeOrder(app(), { customer_name: 'Meanwhilely' }));
    for (let i = 0; i < 15; i++) {
      for (const query of [{ search: 'meanwhilely' }, { created_from: '2026-03-01', created_to: '2026-03-01' }]) {
        const { data, total } = await app().client.orders.list({ ...query, per_page: 100 });
        assert.equal(data.length, Math.min(100, total));
      }
    }
    await Promise.all(inserts);
    assert.equal((await app().client.orders.list({ search: 'meanwhilely' })).total, 20);
  });

  test('O7: a row of the list has exactly the documented fields', async () => {
    const { id } = await makeOrder(app(), { customer_name: 'Rowly', delivery_date: '2026-05-01' });
    const order = await app().client.orders.get(id);
    const { data } = await app().client.orders.list({ search: 'rowly' });
    assert.deepEqual(data, [
      {
        id: order.id,
        status: 'pending',
        payment_status: 'none',
        customer_name: 'Rowly',
        customer_email: order.customer_email,
        total: 1000,
        created_at: order.created_at,
        updated_at: order.updated_at,
        public_id: order.public_id,
        is_test: false,
        delivery_date: '2026-05-01',
        internal_status_id: null,
        customer_id: order.customer_id,
        shipping_country: order.shipping_country,
        currency: order.currency,
      },
    ]);
  });

  test('O7, O12, O13: the detail shows the lines in order, values as sold, and what is still to pay', async () => {
    const rate = await makeTaxRate(app(), { rate_bps: 2000 });
    const { id: product_id } = await makeProduct(app(), { tax_rate_id: rate.id });
    const variant = await makeVariant(app(), { product_id, price_cents: 500, label: 'Blue' });
    const other = await makeVariant(app(), { product_id, price_cents: 50 });
    const billing = { line1: '2 Side Street', city: 'Graz', postal_code: '8010', country: 'AT' };
    const order = await makeOrder(app(), { customer_email: '', billing_address: billing, payment_status: 'paid' }, [
      { variant: other, quantity: 1 },
      { variant, quantity: 3 },
    ]);
    const detail = await app().client.orders.get(order.id);
    assert.deepEqual(
      detail.items.map((item) => [item.variant_id, item.unit_price, item.quantity, item.subtotal, item.tax_rate, item.tax_amount]),
      [
        [other.id, 50, 1, 50, 2000, 10],
        [variant.id, 500, 3, 1500, 2000, 300],
      ],
    );
    assert.deepEqual(
      [detail.items[1]?.variant_label, detail.items[1]?.product_sku, detail.items[1]?.custom_fields],
      ['Blue', variant.sku, []],
    );
    // Goods cost 1550; 20 % tax on them is 310.
    assert.deepEqual(
      [detail.subtotal, detail.discount_amount, detail.shipping_cost, detail.tax_amount, detail.total],
      [1550, 0, 0, 310, 1860],
    );
    assert.deepEqual(detail.billing_address, billing);
    assert.deepEqual([detail.paid_total_cents, detail.balance_due_cents, detail.payment_progress], [1860, 0, 'paid']);
    assert.deepEqual([detail.invoice_url, detail.ip_address, detail.tracking_number, detail.customer_id], [null, '', '', null]);
    await refused(app().client.orders.get(999_999), 404, 'not_found');
  });
});
