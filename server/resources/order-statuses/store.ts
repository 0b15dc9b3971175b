import { type SelectQueryBuilder, sql } from 'kysely';
import type { InternalOrderStatus } from '../../../contract/order-statuses.ts';
import { toColumns } from '../../db/columns.ts';
import { countRows, selectKeys } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import { updateVersioned } from '../../db/statement.ts';
import type { Database, NewRow } from '../../db/tables.ts';
import type { List } from '../../pages.ts';

type Status = Omit<InternalOrderStatus, 'order_count'>;

const columns = ['id', 'name', 'color', 'sort_order'] as const;

export function orderStatuses(at: At, searchFolded: string): List<InternalOrderStatus> {
  const found = matching(at, searchFolded);
  return {
    keys: (reading) => selectKeys(found, reading),
    count: () => countRows(found),
    rows: (ids) => selectStatuses(at.db, ids),
  };
}

/** In no order. */
export async function selectStatuses(db: Db, ids: readonly number[]): Promise<InternalOrderStatus[]> {
  const statuses = await db.selectFrom('order_statuses').select(columns).where('id', 'in', ids).execute();
  const counts = await countOrdersByStatus(db, ids);
  return statuses.map((status) => ({ ...status, order_count: counts.get(status.id) ?? 0 }));
}

/** The status, locked. */
export async function lockForChange(at: At, id: number): Promise<InternalOrderStatus | null> {
  await at.db.selectFrom('order_statuses').select('id').where('id', '=', id).modifyEnd(at.dialect.forUpdate).executeTakeFirst();
  const [status] = await selectStatuses(at.db, [id]);
  return status ?? null;
}

export async function isNameTaken(db: Db, nameFolded: string, exceptId: number): Promise<boolean> {
  const row = await db
    .selectFrom('order_statuses')
    .select('id')
    .where('name_folded', '=', nameFolded)
    .where('id', '<>', exceptId)
    .executeTakeFirst();
  return row !== undefined;
}

export function updateStatus(db: Db, id: number, changes: Partial<Status>): Promise<void> {
  return setColumns(db, id, toColumns(changes, ['name']));
}

const setColumns = updateVersioned('order_statuses');

export async function deleteStatus(db: Db, id: number): Promise<void> {
  await db.deleteFrom('order_statuses').where('id', '=', id).execute();
}

/** Gives the orders of one status another, or none. */
export async function moveOrders(db: Db, id: number, toId: number | null, now: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ internal_status_id: toId, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('internal_status_id', '=', id)
    .execute();
}

export async function countOrdersByStatus(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('orders')
    .select((eb) => ['internal_status_id', eb.fn.countAll<number>().as('count')])
    .where('internal_status_id', 'in', ids)
    .groupBy('internal_status_id')
    .execute();
  return new Map(rows.flatMap(({ internal_status_id, count }) => (internal_status_id === null ? [] : [[internal_status_id, count]])));
}

export async function selectLastSortOrder(db: Db): Promise<number> {
  const { last } = await db
    .selectFrom('order_statuses')
    .select(sql<number>`coalesce(max(sort_order), 0)`.as('last'))
    .executeTakeFirstOrThrow();
  return last;
}

/** null where the folded name is taken. */
export async function insertStatus(db: Db, status: NewRow<'order_statuses'>): Promise<Status | null> {
  const row = await db
    .insertInto('order_statuses')
    .values(status)
    .onConflict((conflict) => conflict.column('name_folded').doNothing())
    .returning(columns)
    .executeTakeFirst();
  return row ?? null;
}

/** The status cannot go away before this transaction ends. */
export async function lockStatus({ db, dialect }: At, id: number): Promise<boolean> {
  const row = await db.selectFrom('order_statuses').select('id').where('id', '=', id).modifyEnd(dialect.forShare).executeTakeFirst();
  return row !== undefined;
}

function matching({ db, dialect }: At, searchFolded: string): SelectQueryBuilder<Database, 'order_statuses', object> {
  const query = db.selectFrom('order_statuses');
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('name_folded'), searchFolded));
}
