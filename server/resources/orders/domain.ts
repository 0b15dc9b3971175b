import type { OrderDetail, PaymentStatus } from '../../../contract/orders.ts';
import { mergeBuyers } from '../../db/order-upkeep.ts';
import { rowVersion } from '../../db/queries/row-version.ts';
import { changesBetween } from '../../verbs/changes.ts';
import { type AuditEntry, actingAdmin, type Ctx } from '../../verbs/context.ts';
import { oncePerRead } from '../../verbs/once-per-read.ts';
import { notFound, refuseValue } from '../../verbs/problem.ts';
import type { RecordVersions } from '../../verbs/record-versions.ts';
import { downloadsOf } from '../downloads/domain.ts';
import { type EntitlingOrder, entitle, followOrder } from '../entitlements/domain.ts';
import { holdOrderStatus } from '../order-statuses/domain.ts';
import { amountPaid, payment } from './rules.ts';
import * as store from './store.ts';

export type LockedOrder = store.LockedOrder;

const orderVersion = rowVersion('orders');
const downloads = oncePerRead(downloadsOf);

export const recordVersions = {
  order: {
    version: (db, { order_id, id }) => orderVersion(db, { id: Number(order_id ?? id) }),
    // The number of remaining downloads changes without a new row version when a buyer downloads a file.
    derived: async (ctx, { order_id, id }, answers) => {
      const found = await downloads.ofEtag(ctx, Number(order_id ?? id), answers);
      return found.length > 0 ? found : undefined;
    },
  },
} satisfies RecordVersions;

export async function getOrder(ctx: Ctx, id: number): Promise<OrderDetail> {
  const order = await store.selectOrder(ctx.db, id);
  if (!order) throw notFound('order', id);
  const items = await store.selectItems(ctx.db, id);
  const paid = payment({ total: order.total, payment_status: order.payment_status, paid_amount: order.paid_total_cents });
  return { ...order, items, ...paid, downloads: await downloads.ofAnswer(ctx, id) };
}

export async function updatePaymentStatus(ctx: Ctx, id: number, paymentStatus: PaymentStatus): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  if (await setPaymentStatus(ctx, order, paymentStatus)) return;
  ctx.audit({ resource: { type: 'order', id }, changes: {}, summary: `Order ${id}: no change` });
}

type Payments = {
  /** The amount that was paid; by default it follows from the status. */
  paidAmount?: number;
  /** The status before the first payment record; null: there are no records. By default it stays as it is. */
  base?: PaymentStatus | null;
};

/**
 * Sets the payment status and the amount paid, with an audit entry. The first time an order is paid is stored, and emits
 * `order.paid`. Returns false, without an audit entry, if nothing changes. The caller has locked `order`.
 */
export async function setPaymentStatus(
  ctx: Ctx,
  order: LockedOrder,
  status: PaymentStatus,
  { paidAmount, base = order.base_payment_status }: Payments = {},
): Promise<boolean> {
  const paid = paidAmount ?? amountPaid(order, status, await recordedOf(ctx, order));
  const stood = { payment_status: order.payment_status, paid_amount: payment(order).paid_total_cents };
  const changes = changesBetween(stood, { payment_status: status, paid_amount: paid });
  const isChanged = Object.keys(changes).length > 0;
  if (!isChanged && base === order.base_payment_status) return false;
  const paidBefore = order.first_paid_at ?? (order.payment_status === 'paid' ? order.created_at : null);
  const first_paid_at = paidBefore ?? (status === 'paid' ? ctx.now : null);
  const wanted = { payment_status: status, paid_amount: paid, first_paid_at, base_payment_status: base };
  await store.updateOrder(ctx.db, order.id, wanted, ctx.now);
  if (!isChanged) return false;
  ctx.audit({ resource: { type: 'order', id: order.id }, changes, summary: `Order ${order.id}: ${inWords(changes)}` });
  const changed = { ...order, payment_status: status };
  if (status === 'paid' && paidBefore === null) await noteBought(ctx, changed);
  else if (status !== order.payment_status) await followOrder(ctx, changed);
  if (status === 'refunded' && order.payment_status !== 'refunded') ctx.emit({ type: 'order.refunded', data: { order_id: order.id } });
  return true;
}

