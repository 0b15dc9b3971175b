import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FinishedRun } from '../helpers/run-task.ts';
import {
  AS_OF,
  absentCustomers,
  daysBefore,
  inSampleShop,
  notesThatBegin,
  readOrders,
  unpaidOrders,
  winBackGrants,
} from './example-shop.ts';

inSampleShop('sqlite', 800, (shop) => {
  test('tag-late-orders tags exactly the late orders, once', async () => {
    const { store, runs } = shop();
    const before = await readOrders(store);
    const late = before.filter(({ status, payment_status, delivery_date, created_at, internal_status_id }) => {
      if (status !== 'pending' && status !== 'processing') return false;
      if (payment_status === 'failed' || payment_status === 'refunded' || internal_status_id !== null) return false;
      return delivery_date === null ? created_at.slice(0, 10) <= daysBefore(3) : delivery_date < AS_OF;
    });
    assert.ok(late.length > 5);
    const parameters = { as_of: AS_OF, days: 3, status_name: 'Too late' };
    const first = await runs.run('tag-late-orders', { parameters: { ...parameters, max: 5 } });
    assertEnd(first, { late: late.length, tagged: 5, failed: 0, left: late.length - 5 }, 6);
    const second = await runs.run('tag-late-orders', { parameters });
    assertEnd(second, { late: late.length - 5, tagged: late.length - 5, failed: 0, left: 0 }, late.length - 5);

    const status = await store.reader.selectFrom('order_statuses').selectAll().where('name', '=', 'Too late').executeTakeFirstOrThrow();
    const wanted = new Set(late.map(({ id }) => id));
    for (const [index, order] of (await readOrders(store)).entries()) {
      const expected = wanted.has(order.id) ? status.id : before[index]?.internal_status_id;
      assert.equal(order.internal_status_id, expected);
    }
    const third = await runs.run('tag-late-orders', { parameters });
    assertEnd(third, { late: 0, tagged: 0, failed: 0, left: 0 }, 0);
  });

  test('win-back-credit grants once to each customer who stayed away', async () => {
    const { store, runs } = shop();
    const absent = await absentCustomers(store, 90);
    const parameters = { as_of: AS_OF, credits: 250, max: 33 };
    const first = await runs.run('win-back-credit', { parameters });
    assertEnd(first, { absent: absent.length, granted: 33, had_it: 0, left: absent.length - 33 }, 33);
    const second = await runs.run('win-back-credit', { parameters: { ...parameters, max: 1000 } });
    assertEnd(second, { absent: absent.length, granted: absent.length - 33, had_it: 33, left: 0 }, absent.length - 33);
    assert.deepEqual(
      [...(await winBackGrants(store))].sort(([a], [b]) => a - b),
      absent.map((id) => [id, 1]),
    );
    const third = await runs.run('win-back-credit', { parameters });
    assertEnd(third, { absent: absent.length, granted: 0, had_it: absent.length, left: 0 }, 0);
  });

  test('cancel-unpaid-orders cancels what was not paid in time and gives its stock back', async () => {
    const { store, runs } = shop();
    const unpaid = await unpaidOrders(store, 7);
    assert.ok(unpaid.length > 10);
    const held = await stockOf(shop, unpaid);
    const finished = await runs.run('cancel-unpaid-orders', { parameters: { as_of: AS_OF, days: 7 } });
    const orders = (await readOrders(store)).filter(({ id }) => unpaid.includes(id));
    const cents = orders.reduce((sum, { total }) => sum + total, 0);
    assertEnd(finished, { unpaid: unpaid.length, cancelled: unpaid.length, cancelled_cents: cents, skipped: 0, left: 0 }, unpaid.length);
    assert.ok(orders.every(({ status }) => status === 'cancelled'));
    assert.deepEqual(await unpaidOrders(store, 7), []);
    assert.ok(held < 0);
    assert.equal(await stockOf(shop, unpaid), 0);
    const again = await runs.run('cancel-unpaid-orders', { parameters: { as_of: AS_OF, days: 7 } });
    assertEnd(again, { unpaid: 0, cancelled: 0, cancelled_cents: 0, skipped: 0, left: 0 }, 0);
  });

  test('welcome-note greets each new customer once, by name', async () => {
    const { store, runs } = shop();
    const customers = await store.reader.selectFrom('customers').selectAll().orderBy('id').execute();
    const fresh = customers.filter(({ created_at }) => created_at.slice(0, 10) >= daysBefore(30) && created_at.slice(0, 10) <= AS_OF);
    assert.ok(fresh.length > 3);
    const parameters = { as_of: AS_OF, days: 30, text: 'Hello, {name}! $& stays as it is.' };
    const first = await runs.run('welcome-note', { parameters: { ...parameters, max: 3 } });
    assertEnd(first, { new_customers: fresh.length, welcomed: 3, skipped: 0, left: fresh.length - 3 }, 3);
    const second = await runs.run('welcome-note', { parameters });
    assertEnd(second, { new_customers: fresh.length, welcomed: fresh.length - 3, skipped: 3, left: 0 }, fresh.length - 3);
    assert.deepEqual(
      [...(await notesThatBegin(store, 'Hello, '))].sort(([a], [b]) => a - b),
      fresh.map(({ id }) => [id, 1]),
    );
    const notes = await store.reader
      .selectFrom('customer_notes')
      .selectAll()
      .where('customer_id', '=', fresh[0]?.id ?? 0)
      .execute();
    assert.ok(notes.some(({ body }) => body === `Hello, ${fresh[0]?.name}! $& stays as it is.`));
  });
});

function assertEnd({ run, effects, events }: FinishedRun, result: object, writes: number): void {
  assert.equal(run.status, 'success', run.error_message ?? '');
  assert.deepEqual(run.result, result);
  assert.equal(effects.length, writes);
  assert.equal(new Set(effects.map(({ method, path }) => `${method} ${path}`)).size, writes);
  assert.equal(events.filter((event) => event.kind === 'admin_api' && event.status >= 400).length, 0);
  if (writes > 0) assert.notEqual(run.last_checkpoint, null);
}

/** The sum of the orders' stock movements, which is below 0 while they hold stock. */
async function stockOf(shop: Parameters<Parameters<typeof inSampleShop>[2]>[0], orders: readonly number[]): Promise<number> {
  const rows = await shop().store.reader.selectFrom('stock_movements').select('delta').where('order_id', 'in', orders).execute();
  return rows.reduce((sum, { delta }) => sum + delta, 0);
}
