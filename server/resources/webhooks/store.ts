import { type SelectQueryBuilder, sql } from 'kysely';
import type { WebhookDelivery } from '../../../contract/webhook-endpoints.ts';
import type { At, Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { type List, listOf } from '../../db/queries/keyset.ts';
import { statement, updateVersioned } from '../../db/queries/statement.ts';
import type { Database, NewRow, Row } from '../../db/tables.ts';

export type EndpointRow = Row<'webhook_endpoints'> & { events: string[] };

export function endpoints(at: At, searchFolded: string): List<EndpointRow> {
  return listOf(matching(at, searchFolded), (ids) => selectEndpoints(at.db, ids));
}

/** The order of the rows is not defined. */
export async function selectEndpoints(db: Db, ids: readonly number[]): Promise<EndpointRow[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('webhook_endpoints').selectAll().where('id', 'in', ids).execute();
  return withEvents(db, rows);
}

export async function lockEndpoint({ db, dialect }: At, id: number): Promise<EndpointRow | undefined> {
  const rows = await db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate).execute();
  const [row] = await withEvents(db, rows);
  return row;
}

async function withEvents(db: Db, rows: Row<'webhook_endpoints'>[]): Promise<EndpointRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const events = await db.selectFrom('webhook_subscriptions').selectAll().where('endpoint_id', 'in', ids).orderBy('event').execute();
  return rows.map((row) => ({ ...row, events: events.filter(({ endpoint_id }) => endpoint_id === row.id).map(({ event }) => event) }));
}

export async function insertEndpoint(db: Db, row: NewRow<'webhook_endpoints'>): Promise<number> {
  const { id } = await db.insertInto('webhook_endpoints').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export const updateEndpoint = updateVersioned('webhook_endpoints');

export async function replaceEvents(db: Db, endpointId: number, events: readonly string[]): Promise<void> {
  await db.deleteFrom('webhook_subscriptions').where('endpoint_id', '=', endpointId).execute();
  await db
    .insertInto('webhook_subscriptions')
    .values(events.map((event) => ({ event, endpoint_id: endpointId })))
    .execute();
}

/** Deletes an endpoint with its subscriptions and deliveries (cascading foreign keys). */
export async function deleteEndpoint(db: Db, id: number): Promise<void> {
  await db.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
}

type NewDelivery = Pick<Row<'webhook_deliveries'>, 'type' | 'message_id' | 'payload' | 'created_at' | 'request_id'>;

const toSubscribers = statement<NewDelivery>(
  (value) => sql`
    INSERT INTO webhook_deliveries (endpoint_id, message_id, type, payload, status, attempts, due_ms, created_at, request_id)
    SELECT e.id, CAST(${value('message_id')} AS text), CAST(${value('type')} AS text), CAST(${value('payload')} AS text), 'pending', 0, 0,
      CAST(${value('created_at')} AS text), CAST(${value('request_id')} AS text)
    FROM webhook_endpoints e
    WHERE e.active = 1 AND e.id IN (SELECT endpoint_id FROM webhook_subscriptions WHERE event IN (${value('type')}, '*'))`,
);

/** Queues one delivery for each active endpoint that subscribes to events of this type. */
export async function insertDeliveries(db: Db, delivery: NewDelivery): Promise<void> {
  await toSubscribers(db, delivery);
}

/** A time that is never reached. */
const NEVER_MS = 9_000_000_000_000_000;

/** Suspends the pending deliveries of an endpoint that is switched off, until it is switched on again. */
export async function suspendDeliveries(db: Db, endpointId: number): Promise<void> {
  await sql`UPDATE webhook_deliveries SET due_ms = ${sql.lit(NEVER_MS)} WHERE endpoint_id = ${endpointId} AND status = 'pending'`.execute(
    db,
  );
}

export async function resumeDeliveries(db: Db, endpointId: number): Promise<void> {
  await sql`UPDATE webhook_deliveries SET due_ms = 0 WHERE endpoint_id = ${endpointId} AND status = 'pending' AND lease IS NULL`.execute(
    db,
  );
}

export async function selectDeliveries(
  { db, dialect }: At,
  endpointId: number,
  filter: { id?: number; status?: WebhookDelivery['status'] | undefined; before_id?: number | undefined; limit: number },
): Promise<WebhookDelivery[]> {
  let query = db.selectFrom('webhook_deliveries').selectAll().where('endpoint_id', '=', endpointId);
  if (filter.id !== undefined) query = query.where('id', '=', filter.id);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  if (filter.before_id !== undefined) query = query.where('id', '<', filter.before_id);
  const rows = await query
    .select(sql<number>`due_ms - ${dialect.nowMs}`.as('due_in_ms'))
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .execute();
  return rows.map(({ id, endpoint_id, message_id, type, status, attempts, response_status, last_error, payload, created_at, ...rest }) => ({
    id,
    endpoint_id,
    message_id,
    type,
    status,
    attempts,
    next_attempt_in_seconds: status === 'pending' && rest.due_ms < NEVER_MS ? Math.max(0, Math.ceil(rest.due_in_ms / 1000)) : null,
    response_status,
    last_error,
    payload,
    created_at,
    delivered_at: status === 'delivered' ? rest.ended_at : null,
  }));
}

export async function hasDelivery(db: Db, endpointId: number, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('id', '=', id)
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes a delivery due again, unless it is being sent now. */
export async function requeueDelivery(db: Db, id: number): Promise<void> {
  await sql`UPDATE webhook_deliveries SET status = 'pending', attempts = 0, due_ms = 0, ended_at = NULL WHERE id = ${id} AND lease IS NULL`.execute(
    db,
  );
}

function matching({ db, dialect }: At, searchFolded: string): SelectQueryBuilder<Database, 'webhook_endpoints', object> {
  const query = db.selectFrom('webhook_endpoints');
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('url_folded'), searchFolded));
}

export const deleteEnded = deleteOldest('webhook_deliveries', 'ended_at');
