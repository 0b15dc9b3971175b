import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Client } from './client.ts';
import type { Ledger } from './ledger.ts';
import type { Random } from './random.ts';
import type { Goods } from './shop.ts';

/** What an action works with; each client has its own random numbers and does one action at a time. */
export type Setting = { client: Client; ledger: Ledger; goods: Goods; random: Random };
export type Action = (setting: Setting) => Promise<void>;

const Made = z.object({ id: z.int() });
const Detail = z.object({
  id: z.int(),
  total: z.int(),
  status: z.string(),
  items: z.array(z.object({ id: z.int(), quantity: z.int(), variant_id: z.int() })),
});
const Payments = z.array(z.object({ id: z.int(), paid: z.boolean() }));
const Edited = z.object({ edit: z.object({ customer_notified: z.boolean() }) });
const Stocked = z.object({ stock: z.int() });

/** Why an order may not be reopened. */
const short = { 409: ['insufficient_stock', 'voucher_exhausted'] } as const;

/** The actions, each with its share of all actions. */
export const actions: readonly (readonly [weight: number, action: Action])[] = [
  [22, createOrder],
  [4, createTwice],
  [24, editOrder],
  [12, addPayment],
  [8, changePayment],
  [4, removePayment],
  [7, cancelOrder],
  [7, reopenOrder],
  [4, shipOrder],
  [2, setPaymentStatus],
  [3, setMany],
  [3, changeStock],
  [5, readOrders],
];

function phoneOrder({ goods, random }: Setting) {
  const customer = random.below(40);
  const isSent = random.chance(0.6);
  const lines = Array.from({ length: 1 + random.below(4) }, () => ({
    variant_id: random.pick(goods.variants)?.id ?? 0,
    quantity: 1 + random.below(3),
  }));
  const discount = random.pick([
    null,
    { kind: 'fixed', amount_cents: 1 + random.below(900) },
    { kind: 'percent', percent_bps: 1 + random.below(3000) },
  ]);
  return {
    customer: { name: `Soak ${customer}`, email: `soak-${customer}-${goods.mark}@example.com`, phone: '' },
    shipping_address: isSent ? { line1: 'Ring 1', city: 'Wien', postal_code: '1010', country: 'AT' } : null,
    items: lines,
    shipping: isSent ? { kind: 'configured', method_id: goods.shippingMethodId } : { kind: 'none' },
    payment_status: 'none',
    voucher_code: random.chance(0.25) ? random.pick(goods.vouchers) : null,
    discount,
    register_customer: random.chance(0.1),
    send_confirmation_email: random.chance(0.3),
  };
}

const mayFail = { 409: ['insufficient_stock'], 422: ['voucher_invalid'] } as const;
/** The second of two equal requests is refused where the first one is still under way after the server's wait. */
const mayFailTwice = { ...mayFail, 409: [...mayFail[409], 'idempotency_in_progress'] } as const;

async function createOrder(setting: Setting): Promise<void> {
  const { client, ledger } = setting;
  const body = phoneOrder(setting);
  const { status, body: answer } = await client.call({ action: 'create', method: 'POST', path: '/orders', body, mayRefuse: mayFail });
  if (status !== 201) return;
  ledger.orders.push(Made.parse(answer).id);
  if (body.send_confirmation_email) ledger.mails += 1;
}

/** Sends the same request twice at once, as a client may do after a lost answer; only one order may be made. */
async function createTwice(setting: Setting): Promise<void> {
  const { client, ledger } = setting;
  const body = phoneOrder(setting);
  const headers = { 'idempotency-key': randomUUID() };
  const call = { action: 'create twice', method: 'POST', path: '/orders', body, headers, mayRefuse: mayFailTwice } as const;
  const replies = await Promise.all([client.call(call), client.call(call)]);
  const ids = new Set(replies.filter(({ status }) => status === 201).map((reply) => Made.parse(reply.body).id));
  if (ids.size > 1) ledger.faults.push(`one Idempotency-Key made the orders ${[...ids].join(' and ')}`);
  for (const id of ids) {
    ledger.orders.push(id);
    if (body.send_confirmation_email) ledger.mails += 1;
  }
}

