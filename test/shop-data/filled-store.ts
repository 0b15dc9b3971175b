import type { TestContext } from 'node:test';
import type { Engine } from '../../server/db/dialect.ts';
import { migrate } from '../../server/db/migrate.ts';
import { openStore, type Store } from '../../server/db/open.ts';
import type { Database } from '../../server/db/tables.ts';
import { createDatabase } from '../helpers/stores.ts';

/** Opens an empty shop, which is removed after the test. */
export async function emptyShop(t: TestContext, engine: Engine): Promise<{ store: Store; url: string }> {
  const database = await createDatabase(engine);
  const store = openStore({ url: database.url, poolSize: 2 });
  await migrate(store);
  t.after(async () => {
    await store.close();
    await database.drop();
  });
  return { store, url: database.url };
}

const TABLES = [
  'settings',
  'tax_rates',
  'products',
  'variants',
  'stock_movements',
  'customers',
  'addresses',
  'customer_notes',
  'credit_buckets',
  'credit_transactions',
  'order_statuses',
  'shipping_methods',
  'pickup_locations',
  'discount_groups',
  'vouchers',
  'pages',
  'page_translations',
  'theme_templates',
  'orders',
  'order_items',
  'voucher_uses',
  'payments',
  'shipments',
  'subscriptions',
  'subscription_invoices',
  'log_entries',
] as const satisfies readonly (keyof Database)[];

/** Every row of the shop, in an order that does not depend on the engine. */
export async function dumpOf(store: Store): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows = await store.reader.selectFrom(table).selectAll().execute();
    // The numbers of changes count on by the clock.
    const names = Object.keys(rows[0] ?? {})
      .filter((name) => name !== 'changed_in')
      .sort();
    dump[table] = rows.map((row) => JSON.stringify(row, names)).sort();
  }
  return dump;
}

/** The number of rows that contradict others. */
export async function sumsOf(store: Store): Promise<{ wrongOrders: number; wrongStock: number; negativeStock: number }> {
  const db = store.reader;
  const orders = await db.selectFrom('orders').selectAll().execute();
  const items = await db.selectFrom('order_items').selectAll().execute();
  const variants = await db.selectFrom('variants').selectAll().execute();
  const movements = await db.selectFrom('stock_movements').selectAll().execute();
  const linesOf = Map.groupBy(items, ({ order_id }) => order_id);
  const movementsOf = Map.groupBy(movements, ({ variant_id }) => variant_id);
  const wrongOrders = orders.filter((order) => {
    const lines = linesOf.get(order.id) ?? [];
    const goods = lines.reduce((sum, { subtotal }) => sum + subtotal, 0);
    const discount = lines.reduce((sum, { discount_amount }) => sum + discount_amount, 0);
    const parts = order.subtotal - order.discount_amount + order.shipping_cost + order.tax_amount;
    return goods !== order.subtotal || discount !== order.discount_amount || parts !== order.total;
  });
  const wrongStock = variants.filter(({ id, stock }) => (movementsOf.get(id) ?? []).reduce((sum, { delta }) => sum + delta, 0) !== stock);
  return {
    wrongOrders: wrongOrders.length,
    wrongStock: wrongStock.length,
    negativeStock: variants.filter(({ stock }) => stock < 0).length,
  };
}
