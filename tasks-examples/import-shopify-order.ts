/**
 * Makes an order of what Shopify sends when an order is created there. Create a hook for it with `"parameter": "sent"`,
 * `"verify": {"preset": "shopify", "secret": "…"}` and `"idempotency_header": "X-Shopify-Webhook-Id"`, and enter its address in Shopify
 * for the event `orders/create`. Shopify may send an order again after days, so the state remembers the last ones; give the task
 * `concurrency` 1, so that two runs do not look there at the same time. Lines are found by their SKU.
 */
import { log, parameters, result, shop, state } from 'backroom';
import type { Script } from './import-shopify-order.permissions.ts';

declare const admin: Script['admin'];

const REMEMBERED_MAX = 2000;

type Address = {
  name?: string;
  address1?: string;
  address2?: string | null;
  city?: string;
  province?: string | null;
  zip?: string;
  country_code?: string;
};
type Line = { sku?: string | null; title?: string; quantity: number };
type ShopifyOrder = {
  id: number;
  name: string;
  email?: string | null;
  phone?: string | null;
  total_price: string;
  currency: string;
  financial_status?: string | null;
  shipping_address?: Address | null;
  line_items: Line[];
};

export default async function main() {
  const order = received();
  if (order === null) return { imported: 0 };
  const imported = (await state.get<[number, number][]>('imported')) ?? [];
  const before = imported.find(([id]) => id === order.id);
  if (before) {
    log(`${order.name} is order ${before[1]} here already`);
    return { imported: 0, order_id: before[1] };
  }
  const { id } = await admin.orders.create(await orderFrom(order));
  await state.set('imported', [...imported.slice(1 - REMEMBERED_MAX), [order.id, id]]);
  const { total, currency } = await admin.orders.get(id);
  // Prices, taxes and shipping are those of this shop, so the sums may differ.
  const isSame = order.currency === currency && Number(order.total_price) === Number(shop.decimal(total, currency));
  const total_there = `${order.total_price} ${order.currency}`;
  result(isSame ? 'imported' : 'imported, another total', order.name, { order_id: id, total: shop.money(total, currency), total_there });
  return { imported: 1, order_id: id };
}

/** The order that was sent; null: the task was started without one. */
function received(): ShopifyOrder | null {
  const sent = parameters.sent as { body?: unknown } | null | undefined;
  if (sent === null || sent === undefined) {
    log('nothing was sent: a hook starts this task with an order');
    return null;
  }
  const order = sent.body as Partial<ShopifyOrder> | null | undefined;
  const isOrder = typeof order?.id === 'number' && typeof order.name === 'string' && Array.isArray(order.line_items);
  if (!isOrder) throw new Error('what was sent is no order of Shopify: it needs id, name and line_items');
  return order as ShopifyOrder;
}

async function orderFrom(order: ShopifyOrder) {
  const { shipping_address: to } = order;
  const method = parameters.shipping_method_id;
  const items = [];
  for (const { sku, title, quantity } of order.line_items) items.push({ variant_id: await variantOf(sku ?? '', title ?? ''), quantity });
  return {
    customer: { name: to?.name || order.email || order.name, email: order.email ?? '', phone: order.phone ?? '' },
    shipping_address: to
      ? {
          line1: to.address1 ?? '',
          line2: to.address2 ?? '',
          city: to.city ?? '',
          state: to.province ?? '',
          postal_code: to.zip ?? '',
          country: to.country_code ?? '',
        }
      : null,
    items,
    shipping: typeof method === 'number' ? { kind: 'configured' as const, method_id: method } : { kind: 'none' as const },
    payment_status: order.financial_status === 'paid' ? ('paid' as const) : ('pending' as const),
    notes: `Shopify ${order.name}, ${order.total_price} ${order.currency} there`,
    register_customer: false,
    send_confirmation_email: false,
  };
}

async function variantOf(sku: string, title: string): Promise<number> {
  // A variant with exactly this SKU comes first.
  const [variant] = await admin.products.search_variants({ search: sku, limit: 1 });
  if (sku !== '' && variant?.sku === sku) return variant.id;
  throw new Error(`no variant has the SKU "${sku}" of "${title}": add it, then start the run again with the same parameters`);
}