/** Mostly one of the latest orders, so that clients work on the same orders. */
function anOrder({ ledger, random }: Setting): number | undefined {
  const HOT = 60;
  const { orders } = ledger;
  return random.chance(0.8) ? orders[orders.length - 1 - random.below(Math.min(HOT, orders.length))] : random.pick(orders);
}

async function detailOf({ client }: Setting, id: number) {
  const { body, etag } = await client.call({ action: 'read', method: 'GET', path: `/orders/${id}` });
  const detail = Detail.safeParse(body);
  return detail.success && etag !== undefined ? { ...detail.data, etag } : null;
}

async function editOrder(setting: Setting): Promise<void> {
  const { client, ledger, random } = setting;
  const id = anOrder(setting);
  const order = id === undefined ? null : await detailOf(setting, id);
  if (!order) return;
  const body = { ...editOf(setting, order), warn_acknowledged: true, notify_customer: random.chance(0.1) };
  // Half of the edits send If-Match and are refused when the order has changed meanwhile; the others apply to any state.
  const isCareful = random.chance(0.5);
  const { status, body: answer } = await client.call({
    action: isCareful ? 'edit if unchanged' : 'edit',
    method: 'PATCH',
    path: `/orders/${order.id}/edit`,
    body,
    headers: isCareful ? { 'if-match': order.etag } : {},
    mayRefuse: {
      409: ['insufficient_stock', 'order_cancelled'],
      412: ['precondition_failed'],
      422: ['order_would_be_empty', 'item_not_found', 'voucher_invalid'],
    },
  });
  if (status !== 200) return;
  ledger.add(ledger.edits, order.id, 1);
  if (Edited.parse(answer).edit.customer_notified) ledger.mails += 1;
}

function editOf({ goods, random }: Setting, order: z.infer<typeof Detail>): object {
  const line = random.pick(order.items);
  const other = random.pick(goods.variants)?.id ?? 0;
  const edits: object[] = [
    { items: [{ id: line?.id, quantity: 1 + random.below(5) }] },
    { items: [{ variant_id: other, quantity: 1 + random.below(3) }] },
    { items: [{ id: line?.id, quantity: 0 }] },
    { items: [{ id: line?.id, variant_id: other, unit_price_override_cents: random.below(2000) }] },
    { discount_amount_cents: random.below(1500) },
    { voucher_code: random.chance(0.5) ? random.pick(goods.vouchers) : null },
    { shipping: { cost_cents: random.below(1200) } },
    {
      items: [
        { id: line?.id, quantity: 2 },
        { variant_id: other, quantity: 1 },
      ],
      discount_amount_cents: 100,
    },
    { internal_notes: `seen ${random.below(1000)}` },
  ];
  return random.pick(edits) ?? {};
}

async function addPayment(setting: Setting): Promise<void> {
  const { client, ledger, random } = setting;
  const id = anOrder(setting);
  if (id === undefined || !takesPayments(id)) return;
  const body = { label: 'Instalment', amount_cents: 1 + random.below(3000), paid: random.chance(0.6) };
  const { status, body: answer } = await client.call({ action: 'pay', method: 'POST', path: `/orders/${id}/payments`, body });
  if (status === 201) ledger.payments.add(Made.parse(answer).id);
}

/** Only orders with an even id get payments. The others get a payment status directly, so that both ways can be checked. */
export function takesPayments(orderId: number): boolean {
  return orderId % 2 === 0;
}

const gone = { 404: ['not_found'] } as const;

