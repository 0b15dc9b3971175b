import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Db } from '../../db/open.ts';
import type { Database, Row } from '../../db/tables.ts';
import type { Window } from './merge.ts';

/** Newest first, by an index that ends with the id: ids rise with time. */
function byId<T extends keyof Database, O>(query: SelectQueryBuilder<Database, T, O>, { after, limit }: Window): Promise<O[]> {
  const id = sql.ref<number>('id');
  const from = after === null ? query : query.where(sql<boolean>`${id} < ${after.id}`);
  return from.orderBy(id, 'desc').limit(limit).execute();
}

/** Newest first, by an index that ends with the time of creation and the id. */
function byCreation<T extends keyof Database, O>(query: SelectQueryBuilder<Database, T, O>, { after, limit }: Window): Promise<O[]> {
  const [at, id] = [sql.ref<string>('created_at'), sql.ref<number>('id')];
  const from = after === null ? query : query.where(sql<boolean>`(${at}, ${id}) < (${after.at}, ${after.id})`);
  return from.orderBy(at, 'desc').orderBy(id, 'desc').limit(limit).execute();
}

type Condition = RawBuilder<boolean>;

export function auditOf(db: Db, type: 'order' | 'customer', id: number, condition: Condition, window: Window) {
  const query = db.selectFrom('audit_log').selectAll().where('resource_type', '=', type).where('resource_id', '=', id);
  return byId(query.where(condition), window);
}

/** Entries about other records of an order or customer. */
export function auditAbout(db: Db, column: 'order_id' | 'customer_id', id: number, condition: Condition, window: Window) {
  return byId(db.selectFrom('audit_log').selectAll().where(column, '=', id).where(condition), window);
}

type Maker = Pick<
  Row<'audit_log'>,
  'id' | 'at' | 'actor_type' | 'actor_id' | 'run_id' | 'action' | 'resource_type' | 'resource_id' | 'changes'
>;

/** The entries of the audit log that tell who made these records. */
export async function selectMakers(db: Db, resource: string, ids: readonly number[], actions: readonly string[]): Promise<Maker[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('audit_log')
    .select(['id', 'at', 'actor_type', 'actor_id', 'run_id', 'action', 'resource_type', 'resource_id', 'changes'])
    .where('resource_type', '=', resource)
    .where('resource_id', 'in', ids)
    .where('action', 'in', actions)
    .execute();
}

export function commentsOf(db: Db, orderId: number, window: Window) {
  return byCreation(db.selectFrom('order_comments').selectAll().where('order_id', '=', orderId), window);
}

export function notesOf(db: Db, customerId: number, window: Window) {
  return byCreation(db.selectFrom('customer_notes').selectAll().where('customer_id', '=', customerId), window);
}

export function editsOf(db: Db, orderId: number, window: Window) {
  return byId(db.selectFrom('order_edits').selectAll().where('order_id', '=', orderId), window);
}

export function paymentsOf(db: Db, orderId: number, window: Window) {
  return byId(db.selectFrom('payments').selectAll().where('order_id', '=', orderId), window);
}

/** An order has a few. */
export function providerPaymentsOf(db: Db, orderId: number): Promise<Row<'provider_payments'>[]> {
  return db.selectFrom('provider_payments').selectAll().where('order_id', '=', orderId).execute();
}

export function shipmentsOf(db: Db, orderId: number, window: Window) {
  const columns = ['id', 'status', 'provider', 'courier_name', 'tracking_number', 'created_at'] as const;
  return byId(db.selectFrom('shipments').select(columns).where('order_id', '=', orderId), window);
}

const mailColumns = ['id', 'template', 'subject', 'to_address', 'status', 'run_id', 'task_id', 'created_at', 'ended_at'] as const;

/** Mails about an order, without those that tell admins of it. */
export function mailsOf(db: Db, orderId: number, toAdmins: readonly string[], window: Window) {
  const query = db.selectFrom('mails').select(mailColumns).where('resource_type', '=', 'order').where('resource_id', '=', orderId);
  return byId(query.where('template', 'not in', toAdmins), window);
}

