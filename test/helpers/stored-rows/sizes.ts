import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';
import type { NewRow } from '../../../server/db/tables.ts';
import { sortKey } from '../../../server/values/texts.ts';

/** Large numbers of records, which would take minutes to make with requests. */

const AT = '2026-03-01T12:00:00.000Z';
let made = 0;

/** Stores `count` customers named `Customer <n>`, n from 1. Returns the first id; the other ids follow it. */
export async function fillWithCustomers(store: Store, count: number): Promise<number> {
  const PER_INSERT = 500;
  let first = 0;
  await store.write(async (db) => {
    for (let done = 0; done < count; done += PER_INSERT) {
      const rows = Array.from({ length: Math.min(PER_INSERT, count - done) }, (_, n) => customerRow(done + n + 1));
      const ids = await db.insertInto('customers').values(rows).returning('id').execute();
      first ||= Math.min(...ids.map(({ id }) => id));
    }
  });
  return first;
}

function customerRow(n: number): NewRow<'customers'> {
  made += 1;
  const name = `Customer ${n}`;
  const email = `customer-${made}@shop.example`;
  const rest = {
    phone: null,
    registered: 1,
    is_b2b: 0,
    discount_group_id: null,
    register_ip: '',
    last_login_ip: '',
    created_at: AT,
    updated_at: AT,
  };
  return { ...rest, name, name_folded: sortKey(name), email, email_folded: sortKey(email) };
}

/** Gives a group 1001 members. */
export async function storeCrowd(store: Store, groupId: number): Promise<void> {
  const first = await fillWithCustomers(store, 1001);
  await store.write((db) =>
    sql`INSERT INTO access_group_members (group_id, customer_id, until)
      SELECT CAST(${groupId} AS bigint), id, '9999-12-31T23:59:59.999Z' FROM customers WHERE id >= ${first} AND id < ${first + 1001}`.execute(
      db,
    ),
  );
}

/** Stores `count` variants with prices of 0, 1, 2 … cents that may be backordered. Returns their ids. */
export async function storeVariants(store: Store, product_id: number, count: number): Promise<number[]> {
  const rows = Array.from({ length: count }, (_, n) => ({
    product_id,
    sku: `MANY-${product_id}-${n}`,
    sku_folded: `MANY-${product_id}-${n}`,
    label: `${n}`,
    label_folded: `${n}`,
    price_cents: n,
    compare_at_price_cents: null,
    track_stock: 1,
    stock: 0,
    allow_backorder: 1,
    weight_grams: 0,
    position: n,
    active: 1,
  }));
  const many = await store.write((db) => db.insertInto('variants').values(rows).returning('id').execute());
  return many.map(({ id }) => id);
}

/** Stores `count` copies of the order without its lines, and lets the database update its statistics. */
export async function storeCopiesOfOrder(store: Store, orderId: number, count: number): Promise<void> {
  const order = await store.reader.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow();
  const copied = Object.keys(order).filter((name) => name !== 'id' && name !== 'public_id');
  const columns = sql.join(copied.map((name) => sql.ref(name)));
  await store.write((db) =>
    sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(count)})
      INSERT INTO orders (public_id, ${columns}) SELECT 'BIG' || n.i, ${columns} FROM orders, n WHERE orders.id = ${orderId}`.execute(db),
  );
  // The database does this by itself some time after so many new rows.
  await store.write((db) => sql`ANALYZE orders`.execute(db));
}