async function aPayment(setting: Setting): Promise<{ path: string; id: number; paid: boolean } | null> {
  const orderId = anOrder(setting);
  if (orderId === undefined) return null;
  const { body } = await setting.client.call({ action: 'read payments', method: 'GET', path: `/orders/${orderId}/payments` });
  const payment = setting.random.pick(Payments.parse(body));
  return payment ? { ...payment, path: `/orders/${orderId}/payments/${payment.id}` } : null;
}

async function changePayment(setting: Setting): Promise<void> {
  const payment = await aPayment(setting);
  if (!payment) return;
  const body = setting.random.chance(0.6) ? { paid: !payment.paid } : { amount_cents: 1 + setting.random.below(3000) };
  await setting.client.call({ action: 'change payment', method: 'PATCH', path: payment.path, body, mayRefuse: gone });
}

async function removePayment(setting: Setting): Promise<void> {
  const payment = await aPayment(setting);
  if (!payment) return;
  const { status } = await setting.client.call({ action: 'remove payment', method: 'DELETE', path: payment.path, mayRefuse: gone });
  if (status === 204) setting.ledger.payments.delete(payment.id);
}

function setStatus(action: string, statuses: readonly string[]): Action {
  return async (setting) => {
    const id = anOrder(setting);
    if (id === undefined) return;
    const body = { status: setting.random.pick(statuses) };
    await setting.client.call({ action, method: 'PATCH', path: `/orders/${id}/status`, body, mayRefuse: short });
  };
}

function cancelOrder(setting: Setting): Promise<void> {
  return setStatus('cancel', ['cancelled'])(setting);
}

function reopenOrder(setting: Setting): Promise<void> {
  return setStatus('open or reopen', ['pending', 'processing'])(setting);
}

function shipOrder(setting: Setting): Promise<void> {
  return setStatus('ship', ['shipped', 'delivered'])(setting);
}

async function setPaymentStatus(setting: Setting): Promise<void> {
  const id = anOrder(setting);
  if (id === undefined || takesPayments(id)) return;
  const body = { payment_status: setting.random.pick(['none', 'pending', 'paid', 'refunded', 'failed']) };
  await setting.client.call({ action: 'payment status', method: 'PATCH', path: `/orders/${id}/payment-status`, body });
}

/** Each request names its orders in another sequence. A server that locked them in that sequence would run into deadlocks. */
async function setMany(setting: Setting): Promise<void> {
  const ids = [...new Set(Array.from({ length: 8 }, () => anOrder(setting)))].filter((id) => id !== undefined);
  if (ids.length === 0) return;
  const body = { ids, status: setting.random.pick(['cancelled', 'pending', 'processing']) };
  await setting.client.call({ action: 'many at once', method: 'POST', path: '/orders/bulk-status', body });
}

async function changeStock(setting: Setting): Promise<void> {
  const { client, ledger, goods, random } = setting;
  const id = random.pick(goods.variants)?.id ?? 0;
  const path = `/variants/${id}/stock`;
  if (random.chance(0.5)) {
    const delta = 1 + random.below(20);
    const { status } = await client.call({ action: 'stock', method: 'POST', path, body: { delta, reason: 'delivery' } });
    if (status === 200) ledger.add(ledger.stock, id, delta);
    return;
  }
  const { body } = await client.call({ action: 'read stock', method: 'GET', path: `/variants/${id}` });
  const { stock } = Stocked.parse(body);
  // A count is never negative. A negative stock would look as if goods had been sold twice.
  const counted = Math.max(0, stock + random.below(11) - 5);
  const count = { stock: counted, expected_stock: stock, reason: 'count' };
  const { status } = await client.call({ action: 'count stock', method: 'POST', path, body: count, mayRefuse: { 409: ['stock_stale'] } });
  if (status === 200) ledger.add(ledger.stock, id, counted - stock);
}

async function readOrders({ client, random }: Setting): Promise<void> {
  const query = random.pick(['', '?status=pending', '?search=soak', '?payment_status=paid&sort=-total', '?page=2']);
  await client.call({ action: 'list', method: 'GET', path: `/orders${query}` });
}
