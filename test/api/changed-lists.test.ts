import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { onBothStores, type TestApp } from '../helpers/app.ts';
import { makeAddress, makeCustomer, makeOrder, makeProduct, makeVariant } from '../helpers/builders.ts';
import { storeSubscriptionOrder } from '../helpers/stored-rows/subscriptions.ts';

const Problem = z.object({ errors: z.array(z.object({ code: z.string(), parameter: z.string().nullable(), detail: z.string() })) });

type Query = { after?: string; cursor?: string; per_page?: number; updated_since?: string; sort?: 'updated_at' | '-updated_at' };
type Page = {
  data: { id: number; created_at: string; updated_at: string }[];
  page: number;
  total: number;
  total_pages: number;
  next_cursor: string | null;
  changes_cursor?: string;
};
/** A list of records that change, and how a record is made, changed and (if the API has it) deleted. */
type Kind = {
  name: string;
  list(query: Query): Promise<Page>;
  make(): Promise<number>;
  change(id: number): Promise<unknown>;
  remove?(id: number): Promise<unknown>;
};

let subscribed = 0;
const kindsOf = (app: TestApp): Kind[] => {
  const { orders, customers, products, subscriptions, inquiries } = app.client;
  return [
    {
      name: 'orders',
      list: (query) => orders.list(query),
      make: async () => (await makeOrder(app)).id,
      change: (id) => orders.update_delivery_date(id, { delivery_date: '2026-05-01' }),
    },
    {
      name: 'customers',
      list: (query) => customers.list(query),
      make: async () => (await makeCustomer(app)).id,
      change: (id) => customers.create_note(id, { body: 'a note' }),
      remove: (id) => customers.delete(id),
    },
    {
      name: 'products',
      list: (query) => products.list(query),
      make: async () => (await makeProduct(app)).id,
      change: (id) => makeVariant(app, { product_id: id }),
      remove: (id) => products.delete(id),
    },
    {
      name: 'subscriptions',
      list: (query) => subscriptions.list(query),
      make: async () => {
        const { order } = await storeSubscriptionOrder(app.store, { order: { payment_provider: 'manual' } });
        subscribed += 1;
        const ids = { external_subscription_id: `sub_list_${subscribed}`, external_customer_id: `cus_list_${subscribed}` };
        return (await subscriptions.activate(order.id, ids)).id;
      },
      change: (id) => subscriptions.cancel(id),
    },
    {
      name: 'inquiries',
      list: (query) => inquiries.list(query),
      make: async () => (await inquiries.create({ name: 'Ann', email: 'ann@example.com', subject: 'Hello', body: 'Where is it?' })).id,
      change: (id) => inquiries.answer(id, { body: 'Here.' }),
      remove: (id) => inquiries.delete(id),
    },
  ];
};

const idsOf = ({ data }: Page) => data.map(({ id }) => id);

async function pagesOf(list: Kind['list'], query: Query): Promise<Page[]> {
  const pages = [await list(query)];
  for (let cursor = pages[0]?.next_cursor ?? null; cursor !== null; cursor = pages.at(-1)?.next_cursor ?? null) {
    pages.push(await list({ ...query, cursor }));
  }
  return pages;
}

const cursorOf = ({ changes_cursor }: Page): string => changes_cursor ?? assert.fail('there is no changes_cursor');

