import { type SelectQueryBuilder, sql } from 'kysely';
import type { InternalOrderStatus } from '../../../contract/order-statuses.ts';
import type { Ctx } from '../../context.ts';
import { type Position, type Reading, selectKeys } from '../../db/keyset.ts';
import type { Db } from '../../db/open.ts';
import type { Database, NewRow } from '../../db/tables.ts';

type At = Pick<Ctx, 'db' | 'dialect'>;
type Status = Omit<InternalOrderStatus, 'order_count'>;

export function selectStatusKeys(at: At, searchFolded: string, reading: Reading): Promise<Position[]> {
  return selectKeys(matching(at, searchFolded), reading);
}

export async function countStatuses(at: At, searchFolded: string): Promise<number> {
  const { count } = await matching(at, searchFolded)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** In no order. */
export async function selectStatuses(db: Db, ids: readonly number[]): Promise<Status[]> {
  if (ids.length === 0) return [];
  return db.selectFrom('order_statuses').select(['id', 'name', 'color', 'sort_order']).where('id', 'in', ids).execute();
}

export async function countOrdersByStatus(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
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
    .returning(['id', 'name', 'color', 'sort_order'])
    .executeTakeFirst();
  return row ?? null;
}

export async function selectStatusVersion(db: Db, id: number): Promise<number | null> {
  const row = await db.selectFrom('order_statuses').select('row_version').where('id', '=', id).executeTakeFirst();
  return row?.row_version ?? null;
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
