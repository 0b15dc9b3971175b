import { type RawBuilder, sql } from 'kysely';
import type { GroupMember } from '../../../contract/access-groups.ts';
import type { At, Db } from '../../db/open.ts';
import { statement } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';
import type { Withheld } from './rules.ts';

/** A group to which a line of an order gives access. */
export type Offer = { product_id: number; is_subscription: number; group_id: number; duration_days: number | null };

/** The groups that the lines of an order give access to, each product and group once, in no defined order. */
export const selectOffersOfOrder = statement<{ orderId: number }, Offer>(
  (value) => sql`
    SELECT DISTINCT i.product_id, p.is_subscription, a.group_id, a.duration_days
    FROM order_items i JOIN product_access_groups a ON a.product_id = i.product_id JOIN products p ON p.id = i.product_id
    WHERE i.order_id = ${value('orderId')}`,
);

export async function selectGroupsOfProduct(db: Db, productId: number): Promise<number[]> {
  const rows = await db.selectFrom('product_access_groups').select('group_id').where('product_id', '=', productId).execute();
  return rows.map(({ group_id }) => group_id);
}

/** The groups that an order noted for a subscription product when the order was bought. */
export async function selectSubscribedGroups(db: Db, orderId: number, productId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('entitlements')
    .select('group_id')
    .where('order_id', '=', orderId)
    .where('product_id', '=', productId)
    .where('withheld', '=', 'subscribed')
    .execute();
  return rows.map(({ group_id }) => group_id);
}

/** Returns those of the groups that exist, and locks them, so that they stay until this transaction ends. */
export async function holdGroups({ db, dialect }: At, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db.selectFrom('access_groups').select('id').where('id', 'in', ids).orderBy('id').modifyEnd(dialect.forShare).execute();
  return new Set(rows.map(({ id }) => id));
}

export async function insertEntitlements(db: Db, rows: readonly NewRow<'entitlements'>[]): Promise<void> {
  await db.insertInto('entitlements').values(rows).execute();
}

export type Entitlement = Pick<Row<'entitlements'>, 'id' | 'group_id' | 'customer_id' | 'withheld'>;

export const selectOfOrder = statement<{ orderId: number }, Entitlement>(
  (value) => sql`SELECT id, group_id, customer_id, withheld FROM entitlements WHERE order_id = ${value('orderId')}`,
);

export async function setWithheld(db: Db, ids: readonly number[], withheld: Withheld): Promise<void> {
  await db.updateTable('entitlements').set({ withheld }).where('id', 'in', ids).execute();
}

export function setAccessOfSubscription(
  db: Db,
  subscriptionId: number,
  access: { expires_at: string | null; withheld: Withheld },
): Promise<Pair[]> {
  return db
    .updateTable('entitlements')
    .set(access)
    .where('subscription_id', '=', subscriptionId)
    .returning(['group_id', 'customer_id'])
    .execute();
}

export function deleteOfProducts(db: Db, orderId: number, productIds: readonly number[]): Promise<Pair[]> {
  return db
    .deleteFrom('entitlements')
    .where('order_id', '=', orderId)
    .where('product_id', 'in', productIds)
    .returning(['group_id', 'customer_id'])
    .execute();
}

export type Pair = { group_id: number; customer_id: number };

export async function lockMembers({ db, dialect }: At, orderIds: readonly number[]): Promise<void> {
  const given = sql`SELECT group_id, customer_id FROM entitlements WHERE order_id IN (${sql.join(orderIds)})`;
  await sql`
    SELECT 1 FROM access_group_members WHERE (group_id, customer_id) IN (${given})
    ORDER BY customer_id, group_id ${dialect.forUpdate}`.execute(db);
}

/** Stands for "no end": later than any time that is compared with it. */
const FOREVER = '9999-12-31T23:59:59.999Z';

/**
 * Recomputes until when customers have access. The first statement locks the rows, so that it waits for concurrent
 * transactions that change them; the second then sees what those have written.
 */
export async function refreshMembers(db: Db, pairs: readonly Pair[]): Promise<void> {
  const rows = pairs.map(({ group_id, customer_id }) => ({ group_id, customer_id, until: '' }));
  await db
    .insertInto('access_group_members')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['group_id', 'customer_id']).doUpdateSet({ until: sql`access_group_members.until` }))
    .execute();
  const keys = pairs.map(({ group_id, customer_id }) => sql`(CAST(${group_id} AS bigint), CAST(${customer_id} AS bigint))`);
  await sql`
    UPDATE access_group_members SET until = coalesce((
      SELECT max(coalesce(e.expires_at, ${FOREVER})) FROM entitlements e
      WHERE e.group_id = access_group_members.group_id AND e.customer_id = access_group_members.customer_id AND e.withheld IS NULL
    ), '')
    WHERE (group_id, customer_id) IN (VALUES ${sql.join(keys)})`.execute(db);
}

type MembersAsked = { id: number; now: string };

/** The members of a group, sorted by email. An expired grant is still listed (spec AG5-AG7). */
export const selectMembersOfGroup = statement<MembersAsked, GroupMember>((value) =>
  members(sql`e.group_id = ${value('id')}`, value('now'), sql``),
);

export const selectMembershipsOf = statement<MembersAsked, GroupMember>((value) =>
  members(sql`e.customer_id = ${value('id')}`, value('now'), sql`, g.name_folded, g.id`),
);

function members(which: RawBuilder<unknown>, now: RawBuilder<unknown>, furtherOrder: RawBuilder<unknown>): RawBuilder<GroupMember> {
  return sql<GroupMember>`
    SELECT c.id AS customer_id, c.email AS customer_email, nullif(c.name, '') AS customer_name,
      CASE WHEN e.order_id IS NOT NULL THEN 'order' WHEN e.subscription_id IS NOT NULL THEN 'subscription' ELSE 'manual_grant' END AS source,
      coalesce(e.order_id, e.subscription_id, e.grant_id) AS source_id,
      CASE WHEN count(e.expires_at) = count(*) THEN max(e.expires_at) END AS expires_at,
      a.note, g.name AS group_name, g.slug AS group_slug
    FROM entitlements e
    JOIN customers c ON c.id = e.customer_id
    JOIN access_groups g ON g.id = e.group_id
    LEFT JOIN access_grants a ON a.id = e.grant_id
    WHERE ${which} AND e.withheld IS NULL AND (e.expires_at IS NULL OR e.expires_at > ${now} OR e.grant_id IS NOT NULL)
    GROUP BY g.id, c.id, e.order_id, e.subscription_id, e.grant_id, a.id
    ORDER BY c.email_folded, 4, 5${furtherOrder}`;
}
