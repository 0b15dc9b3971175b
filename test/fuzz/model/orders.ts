import fc from 'fast-check';
import { fold } from '../../../contract/values.ts';
import { isObject } from '../../torture/bad-input/samples.ts';
import { Fault } from '../fault.ts';
import { act, expectRecord, idOf, read } from './act.ts';
import { customerOf, email } from './customers.ts';
import { type Model, manner, NOBODY, nth, type Order, pick, step, stepsOf, type Variant } from './model.ts';

/** Orders, what they take of the stock, and the shop's own statuses for them. */

const statusName = fc.constantFrom('Packed', 'PACKED', 'Waiting 🙂');
const anyStatus = fc.constantFrom(
  'pending' as const,
  'processing' as const,
  'shipped' as const,
  'delivered' as const,
  'cancelled' as const,
);
const amounts = fc.array(fc.record({ n: nth, quantity: fc.constantFrom(1, 2, 5) }), { minLength: 1, maxLength: 3 });

const createStatus = step({ name: statusName, manner }, async ({ session, model: { statuses } }, { name, manner: how }) => {
  const refusal = nameTaken(statuses, name, null);
  const answer = await act(session, { id: 'order_statuses.create', path: '/order-statuses', body: { name }, manner: how, refusal });
  if (answer) statuses.set(idOf(answer), { name });
});

const renameStatus = step({ n: nth, name: statusName, manner }, async ({ session, model: { statuses } }, { n, name, manner: how }) => {
  const [id, status] = pick(statuses, n) ?? [];
  if (id === undefined || status === undefined) return;
  const refusal = nameTaken(statuses, name, id);
  const raises = name !== status.name;
  const path = `/order-statuses/${id}`;
  if (await act(session, { id: 'order_statuses.update', path, body: { name }, manner: how, refusal, raises })) statuses.set(id, { name });
});

const deleteStatus = step(
  { n: nth, clear: fc.boolean(), manner },
  async ({ session, model: { statuses, orders } }, { n, clear, manner: how }) => {
    const [id = NOBODY] = pick(statuses, n) ?? [];
    const having = [...orders.values()].filter((order) => order.internal_status_id === id);
    const refusal = !statuses.has(id) ? 'not_found' : having.length > 0 && !clear ? 'in_use' : null;
    const path = `/order-statuses/${id}${clear ? '?clear=true' : ''}`;
    if (!(await act(session, { id: 'order_statuses.delete', path, manner: how, refusal }))) return;
    statuses.delete(id);
    for (const order of having) order.internal_status_id = null;
  },
);

const createOrder = step(
  { amounts, email, paid: fc.boolean(), notes: fc.constantFrom('', 'Ring twice'), manner },
  async ({ session, model }, { amounts: wanted, email: buyer, paid, notes, manner: how }) => {
    const lines = wanted.flatMap(({ n, quantity }) => {
      const [variant_id] = pick(model.variants, n) ?? [];
      return variant_id === undefined ? [] : [{ variant_id, quantity }];
    });
    if (lines.length === 0) return;
    const body = {
      customer: { name: 'Ann', email: buyer, phone: '' },
      items: lines,
      shipping: { kind: 'none' },
      payment_status: paid ? 'paid' : 'none',
      register_customer: false,
      send_confirmation_email: false,
      notes,
    };
    const refusal = refusalOf(model, lines);
    const answer = await act(session, { id: 'orders.create', path: '/orders', body, manner: how, refusal });
    if (!answer) return;
    const id = idOf(answer);
    const total = lines.reduce((sum, { variant_id, quantity }) => sum + quantity * (model.variants.get(variant_id)?.price_cents ?? 0), 0);
    const customer_id = await buyerOf(session, model, id, buyer);
    const order: Order = {
      ...UNCHANGED,
      customer_id,
      email: buyer,
      status: paid ? 'processing' : 'pending',
      notes,
      total,
      lines,
      held: new Map(),
    };
    model.orders.set(id, order);
    take(model, order);
    for (const { variant_id } of lines) noteOrdered(model, variant_id);
  },
);

const changeStatus = step({ n: nth, status: anyStatus, manner }, async ({ session, model }, { n, status, manner: how }) => {
  const [id, order] = pick(model.orders, n) ?? [];
  if (id === undefined || order === undefined) return;
  const isReopened = order.status === 'cancelled' && status !== 'cancelled';
  const refusal = isReopened && isShort(model, missingOf(order)) ? 'insufficient_stock' : null;
  const path = `/orders/${id}/status`;
  const raises = status !== order.status;
  if (!(await act(session, { id: 'orders.update_status', path, body: { status }, manner: how, refusal, raises }))) return;
  // Goods that were shipped do not come back.
  if (status === 'cancelled' && (order.status === 'pending' || order.status === 'processing')) giveBack(model, order);
  order.status = status;
  if (isReopened) take(model, order);
  await expectRecord(session, `/orders/${id}`, shownOrder(order));
});

const changeInternalStatus = step(
  { n: nth, m: nth, clear: fc.boolean(), manner },
  async ({ session, model }, { n, m, clear, manner: how }) => {
    const [id, order] = pick(model.orders, n) ?? [];
    if (id === undefined || order === undefined) return;
    const internal_status_id = clear ? null : (pick(model.statuses, m)?.[0] ?? NOBODY);
    const refusal = internal_status_id === NOBODY ? 'internal_status_not_found' : null;
    const path = `/orders/${id}/internal-status`;
    const raises = internal_status_id !== order.internal_status_id;
    const accepted = await act(session, {
      id: 'orders.update_internal_status',
      path,
      body: { internal_status_id },
      manner: how,
      refusal,
      raises,
    });
    if (accepted) order.internal_status_id = internal_status_id;
  },
);

