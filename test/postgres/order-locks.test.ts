import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startApp, type TestApp } from '../helpers/app.ts';
import { makeVariant } from '../helpers/builders.ts';
import { until } from '../helpers/machines.ts';
import { phoneOrder } from '../helpers/phone-orders.ts';
import { stopPostgres } from '../helpers/stores.ts';
import { makeVoucher } from '../helpers/terms.ts';

/** On PostgreSQL all writes must lock shared vouchers and stock in the same order, or they deadlock. */

let app: TestApp;

before(async () => {
  app = await startApp('postgres');
});

after(async () => {
  await app.close();
  await stopPostgres();
});

type Row = { table: 'vouchers' | 'variants' | 'products'; id: number };

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const lock = ({ table, id }: Row, more: string): string => `SELECT id FROM ${table} WHERE id = ${id} FOR NO KEY UPDATE ${more}`;

/** While another transaction holds `held`, starts a request, waits until it is blocked, and answers which `rows` it has locked. */
async function lockedBefore(held: Row, rows: readonly Row[], request: () => Promise<unknown>): Promise<Row[]> {
  return withClient(async (holder) => {
    await holder.query('BEGIN');
    await holder.query(lock(held, ''));
    const done = request();
    const locked = await withClient(async (observer) => {
      await until('the request waits', async () => {
        const sessions = await observer.query(
          "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return sessions.rows.length > 0;
      });
      const found: Row[] = [];
      for (const row of rows) {
        await observer.query(lock(row, 'NOWAIT')).catch(() => found.push(row));
      }
      return found;
    });
    await holder.query('COMMIT');
    await done;
    return locked;
  });
}

test('O24: a bulk change locks all vouchers, then variants, then products, each by id', async () => {
  const vouchers = [];
  const variants = [];
  for (let n = 0; n < 2; n++) {
    vouchers.push(await makeVoucher(app, { kind: 'fixed', amount_cents: 1 }));
    variants.push(await makeVariant(app, { stock: 100 }));
  }
  const ids: number[] = [];
  for (const n of [1, 0]) {
    const { id: variant_id } = variants[n] ?? { id: 0 };
    const { code } = vouchers[n] ?? { code: '' };
    ids.push((await app.client.orders.create(phoneOrder([{ variant_id, quantity: 1 }], { voucher_code: code }))).id);
  }
  const rows: Row[] = [
    ...vouchers.map(({ id }) => ({ table: 'vouchers' as const, id })),
    ...variants.map(({ id }) => ({ table: 'variants' as const, id })),
    ...variants.map(({ product_id: id }) => ({ table: 'products' as const, id })),
  ];
  for (const status of ['cancelled', 'pending'] as const) {
    for (const [n, held] of rows.entries()) {
      assert.deepEqual(
        await lockedBefore(held, rows.toSpliced(n, 1), () => app.client.orders.bulk_status({ ids, status })),
        rows.slice(0, n),
      );
      await app.client.orders.bulk_status({ ids, status: status === 'pending' ? 'cancelled' : 'pending' });
    }
    await app.client.orders.bulk_status({ ids, status });
  }
});

test('ED8: an edit locks its old and new voucher by id, then variants and products', async () => {
  const variant = await makeVariant(app, { stock: 100 });
  const vouchers = [];
  for (let n = 0; n < 2; n++) vouchers.push(await makeVoucher(app, { kind: 'fixed', amount_cents: 1 }));
  const [first, second] = vouchers;
  const rows: Row[] = [
    ...vouchers.map(({ id }) => ({ table: 'vouchers' as const, id })),
    { table: 'variants', id: variant.id },
    { table: 'products', id: variant.product_id },
  ];
  const items = [{ variant_id: variant.id, quantity: 1 }];
  for (const [from, to] of [
    [first, second],
    [second, first],
  ]) {
    for (const [n, held] of rows.entries()) {
      const { id } = await app.client.orders.create(phoneOrder(items, { voucher_code: from?.code ?? '' }));
      const edit = () => app.client.orders.edit(id, { voucher_code: to?.code ?? '', items });
      assert.deepEqual(await lockedBefore(held, rows.toSpliced(n, 1), edit), rows.slice(0, n));
    }
  }
});