export function mailsTo(db: Db, customerId: number, window: Window) {
  return byId(db.selectFrom('mails').select(mailColumns).where('customer_id', '=', customerId), window);
}

export function filesOf(db: Db, customerId: number, window: Window) {
  return byCreation(db.selectFrom('customer_files').selectAll().where('customer_id', '=', customerId), window);
}

export function creditsOf(db: Db, customerId: number, window: Window) {
  return byId(db.selectFrom('credit_transactions').selectAll().where('customer_id', '=', customerId), window);
}

export async function accessOf(db: Db, customerId: number, window: Window) {
  const rows = await byId(db.selectFrom('entitlements').selectAll().where('customer_id', '=', customerId), window);
  const groups = await rowsById(
    rows.map(({ group_id }) => group_id),
    (ids) => db.selectFrom('access_groups').select(['id', 'name']).where('id', 'in', ids).execute(),
  );
  const grants = await rowsById(
    rows.flatMap(({ grant_id }) => grant_id ?? []),
    (ids) => db.selectFrom('access_grants').select(['id', 'granted_by', 'note', 'created_at']).where('id', 'in', ids).execute(),
  );
  return rows.map((row) => ({ ...row, group_name: groups.get(row.group_id)?.name ?? '', grant: grants.get(row.grant_id ?? 0) ?? null }));
}

export function ordersOf(db: Db, customerId: number, window: Window) {
  const columns = ['id', 'public_id', 'status', 'total', 'currency', 'created_at'] as const;
  return byCreation(db.selectFrom('orders').select(columns).where('customer_id', '=', customerId).where('is_test', '=', 0), window);
}

export function inquiriesOf(db: Db, customerId: number, window: Window) {
  const columns = ['id', 'subject', 'answered_at', 'created_at'] as const;
  return byCreation(db.selectFrom('inquiries').select(columns).where('customer_id', '=', customerId), window);
}

export function subscriptionsOf(db: Db, customerId: number, window: Window) {
  const columns = ['id', 'product_name', 'status', 'created_at'] as const;
  return byCreation(db.selectFrom('subscriptions').select(columns).where('customer_id', '=', customerId), window);
}

export async function selectCreation(db: Db, table: 'orders' | 'customers', id: number): Promise<string> {
  return (await db.selectFrom(table).select('created_at').where('id', '=', id).executeTakeFirstOrThrow()).created_at;
}

export async function selectAdminNames(db: Db, ids: readonly number[]): Promise<Map<number, { name: string }>> {
  return rowsById(ids, (some) => db.selectFrom('admins').select(['id', 'name']).where('id', 'in', some).execute());
}

/** The tasks of runs. */
export async function selectTasks(db: Db, runIds: readonly number[]): Promise<Map<number, { task_id: number; name: string }>> {
  return rowsById(runIds, (ids) =>
    db
      .selectFrom('runs')
      .innerJoin('tasks', 'tasks.id', 'runs.task_id')
      .select(['runs.id', 'runs.task_id', 'tasks.name'])
      .where('runs.id', 'in', ids)
      .execute(),
  );
}

async function rowsById<T extends { id: number }>(
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<T[]>,
): Promise<Map<number, T>> {
  const rows = ids.length === 0 ? [] : await read([...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Conditions on entries of the audit log. None may be one that an index answers: that of the order or customer has them in order. */
export const conditions = {
  all: sql<boolean>`1 = 1`,
  byRun: sql<boolean>`run_id IS NOT NULL`,
  changed: sql<boolean>`changes <> '{}'`,
  /** Acts that another source shows by what they made. */
  without: (actions: readonly string[]) => sql<boolean>`action NOT IN (${sql.join(actions)})`,
  act: (action: string) => sql<boolean>`(action = ${action}) IS TRUE`,
  about: (records: readonly string[]) => sql<boolean>`(resource_type IN (${sql.join(records)})) IS TRUE`,
  notAbout: (records: readonly string[]) => sql<boolean>`resource_type NOT IN (${sql.join(records)})`,
  and: (all: readonly Condition[]) => sql<boolean>`(${sql.join(all, sql` AND `)})`,
};
