import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onBothStores } from '../helpers/app.ts';
import { makeCustomer, makeOrder } from '../helpers/builders.ts';
import { refused } from '../helpers/refused.ts';

const nothing = { changing: 0, unchanged: 0, missing: 0, deleted: 0, other_group: 0, new_businesses: 0, insufficient: 0, value_cents: 0 };

onBothStores('discount groups and credits of many customers', (app) => {
  /** A customer whose personal data was deleted, but who has ordered. */
  async function makeDeleted(): Promise<number> {
    const { id, email } = await makeCustomer(app());
    await makeOrder(app(), { customer_email: email });
    await app().client.customers.delete(id);
    return id;
  }

  test('CU15: a discount group is given to many, who become businesses, and taken again; each tells how it went', async () => {
    const { customers, discount_groups } = app().client;
    const [trade, other] = [await discount_groups.create({ name: 'Trade' }), await discount_groups.create({ name: 'Other' })];
    const [plain, has, leaves, gone] = [
      await makeCustomer(app()),
      await makeCustomer(app()),
      await makeCustomer(app()),
      await makeDeleted(),
    ];
    await customers.update_b2b(plain.id, { is_b2b: false });
    await customers.update_b2b(has.id, { is_b2b: true, discount_group_id: trade.id });
    await customers.update_b2b(leaves.id, { is_b2b: true, discount_group_id: other.id });
    const customer_ids = [leaves.id, 999_999, plain.id, gone, has.id];
    const give = { customer_ids, discount_group_id: trade.id };
    const preview = await customers.preview_bulk({ customer_ids, change: { kind: 'discount_group', discount_group_id: trade.id } });
    assert.deepEqual(preview, { ...nothing, changing: 2, unchanged: 1, missing: 1, deleted: 1, other_group: 1, new_businesses: 1 });
    assert.equal((await customers.get(plain.id)).discount_group_id, null, 'a preview writes nothing');
    assert.deepEqual((await customers.bulk_discount_group(give)).results, [
      { id: leaves.id },
      { id: 999_999, code: 'customer_not_found' },
      { id: plain.id },
      { id: gone, code: 'customer_deleted' },
      { id: has.id },
    ]);
    for (const { id } of [plain, has, leaves]) {
      const { is_b2b, discount_group_id } = await customers.get(id);
      assert.deepEqual([is_b2b, discount_group_id], [true, trade.id]);
    }
    const none = { kind: 'discount_group' as const, discount_group_id: null };
    assert.deepEqual(await customers.preview_bulk({ customer_ids: [plain.id, gone], change: none }), {
      ...nothing,
      changing: 1,
      deleted: 1,
    });
    await customers.bulk_discount_group({ customer_ids: [plain.id], discount_group_id: null });
    const { is_b2b, discount_group_id } = await customers.get(plain.id);
    assert.deepEqual([is_b2b, discount_group_id], [true, null], 'a business stays one');
    const unknown = { kind: 'discount_group' as const, discount_group_id: 999_999 };
    await refused(customers.preview_bulk({ customer_ids, change: unknown }), 422, 'discount_group_not_found');
    await refused(customers.bulk_discount_group({ ...give, discount_group_id: 999_999 }), 422, 'discount_group_not_found');
    assert.deepEqual((await customers.bulk_discount_group({ customer_ids: [gone], discount_group_id: trade.id })).results, [
      { id: gone, code: 'customer_deleted' },
    ]);
  });

  test('CU15: many are granted credits at once; of a deduction, who has fewer keeps them', async () => {
    const { customers, settings } = app().client;
    await settings.update({ credit_value_minor: 5 });
    const [rich, poor, gone] = [await makeCustomer(app()), await makeCustomer(app()), await makeDeleted()];
    const customer_ids = [rich.id, poor.id, gone];
    const granted = await customers.bulk_credits({ customer_ids: [rich.id, poor.id], delta: 10, expires_in_days: 30, note: 'the fair' });
    assert.deepEqual(granted.results, [{ id: rich.id }, { id: poor.id }]);
    await customers.adjust_credits(rich.id, { delta: 15 });
    const preview = await customers.preview_bulk({ customer_ids, change: { kind: 'credits', delta: -20 } });
    assert.deepEqual(preview, { ...nothing, changing: 1, insufficient: 1, deleted: 1, value_cents: 100 });
    assert.deepEqual((await customers.bulk_credits({ customer_ids, delta: -20 })).results, [
      { id: rich.id },
      { id: poor.id, code: 'insufficient_credit' },
      { id: gone, code: 'customer_deleted' },
    ]);
    assert.deepEqual([(await customers.get(rich.id)).credits, (await customers.get(poor.id)).credits], [5, 10]);
    const { transactions } = await customers.list_credit_transactions(poor.id);
    assert.deepEqual(
      transactions.map(({ kind, delta_credits, note }) => [kind, delta_credits, note]),
      [['manual_grant', 10, 'the fair']],
    );
    await refused(customers.bulk_credits({ customer_ids, delta: 0 }), 422, 'zero_delta');
  });

  test('CU15: the same request with the same Idempotency-Key grants credits once', async () => {
    const { id } = await makeCustomer(app());
    const options = { headers: { 'idempotency-key': '"credits-of-many"' } };
    for (let n = 0; n < 2; n++) await app().client.customers.bulk_credits({ customer_ids: [id], delta: 3 }, options);
    assert.equal((await app().client.customers.get(id)).credits, 3);
  });
});
