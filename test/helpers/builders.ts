import type { AdminApi } from '../../contract/calls.ts';
import type { CustomerAddress, CustomerDetail } from '../../contract/customers.ts';
import type { DigitalFile } from '../../contract/files.ts';
import type { InternalOrderStatus } from '../../contract/order-statuses.ts';
import type { OrderStatus, PaymentStatus } from '../../contract/orders.ts';
import type { BillingAddress } from '../../contract/people.ts';
import type { Product, ProductInput, Variant, VariantInput } from '../../contract/products.ts';

/** Makes records of the shop through its API, as an admin does. Every value has a default, and every name is unique. */

/** Any object that has the owner's client. */
export type Shop = { client: AdminApi };

const highStreet = { line1: '1 High Street', city: 'Vienna', postal_code: '1010' };

let made = 0;
const next = (): number => ++made;

type CustomerValues = {
  name?: string;
  email?: string;
  phone?: string | null;
  registered?: boolean;
  is_b2b?: boolean;
  discount_group_id?: number;
};

export async function makeCustomer({ client }: Shop, values: CustomerValues = {}): Promise<CustomerDetail> {
  const n = next();
  const { is_b2b = false, discount_group_id, ...rest } = values;
  const customer = await client.customers.create({
    name: `Customer ${n}`,
    email: `customer-${n}@example.com`,
    registered: true,
    ...rest,
  });
  if (!is_b2b && discount_group_id === undefined) return customer;
  await client.customers.update_b2b(customer.id, { is_b2b, discount_group_id });
  return client.customers.get(customer.id);
}

export function makeAddress({ client }: Shop, customerId: number, values: Partial<CustomerAddress> = {}): Promise<CustomerAddress> {
  const { label = 'Home', is_default = false } = values;
  return client.customers.create_address(customerId, { address_type: 'shipping', ...highStreet, country: 'AT', label, is_default });
}

/** Makes a product; by default it is active. */
export function makeProduct({ client }: Shop, values: Partial<ProductInput> = {}): Promise<Product> {
  const n = next();
  return client.products.create({ slug: `product-${n}`, name: `Product ${n}`, status: 'active', ...values });
}

/** Makes a variant with a stock of 100, on a new product if `product_id` is not given. */
export async function makeVariant(shop: Shop, values: Partial<VariantInput> & { product_id?: number } = {}): Promise<Variant> {
  const { product_id = (await makeProduct(shop)).id, ...rest } = values;
  return shop.client.products.create_variant(product_id, {
    sku: `SKU-${next()}`,
    price_cents: 1000,
    track_stock: true,
    stock: 100,
    ...rest,
  });
}

type OrderValues = {
  /** A customer of the shop; without it, a new customer places the order. */
  customer?: { name: string; email: string };
  customer_name?: string;
  customer_email?: string;
  /** Default: the status that the API gives to the new order, which is `processing` if it is paid. */
  status?: OrderStatus;
  payment_status?: PaymentStatus;
  /** The price of the only line, if no lines are given. */
  total?: number;
  shipping_line2?: string;
  /** null: the buyer takes the goods along, and the order has no shipping address. */
  shipping_country?: string | null;
  billing_address?: BillingAddress;
  delivery_date?: string;
  notes?: string;
  is_test?: boolean;
  internal_status_id?: number;
};

export type OrderLine = { variant: { id: number }; quantity: number };
export type MadeOrder = { id: number; public_id: string };

/** Makes a phone order; if no lines are given, with one piece for 10.00. */
export async function makeOrder(shop: Shop, values: OrderValues = {}, lines?: readonly OrderLine[]): Promise<MadeOrder> {
  const n = next();
  const { customer, customer_name: name = customer?.name ?? `Customer ${n}`, payment_status = 'none', shipping_country = 'AT' } = values;
  const email = values.customer_email ?? customer?.email ?? `customer-${n}@example.com`;
  const { orders } = shop.client;
  const bought = lines ?? [{ variant: { id: await anything(shop, values.total ?? 1000) }, quantity: 1 }];
  const order = await orders.create({
    customer: { name, email, phone: '' },
    items: bought.map(({ variant, quantity }) => ({ variant_id: variant.id, quantity })),
    shipping_address: shipping_country === null ? null : { ...highStreet, line2: values.shipping_line2 ?? '', country: shipping_country },
    billing_address: values.billing_address ?? null,
    shipping: { kind: 'none' },
    payment_status: payment_status === 'refunded' || payment_status === 'failed' ? 'none' : payment_status,
    delivery_date: values.delivery_date ?? null,
    notes: values.notes ?? null,
    register_customer: false,
    send_confirmation_email: false,
  });
  if (payment_status === 'refunded' || payment_status === 'failed') await orders.update_payment_status(order.id, { payment_status });
  const { status, is_test = false, internal_status_id } = values;
  if (status !== undefined && status !== (payment_status === 'paid' ? 'processing' : 'pending')) {
    await orders.update_status(order.id, { status });
  }
  if (is_test) await orders.update_test_flag(order.id, { is_test });
  if (internal_status_id !== undefined) await orders.update_internal_status(order.id, { internal_status_id });
  return order;
}

const anythings = new WeakMap<AdminApi, Map<number, Promise<number>>>();

/** The id of a variant with this price that is never sold out; it is made once in each shop. */
function anything(shop: Shop, price_cents: number): Promise<number> {
  const known = anythings.get(shop.client) ?? new Map<number, Promise<number>>();
  anythings.set(shop.client, known);
  const found = known.get(price_cents) ?? makeVariant(shop, { price_cents, track_stock: false }).then(({ id }) => id);
  known.set(price_cents, found);
  return found;
}

export function makeOrderStatus({ client }: Shop, values: { name?: string } = {}): Promise<InternalOrderStatus> {
  return client.order_statuses.create({ name: `Status ${next()}`, color: '#808080', ...values });
}

/** Grants credits that expire after `days`; returns the id of the new bucket. */
export async function grantCredits({ client }: Shop, customerId: number, credits: number, days: number | null = null): Promise<number> {
  const { buckets } = await client.customers.adjust_credits(customerId, { delta: credits, expires_in_days: days });
  return Math.max(...buckets.map(({ id }) => id));
}

/** Uploads a digital file, and attaches it to the product if one is given. */
export async function makeFile(
  { client }: Shop,
  { original_filename: filename = `file-${next()}.pdf`, product_id }: { original_filename?: string; product_id?: number } = {},
): Promise<DigitalFile> {
  const file = await client.files.create({ file: { filename, content: '%PDF-1.7', content_type: 'application/pdf' } });
  if (product_id === undefined) return file;
  const { file_ids } = await client.products.get(product_id);
  await client.products.update(product_id, { file_ids: [...file_ids, file.id] });
  return file;
}
