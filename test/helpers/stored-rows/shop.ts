import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';
import { fillSortValues } from '../../../server/db/schema/products.ts';
import type { NewRow, Row } from '../../../server/db/tables.ts';
import { sortKey } from '../../../server/values/texts.ts';

/**
 * Records that the API cannot make, because it makes them now and for an admin: from a day in the past, from a storefront or a
 * payment provider, with a given id, or without a server. Every value has a default, and every name is unique.
 */

const AT = '2026-03-01T12:00:00.000Z';
let made = 0;
const next = (): number => ++made;

/** Stores a customer from an earlier day, or a guest without a name; the API takes no time of creation and needs a name. */
export async function storeCustomer(store: Store, values: Partial<NewRow<'customers'>> = {}): Promise<Row<'customers'>> {
  const n = next();
  const { name = `Stored customer ${n}`, email = `stored-customer-${n}@example.com` } = values;
  const row: NewRow<'customers'> = {
    phone: null,
    registered: 1,
    is_b2b: 0,
    discount_group_id: null,
    register_ip: '',
    last_login_ip: '',
    created_at: AT,
    updated_at: AT,
    ...values,
    name,
    name_folded: sortKey(name),
    email,
    email_folded: sortKey(email),
  };
  return store.write((db) => db.insertInto('customers').values(row).returningAll().executeTakeFirstOrThrow());
}

/** Stores a product from an earlier day; the API takes no time of creation. */
export async function storeProduct(store: Store, values: Partial<NewRow<'products'>> = {}): Promise<Row<'products'>> {
  const n = next();
  const { name = `Stored product ${n}` } = values;
  const row: NewRow<'products'> = {
    public_id: `STOREDPRODUCT${n}`,
    slug: `stored-product-${n}`,
    description: '',
    status: 'active',
    kind: 'physical',
    tax_rate_id: null,
    low_stock_threshold: null,
    custom_fields: '[]',
    is_subscription: 0,
    billing_interval: null,
    billing_interval_count: 1,
    cancellation_policy: 'immediate',
    max_billing_cycles: null,
    created_at: AT,
    updated_at: AT,
    ...values,
    name,
    name_folded: sortKey(name),
  };
  return store.write((db) => db.insertInto('products').values(row).returningAll().executeTakeFirstOrThrow());
}

/** Stores a variant with the stock movement for its stock, on a new product if `product_id` is not given. */
export async function storeVariant(store: Store, values: Partial<NewRow<'variants'>> = {}): Promise<Row<'variants'>> {
  const product_id = values.product_id ?? (await storeProduct(store)).id;
  const { sku = `STORED-SKU-${next()}`, label = '' } = values;
  const row: NewRow<'variants'> = {
    price_cents: 1000,
    compare_at_price_cents: null,
    track_stock: 1,
    stock: 100,
    allow_backorder: 0,
    weight_grams: 0,
    position: 0,
    active: 1,
    ...values,
    sku,
    sku_folded: sortKey(sku),
    label,
    label_folded: sortKey(label),
    product_id,
  };
  return store.write(async (db) => {
    const variant = await db.insertInto('variants').values(row).returningAll().executeTakeFirstOrThrow();
    const movement = { variant_id: variant.id, delta: variant.stock, reason: 'initial', order_id: null, actor: 'system', at: AT };
    if (variant.stock !== 0) await db.insertInto('stock_movements').values(movement).execute();
    await sql`${sql.raw(fillSortValues)} WHERE id = ${product_id}`.execute(db);
    return variant;
  });
}

type Line = {
  variant: Pick<Row<'variants'>, 'id' | 'product_id' | 'sku' | 'label' | 'price_cents'> & { track_stock: number | boolean };
  quantity: number;
};

/**
 * Stores an order from an earlier day, from a storefront, or paid through a provider: the API takes no time of creation and no total
 * without lines, and makes only manual orders. With lines, the totals are computed from them, and the stock is taken unless the
 * order is cancelled.
 */