onBothStores('lists in the order of change', (app) => {
  for (const name of ['orders', 'customers', 'products', 'subscriptions', 'inquiries']) {
    const kind = () => kindsOf(app()).find((one) => one.name === name) ?? assert.fail(name);

    test(`${name}: a list from the start has all, and the next one exactly what was made or changed since, in that order`, async () => {
      const { list, make, change, remove } = kind();
      const ids = [await make(), await make(), await make(), await make(), await make()] as const;
      await change(ids[1]);
      const pages = await pagesOf(list, { after: 'start', per_page: 2 });
      const all = pages.flatMap(idsOf);
      assert.deepEqual(
        all.filter((id) => ids.some((one) => one === id)),
        [ids[0], ids[2], ids[3], ids[4], ids[1]],
      );
      assert.equal(new Set(all).size, all.length);
      assert.ok(pages.every(({ total, total_pages }) => total === all.length && total_pages === pages.length));
      assert.deepEqual(
        pages.map(({ page }) => page),
        pages.map((_, n) => n + 1),
      );
      assert.equal(new Set(pages.map(cursorOf)).size, 1);

      const [first] = pages;
      assert.ok(first);
      const nothing = await list({ after: cursorOf(first) });
      assert.deepEqual([nothing.data, nothing.total, nothing.next_cursor], [[], 0, null]);

      const added = await make();
      await change(ids[3]);
      if (remove) await remove(ids[0]);
      const changed = await list({ after: cursorOf(nothing) });
      assert.deepEqual([idsOf(changed), changed.total], [[added, ids[3]], 2]);
      // The older cursor still gives what was changed after it.
      assert.deepEqual(idsOf(await list({ after: cursorOf(first) })), [added, ids[3]]);
      assert.deepEqual(idsOf(await list({ after: cursorOf(changed) })), []);
    });

    test(`${name}: a record that changes while the pages are read is not listed twice, and the next list has it`, async () => {
      const { list, make, change } = kind();
      const begin = cursorOf(await list({ after: 'start', per_page: 1 }));
      const ids = [await make(), await make(), await make(), await make()] as const;
      const first = await list({ after: begin, per_page: 2 });
      await change(ids[0]);
      await change(ids[3]);
      const late = await make();
      const second = await list({ after: begin, per_page: 2, cursor: first.next_cursor ?? assert.fail('only one page') });
      assert.deepEqual([idsOf(first), idsOf(second), second.next_cursor], [[ids[0], ids[1]], [ids[2]], null]);
      assert.equal(cursorOf(second), cursorOf(first));
      assert.deepEqual(idsOf(await list({ after: cursorOf(second) })), [ids[0], ids[3], late]);
    });

    test(`${name}: updated_since includes its time, and sort=updated_at lists in that order`, async () => {
      const { list, make, change } = kind();
      const ids = [await make(), await make(), await make()];
      await change(ids[0] ?? 0);
      const all = (await pagesOf(list, { per_page: 100 })).flatMap(({ data }) => data);
      const byUpdate = all.toSorted((a, b) => (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : a.id - b.id));
      const expected = byUpdate.map(({ id }) => id);
      for (const per_page of [2, 100]) {
        assert.deepEqual((await pagesOf(list, { sort: 'updated_at', per_page })).flatMap(idsOf), expected);
        assert.deepEqual((await pagesOf(list, { sort: '-updated_at', per_page })).flatMap(idsOf), expected.toReversed());
      }
      const { updated_at: updated_since } = byUpdate[Math.floor(byUpdate.length / 2)] ?? assert.fail();
      const since = byUpdate.filter(({ updated_at }) => updated_at >= updated_since).map(({ id }) => id);
      const found = await list({ updated_since, sort: 'updated_at', per_page: 100 });
      assert.deepEqual([idsOf(found), found.total], [since, since.length]);
      assert.deepEqual(new Set(idsOf(await list({ updated_since, per_page: 100 }))), new Set(since));
      assert.equal((await list({ updated_since: '2999-01-01T00:00:00Z' })).total, 0);
    });
  }

  test('filters select among the changes', async () => {
    const { customers, orders } = app().client;
    const { changes_cursor: after = '' } = await customers.list({ after: 'start' });
    const known = await makeCustomer(app(), { registered: true });
    const guest = await makeCustomer(app(), { registered: false });
    assert.deepEqual(idsOf(await customers.list({ after, registered: true })), [known.id]);
    assert.deepEqual(idsOf(await customers.list({ after, search: guest.email })), [guest.id]);
    const { changes_cursor: start = '' } = await orders.list({ after: 'start' });
    const [paid, test, open] = [
      await makeOrder(app(), { payment_status: 'paid' }),
      await makeOrder(app(), { is_test: true }),
      await makeOrder(app()),
    ];
    assert.deepEqual(idsOf(await orders.list({ after: start })), [paid.id, open.id]);
    assert.deepEqual(idsOf(await orders.list({ after: start, include_test: true })), [paid.id, test.id, open.id]);
    assert.deepEqual(idsOf(await orders.list({ after: start, payment_status: 'paid' })), [paid.id]);
    await orders.update_test_flag(test.id, { is_test: false });
    assert.deepEqual(idsOf(await orders.list({ after: start })), [paid.id, open.id, test.id]);
  });

  test('a change of any part of a record is a change of the record', async () => {
    const { orders, customers, products } = app().client;
    const customer = await makeCustomer(app());
    const variant = await makeVariant(app());
    const order = await makeOrder(app(), { customer }, [{ variant, quantity: 1 }]);
    const payment = await orders.create_payment(order.id, { amount_cents: 1, label: 'part' });
    const address = await makeAddress(app(), customer.id);
    const after = {
      orders: (await orders.list({ after: 'start' })).changes_cursor ?? '',
      customers: (await customers.list({ after: 'start' })).changes_cursor ?? '',
      products: (await products.list({ after: 'start' })).changes_cursor ?? '',
    };
    const expectOrder = async (change: () => Promise<unknown>) => {
      await change();
      const page = await orders.list({ after: after.orders });
      assert.deepEqual(idsOf(page), [order.id]);
      after.orders = cursorOf(page);
    };
    await expectOrder(() => orders.update_payment(order.id, payment.id, { paid: true }));
    await expectOrder(() => orders.delete_payment(order.id, payment.id));
    await expectOrder(() => orders.edit(order.id, { shipping: { cost_cents: 700 } }));
    await expectOrder(() => orders.bulk_status({ ids: [order.id], status: 'processing' }));

    const expectCustomer = async (change: () => Promise<unknown>) => {
      await change();
      const page = await customers.list({ after: after.customers });
      assert.deepEqual(idsOf(page), [customer.id]);
      after.customers = cursorOf(page);
    };
    await expectCustomer(() => customers.update(customer.id, { phone: '1' }));
    await expectCustomer(() => customers.update_b2b(customer.id, { is_b2b: true, discount_group_id: null }));
    await expectCustomer(() => customers.delete_address(customer.id, address.id));
    await expectCustomer(() => customers.adjust_credits(customer.id, { delta: 5 }));

    const expectProduct = async (change: () => Promise<unknown>) => {
      await change();
      const page = await products.list({ after: after.products });
      assert.deepEqual(idsOf(page), [variant.product_id]);
      after.products = cursorOf(page);
    };
    await expectProduct(() => products.update_variant(variant.id, { price_cents: 5 }));
    await expectProduct(() => products.change_stock(variant.id, { delta: 3, reason: 'found' }));
    // A sale changes the stock that a product shows, though not its row version.
    await expectProduct(() => makeOrder(app(), {}, [{ variant, quantity: 2 }]));
  });

  test('what is not a cursor of the list is refused, and why is said', async () => {
    const { customers } = app().client;
    for (let i = 0; i < 3; i++) await makeCustomer(app());
    const page = await customers.list({ after: 'start', per_page: 1 });
    const [changes, next] = [cursorOf(page), page.next_cursor ?? assert.fail('only one page')];
    const plain = (await customers.list({ per_page: 1 })).next_cursor ?? assert.fail('only one page');
    const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const parts: unknown[] = JSON.parse(Buffer.from(changes, 'base64url').toString());
    const [era, from, to] = parts;
    const check = async (query: Record<string, unknown>, parameter: string, detail: RegExp, code = 'invalid_value') => {
      const path = `/admin/api/customers?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
      const answer = await app().request({ path });
      const { errors } = Problem.parse(answer.body);
      assert.deepEqual([answer.status, errors.map((one) => [one.code, one.parameter])], [422, [[code, parameter]]]);
      assert.match(errors[0]?.detail ?? '', detail);
    };
    await check({ after: 'start', page: 1 }, 'after', /cannot be used together with page/);
    await check({ after: 'start', sort: 'name' }, 'sort', /cannot be used together with after/);
    await check({ after: 'now' }, 'after', /must be changes_cursor of this list, or start/);
    await check({ after: next }, 'after', /must be changes_cursor of this list, or start/);
    await check({ after: 'start', cursor: changes }, 'cursor', /must be next_cursor of this list, read with after/);
    await check({ after: 'start', cursor: plain }, 'cursor', /must be next_cursor of this list, read with after/);
    await check({ cursor: next }, 'cursor', /must be next_cursor of this list/);
    await check({ after: text([era, from, Number(to) + 1e9, [], 0]) }, 'after', /lost when the shop was restored.*after=start/);
    await check({ after: text(['another', from, to, [], 0]) }, 'after', /lost when the shop was restored.*after=start/);
    for (const open of [[-1], ['1'], [1.5], Array.from({ length: 101 }, (_, n) => n)]) {
      await check({ after: text([era, from, to, open, 0]) }, 'after', /must be changes_cursor/);
    }
    await check({ updated_since: '2026-02-30T00:00:00Z' }, 'updated_since', /RFC 3339/, 'invalid_timestamp');
    await check({ updated_since: '2026-02-01' }, 'updated_since', /RFC 3339/, 'invalid_timestamp');
    assert.equal((await customers.list({ after: text([era, 0, to, [1, 2, 3], 0]) })).data.length, 0);
  });

  test('the Link header leads to the next page by cursor, and nowhere on the last one', async () => {
    const { changes_cursor: after = '' } = await app().client.customers.list({ after: 'start' });
    const made = [await makeCustomer(app()), await makeCustomer(app())];
    const first = await app().request({ path: `/admin/api/customers?after=${after}&per_page=1` });
    const [, path = ''] = /^<([^>]+)>; rel="next"$/.exec(first.headers['link'] ?? '') ?? assert.fail(first.headers['link']);
    const second = await app().request({ path });
    assert.equal(second.status, 200, second.text);
    assert.equal(JSON.parse(second.text).data[0].id, made[1]?.id);
    assert.equal(second.headers['link'], undefined);
  });
});