const changeTestFlag = step({ n: nth, is_test: fc.boolean(), manner }, async ({ session, model }, { n, is_test, manner: how }) => {
  const [id, order] = pick(model.orders, n) ?? [];
  if (id === undefined || order === undefined) return;
  const path = `/orders/${id}/test-flag`;
  const raises = is_test !== order.is_test;
  if (await act(session, { id: 'orders.update_test_flag', path, body: { is_test }, manner: how, refusal: null, raises }))
    order.is_test = is_test;
});

const changeDeliveryDate = step(
  { n: nth, delivery_date: fc.constantFrom(null, '2026-05-31', '2028-02-29', '2026-02-30'), manner },
  async ({ session, model }, { n, delivery_date, manner: how }) => {
    const [id, order] = pick(model.orders, n) ?? [];
    if (id === undefined || order === undefined) return;
    const refusal = delivery_date === '2026-02-30' ? 'invalid_date' : null;
    const path = `/orders/${id}/delivery-date`;
    const raises = delivery_date !== order.delivery_date;
    const accepted = await act(session, {
      id: 'orders.update_delivery_date',
      path,
      body: { delivery_date },
      manner: how,
      refusal,
      raises,
    });
    if (accepted) order.delivery_date = delivery_date;
  },
);

const edit = step(
  { n: nth, internal_notes: fc.constantFrom(null, 'fragile', 'Straße 🙂'), warn_acknowledged: fc.boolean(), manner },
  async ({ session, model }, { n, internal_notes, warn_acknowledged, manner: how }) => {
    const [id, order] = pick(model.orders, n) ?? [];
    if (id === undefined || order === undefined) return;
    const isSent = order.status === 'shipped' || order.status === 'delivered';
    const refusal = order.status === 'cancelled' ? 'order_cancelled' : isSent && !warn_acknowledged ? 'warning_not_acknowledged' : null;
    const path = `/orders/${id}/edit`;
    const raises = internal_notes !== order.internal_notes;
    const body = { internal_notes, warn_acknowledged };
    if (await act(session, { id: 'orders.edit', path, body, manner: how, refusal, raises })) order.internal_notes = internal_notes;
  },
);

export const orderSteps = stepsOf({
  make: [createStatus, createOrder, createOrder],
  change: [renameStatus, changeStatus, changeStatus, changeStatus, changeInternalStatus, changeTestFlag, changeDeliveryDate, edit],
  remove: [deleteStatus],
});

const UNCHANGED = { internal_notes: null, internal_status_id: null, is_test: false, delivery_date: null };

export function shownOrder({ lines: _, held: __, email: ___, ...order }: Order) {
  return order;
}

function nameTaken(statuses: Model['statuses'], wanted: string, id: number | null): string | null {
  return [...statuses].some(([other, { name }]) => other !== id && fold(name) === fold(wanted)) ? 'duplicate' : null;
}

type Lines = Order['lines'];

/** Why the shop does not take an order of these lines: the first fault's code, since each line with a fault has the same one. */
function refusalOf(model: Model, lines: Lines): string | null {
  const unsold = lines.filter(({ variant_id }) => !isOnSale(model, model.variants.get(variant_id)));
  if (unsold.length > 0) return unsold.length > 1 ? 'validation_failed' : 'variant_inactive';
  return isShort(model, lines) ? 'insufficient_stock' : null;
}

function isOnSale({ products }: Model, variant: Variant | undefined): boolean {
  return variant?.active === true && products.get(variant.product_id)?.status !== 'archived';
}

function isShort({ variants }: Model, lines: Lines): boolean {
  return [...perVariant(lines)].some(([id, quantity]) => {
    const variant = variants.get(id);
    return variant?.track_stock === true && !variant.allow_backorder && quantity > 0 && variant.stock < quantity;
  });
}

/** What an order does not hold of its goods. */
function missingOf({ lines, held }: Order): Lines {
  return [...perVariant(lines)].map(([variant_id, quantity]) => ({
    variant_id,
    quantity: quantity - Math.min(quantity, held.get(variant_id) ?? 0),
  }));
}

function take({ variants }: Model, order: Order): void {
  for (const { variant_id, quantity } of missingOf(order)) {
    const variant = variants.get(variant_id);
    if (!variant?.track_stock) continue;
    variant.stock -= quantity;
    order.held.set(variant_id, (order.held.get(variant_id) ?? 0) + quantity);
  }
}

function giveBack({ variants }: Model, order: Order): void {
  for (const [id, quantity] of order.held) {
    const variant = variants.get(id);
    if (variant) variant.stock += quantity;
  }
  order.held.clear();
}

function perVariant(lines: Lines): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { variant_id, quantity } of lines) sums.set(variant_id, (sums.get(variant_id) ?? 0) + quantity);
  return sums;
}

function noteOrdered({ variants, products }: Model, id: number): void {
  const variant = variants.get(id);
  const product = variant && products.get(variant.product_id);
  if (variant) variant.ordered = true;
  if (product) product.ordered = true;
}

/** The customer of a new order: the one with its email, else one that the order made. */
async function buyerOf(session: Parameters<typeof read>[0], model: Model, id: number, buyer: string): Promise<number> {
  const { body } = await read(session, `/orders/${id}`);
  const found = isObject(body) ? Number(body['customer_id']) : 0;
  const known = customerOf(model, buyer);
  if (known !== undefined && known !== found) throw new Fault(`order ${id}: its customer is ${found}, and ${known} has its email`);
  if (known === undefined && model.customers.has(found)) throw new Fault(`order ${id}: its customer ${found} has another email`);
  if (known === undefined)
    model.customers.set(found, { name: 'Ann', email: buyer, phone: null, registered: false, credits: 0, notes: new Map() });
  return found;
}