export async function storeOrder(
  store: Store,
  values: Partial<NewRow<'orders'>> = {},
  lines: readonly Line[] = [],
): Promise<Row<'orders'>> {
  const n = next();
  const { customer_name = `Stored customer ${n}`, customer_email = `stored-customer-${n}@example.com` } = values;
  // The tax is 20% and is added to the prices.
  const goods = lines.map(({ variant, quantity }) => {
    const subtotal = variant.price_cents * quantity;
    return { variant, quantity, amounts: { subtotal, discount_amount: 0, tax_amount: Math.round(subtotal / 5) } };
  });
  const subtotal = goods.reduce((sum, { amounts }) => sum + amounts.subtotal, 0);
  const tax_amount = goods.reduce((sum, { amounts }) => sum + amounts.tax_amount, 0);
  const row: NewRow<'orders'> = {
    public_id: `STOREDORDER${n}`,
    customer_id: null,
    status: 'pending',
    payment_status: 'none',
    customer_phone: '',
    shipping_line1: '1 High Street',
    shipping_line2: '',
    shipping_city: 'Vienna',
    shipping_state: '',
    shipping_postal_code: '1010',
    shipping_country: 'AT',
    notes: '',
    currency: 'EUR',
    prices_include_tax: 0,
    subtotal,
    discount_amount: 0,
    tax_amount,
    shipping_method: '',
    shipping_cost: 0,
    total: lines.length > 0 ? subtotal + tax_amount : 1000,
    payment_provider: 'manual',
    tracking_number: '',
    ip_address: '',
    is_test: 0,
    created_at: AT,
    updated_at: AT,
    ...values,
    customer_name,
    customer_name_folded: sortKey(customer_name),
    customer_email,
    customer_email_folded: sortKey(customer_email),
  };
  return store.write(async (db) => {
    const order = await db.insertInto('orders').values(row).returningAll().executeTakeFirstOrThrow();
    for (const [position, { variant, quantity, amounts }] of goods.entries()) {
      const item: NewRow<'order_items'> = {
        order_id: order.id,
        product_id: variant.product_id,
        variant_id: variant.id,
        product_name: `Product of ${variant.sku}`,
        product_sku: variant.sku,
        variant_label: variant.label,
        unit_price: variant.price_cents,
        quantity,
        tax_rate: 2000,
        custom_fields: '[]',
        position,
        ...amounts,
      };
      await db.insertInto('order_items').values(item).execute();
      if (order.status === 'cancelled' || !variant.track_stock) continue;
      const movement = { variant_id: variant.id, delta: -quantity, reason: 'order placed', order_id: order.id, actor: 'system', at: AT };
      await db.insertInto('stock_movements').values(movement).execute();
      await db
        .updateTable('variants')
        .set({ stock: sql<number>`stock - CAST(${quantity} AS bigint)` })
        .where('id', '=', variant.id)
        .execute();
    }
    return order;
  });
}

/** Stores an internal status, for tests without a server. */
export async function storeOrderStatus(store: Store, values: Partial<NewRow<'order_statuses'>> = {}): Promise<Row<'order_statuses'>> {
  const { name = `Status ${next()}` } = values;
  const row: NewRow<'order_statuses'> = { color: '#808080', sort_order: 1, ...values, name, name_folded: sortKey(name) };
  return store.write((db) => db.insertInto('order_statuses').values(row).returningAll().executeTakeFirstOrThrow());
}

/** Stores a credit bucket with its grant; it may have expired, which the API does not allow for a new grant. */
export async function storeCredits(
  store: Store,
  values: { customer_id: number; credits: number; expires_at?: string | null },
): Promise<Row<'credit_buckets'>> {
  const { customer_id, credits, expires_at = null } = values;
  return store.write(async (db) => {
    const bucket = await db
      .insertInto('credit_buckets')
      .values({ customer_id, remaining_credits: credits, expires_at, created_at: AT })
      .returningAll()
      .executeTakeFirstOrThrow();
    const grant = { customer_id, kind: 'manual_grant', delta_credits: credits, credit_id: bucket.id, created_at: AT, created_by: 'system' };
    await db.insertInto('credit_transactions').values(grant).execute();
    return bucket;
  });
}

/** Attaches a file to a product that is not digital, as old products may have. The API attaches files only to digital products. */
export async function storeFileOfGoods(store: Store, of: { product_id: number; file_id: number }): Promise<void> {
  await store.write((db) =>
    db
      .insertInto('product_files')
      .values({ ...of, position: next() })
      .execute(),
  );
}