/** The sum of the order's paid payment records; null if it has no records. */
async function recordedOf(ctx: Ctx, { id, base_payment_status: base }: LockedOrder): Promise<number | null> {
  return base === null ? null : store.sumPaidRecords(ctx.db, id);
}

/** Called once for each order, when it counts as bought and has its lines: gives access to groups and emits `order.paid`. */
export async function noteBought(ctx: Ctx, order: EntitlingOrder & Pick<LockedOrder, 'total' | 'currency'>): Promise<void> {
  const { id, total, currency } = order;
  await entitle(ctx, order);
  ctx.emit({ type: 'order.paid', data: { order_id: id, total, currency } });
}

/**
 * Raises the order's row version, because something outside its own columns has changed that it shows, or that has no version but the
 * order's, as a shipment.
 */
export async function touchOrder(ctx: Ctx, id: number): Promise<void> {
  await store.updateOrder(ctx.db, id, {}, ctx.now);
}

export async function updateDeliveryDate(ctx: Ctx, id: number, deliveryDate: string | null): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  const before = order.delivery_date;
  await changeOrder(
    ctx,
    order,
    { delivery_date: deliveryDate },
    {
      summary: `Order ${id}: delivery date ${before ?? 'none'} → ${deliveryDate ?? 'none'}`,
      detail: { order_id: id, before, after: deliveryDate, admin_id: actingAdmin(ctx).adminId },
    },
  );
}

export async function updateTestFlag(ctx: Ctx, id: number, isTest: boolean): Promise<undefined> {
  const order = await lockOrder(ctx, id);
  await changeOrder(ctx, order, { is_test: isTest });
}

export async function updateInternalStatus(ctx: Ctx, id: number, internalStatusId: number | null) {
  const order = await lockOrder(ctx, id);
  if (internalStatusId !== null && !(await holdOrderStatus(ctx, internalStatusId))) {
    throw refuseValue('internal_status_not_found', '/internal_status_id', `there is no internal status ${internalStatusId}`);
  }
  await changeOrder(ctx, order, { internal_status_id: internalStatusId });
  return { id, internal_status_id: internalStatusId };
}

/** Every write to a part of an order begins with this lock. */
export async function lockOrder(ctx: Ctx, id: number): Promise<LockedOrder> {
  const order = await store.lockOrder(ctx, id);
  if (!order) throw notFound('order', id);
  return order;
}

/** Writes the fields that differ. A change to the same value gets an audit entry but does not raise the row version. */
export async function changeOrder(
  ctx: Ctx,
  order: LockedOrder,
  wanted: Partial<store.OrderState>,
  entry: Pick<AuditEntry, 'detail'> & { summary?: string } = {},
): Promise<AuditEntry['changes']> {
  const { id } = order;
  const changes = changesBetween(order, wanted);
  if (Object.keys(changes).length > 0) await store.updateOrder(ctx.db, id, wanted, ctx.now);
  ctx.audit({ resource: { type: 'order', id }, changes, summary: `Order ${id}: ${inWords(changes)}`, ...entry });
  return changes;
}

function inWords(changes: AuditEntry['changes']): string {
  const parts = Object.entries(changes).map(([field, [before, after]]) => `${field} ${before ?? 'none'} → ${after ?? 'none'}`);
  return parts.length > 0 ? parts.join(', ') : 'no change';
}

type Buyer = { customerId: number; email: string };

/** The ids of a customer's orders, and of other orders with the same email. */
export function idsOfBuyer(ctx: Ctx, buyer: Buyer): Promise<number[]> {
  return store.selectIdsOfBuyer(ctx.db, buyer);
}

/** Blanks the buyers' personal data; what was bought and paid stays. */
export async function forgetBuyers(ctx: Ctx, ids: readonly number[]): Promise<void> {
  await store.blankBuyers(ctx, ids, ctx.now);
  await mergeBuyers(ctx);
}

export function hasOrders(ctx: Ctx, customerId: number): Promise<boolean> {
  return store.hasOrders(ctx.db, customerId);
}
