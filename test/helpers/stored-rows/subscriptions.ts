import type { Store } from '../../../server/db/open.ts';
import type { NewRow, Row } from '../../../server/db/tables.ts';
import { storeOrder, storeProduct, storeVariant } from './shop.ts';

const AT = '2026-03-01T12:00:00.000Z';
let made = 0;

/**
 * Stores an order from a storefront, paid through a provider, with one line of a subscription product (by default monthly).
 * The API makes only manual orders.
 */
export async function storeSubscriptionOrder(
  store: Store,
  values: {
    order?: Partial<NewRow<'orders'>>;
    product?: Partial<NewRow<'products'>>;
    price?: number;
    quantity?: number;
    lines?: number;
  } = {},
) {
  const { order: orderValues = {}, product: productValues = {}, price = 1990, quantity = 1, lines = 1 } = values;
  const product = await storeProduct(store, { is_subscription: 1, billing_interval: 'month', ...productValues });
  const variant = await storeVariant(store, { product_id: product.id, price_cents: price, label: 'Monthly', track_stock: 0 });
  const order = await storeOrder(
    store,
    { payment_status: 'paid', payment_provider: 'stripe', ...orderValues },
    Array.from({ length: lines }, () => ({ variant, quantity })),
  );
  return { order, product, variant };
}

/** Stores a subscription in any state. Through the API and the provider's events, most states take months. */
export async function storeSubscription(store: Store, values: Partial<NewRow<'subscriptions'>> = {}): Promise<Row<'subscriptions'>> {
  made += 1;
  const variant_id = values.variant_id ?? (await storeVariant(store)).id;
  return store.write(async (db) => {
    const { product_id } = await db.selectFrom('variants').select('product_id').where('id', '=', variant_id).executeTakeFirstOrThrow();
    const row: NewRow<'subscriptions'> = {
      public_id: `SUB${made}`,
      status: 'active',
      product_id,
      product_name: 'Coffee',
      variant_label: 'Monthly',
      customer_name: 'Ann',
      customer_email: 'ann@example.com',
      provider: 'stripe',
      external_subscription_id: `sub_made_${made}`,
      external_customer_id: `cus_made_${made}`,
      billing_interval: 'month',
      billing_interval_count: 1,
      cancellation_policy: 'immediate',
      unit_amount_cents: 1999,
      currency: 'EUR',
      quantity: 1,
      current_period_start: AT,
      current_period_end: '2026-04-01T12:00:00.000Z',
      cancel_at_period_end: 0,
      created_at: AT,
      updated_at: AT,
      ...values,
      variant_id,
    };
    return db.insertInto('subscriptions').values(row).returningAll().executeTakeFirstOrThrow();
  });
}

/** Stores an invoice of a subscription from any day; invoices come from the provider, not from the API. */
export async function storeInvoice(
  store: Store,
  values: Partial<NewRow<'subscription_invoices'>> & { subscription_id: number },
): Promise<Row<'subscription_invoices'>> {
  made += 1;
  const row: NewRow<'subscription_invoices'> = {
    external_invoice_id: `in_made_${made}`,
    external_payment_intent: '',
    is_initial: 0,
    amount_total_cents: 1999,
    amount_paid_cents: 1999,
    currency: 'EUR',
    status: 'paid',
    period_start: AT,
    period_end: '2026-04-01T12:00:00.000Z',
    created_at: AT,
    ...values,
  };
  return store.write((db) => db.insertInto('subscription_invoices').values(row).returningAll().executeTakeFirstOrThrow());
}
