import type { GroupMember } from '../../../contract/access-groups.ts';
import type { OrderStatus, PaymentStatus } from '../../../contract/orders.ts';
import type { NewRow } from '../../db/tables.ts';
import type { Ctx } from '../../verbs/context.ts';
import { accessOf, expiryOf, type SubscriptionState, type Withheld, withheldByOrder, withheldWhenAdded } from './rules.ts';
import * as store from './store.ts';

/** The caller has locked the order; the fields are those that it has from now on. */
export type EntitlingOrder = { id: number; customer_id: number | null; status: OrderStatus; payment_status: PaymentStatus };

/** The members of a group, or the memberships of a customer: one row for each order, subscription and grant. */
export function membersOf(ctx: Ctx, of: { groupId: number } | { customerId: number }): Promise<GroupMember[]> {
  const { now } = ctx;
  return 'groupId' in of
    ? store.selectMembersOfGroup(ctx.db, { id: of.groupId, now })
    : store.selectMembershipsOf(ctx.db, { id: of.customerId, now });
}

/** Called once for each order, when it counts as bought: gives access to the groups that its products have now (spec AG8, AG10). */
export async function entitle(ctx: Ctx, order: EntitlingOrder): Promise<void> {
  const offers = await store.selectOffersOfOrder(ctx.db, { orderId: order.id });
  await giveOffers(ctx, order, offers, withheldByOrder(null, order));
}

/** Updates the entitlements of an order whose status or payment status has changed (spec AG9). */
export async function followOrder(ctx: Ctx, order: Omit<EntitlingOrder, 'customer_id'>): Promise<void> {
  const known = await store.selectOfOrder(ctx.db, { orderId: order.id });
  const moving = known.map((one) => ({ ...one, to: withheldByOrder(one.withheld, order) })).filter(({ withheld, to }) => withheld !== to);
  for (const to of new Set(moving.map((one) => one.to))) {
    const ids = moving.filter((one) => one.to === to).map(({ id }) => id);
    await store.setWithheld(ctx.db, ids, to);
  }
  await refresh(ctx, moving);
}

/**
 * Called before the status of several orders changes: locks the affected members in a fixed order, so that concurrent changes
 * do not deadlock.
 */
export async function holdMembers(ctx: Ctx, orderIds: readonly number[]): Promise<void> {
  if (orderIds.length > 0 && !ctx.dialect.oneWriter) await store.lockMembers(ctx, orderIds);
}

/** Updates the entitlements of an order that was bought already and whose products an edit has changed (spec ED17). */
export async function followProducts(
  ctx: Ctx,
  order: EntitlingOrder & { total: number },
  { added, removed }: { added: readonly number[]; removed: readonly number[] },
): Promise<void> {
  if (removed.length > 0) await refresh(ctx, await store.deleteOfProducts(ctx.db, order.id, removed));
  if (added.length === 0) return;
  const offers = await store.selectOffersOfOrder(ctx.db, { orderId: order.id });
  const wanted = offers.filter(({ product_id }) => added.includes(product_id));
  await giveOffers(ctx, order, wanted, withheldWhenAdded(order));
}

/**
 * Inserts entitlements for the products of an order. A subscription product gets a row too, but gives access through its
 * subscription (spec AG11).
 */
async function giveOffers(ctx: Ctx, order: EntitlingOrder, offers: readonly store.Offer[], withheld: Withheld): Promise<void> {
  const { id: order_id, customer_id } = order;
  if (customer_id === null) return;
  const rows = offers.map(({ product_id, is_subscription, group_id, duration_days }) => ({
    ...{ group_id, customer_id, order_id, product_id },
    starts_at: ctx.now,
    expires_at: is_subscription === 1 ? null : expiryOf(ctx.now, duration_days),
    withheld: is_subscription === 1 ? ('subscribed' as const) : withheld,
  }));
  await give(ctx, rows);
}

type Subscription = SubscriptionState & { id: number; product_id: number; customer_id: number | null };

/**
 * Inserts the entitlements of a new subscription: the groups that its product had when the order was bought, or has now if
 * the order is not paid.
 */
export async function entitleSubscription(
  ctx: Ctx,
  { id, product_id, customer_id, ...state }: Subscription,
  order: { id: number; first_paid_at: string | null },
): Promise<void> {
  if (customer_id === null) return;
  const groups =
    order.first_paid_at === null
      ? await store.selectGroupsOfProduct(ctx.db, product_id)
      : await store.selectSubscribedGroups(ctx.db, order.id, product_id);
  const access = accessOf(state);
  await give(
    ctx,
    groups.map((group_id) => ({ group_id, customer_id, subscription_id: id, product_id, starts_at: ctx.now, ...access })),
  );
}

export async function followSubscription(ctx: Ctx, { id, ...state }: SubscriptionState & { id: number }): Promise<void> {
  await refresh(ctx, await store.setAccessOfSubscription(ctx.db, id, accessOf(state)));
}

/** Inserts the entitlement of a manual grant; it is deleted with the grant. */
export async function entitleByGrant(ctx: Ctx, { id, ...grant }: store.Pair & { id: number; expires_at: string | null }): Promise<void> {
  await give(ctx, [{ ...grant, grant_id: id, starts_at: ctx.now }]);
}

/** Recomputes until when customers have access to groups; called after entitlements of these pairs have changed. */
export async function refresh(ctx: Ctx, pairs: readonly store.Pair[]): Promise<void> {
  const distinct = new Map(pairs.map((pair) => [`${pair.customer_id}/${pair.group_id}`, pair]));
  const sorted = [...distinct.values()].sort((a, b) => a.customer_id - b.customer_id || a.group_id - b.group_id);
  if (sorted.length > 0) await store.refreshMembers(ctx.db, sorted);
}

/** Inserts entitlements. Groups that a concurrent transaction has deleted are left out. */
async function give(ctx: Ctx, rows: readonly NewRow<'entitlements'>[]): Promise<void> {
  if (rows.length === 0) return;
  const groups = [...new Set(rows.map(({ group_id }) => group_id))];
  const held = await store.holdGroups(ctx, groups);
  const lasting = rows.filter(({ group_id }) => held.has(group_id));
  if (lasting.length === 0) return;
  await store.insertEntitlements(ctx.db, lasting);
  await refresh(ctx, lasting);
}
