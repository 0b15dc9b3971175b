import { sql } from 'kysely';
import type { InternalOrderStatus } from '../../../contract/order-statuses.ts';
import type { At, Db } from '../../db/open.ts';
import { type TableOf, toColumns } from '../../db/queries/columns.ts';
import { countBy } from '../../db/queries/count-by.ts';
import type { List } from '../../db/queries/keyset.ts';
import { recordTable } from '../../db/queries/record-table.ts';
import { takenIn } from '../../db/queries/unique-values.ts';

type Status = Omit<InternalOrderStatus, 'order_count'>;

declare module '../../db/tables.ts' {
  interface Database {
    order_statuses: TableOf<Status, 'name'>;
  }
}

export const statuses = recordTable('order_statuses', {
  type: 'order_status',
  toRecord: ({ name_folded: _, row_version: __, ...row }): Status => row,
  toRow: (status) => toColumns(status, ['name']),
  search: ['name_folded'],
  order: { name: 'sort_order', type: 'integer' },
});

export const isNameTaken = takenIn('order_statuses', 'name_folded');

export function countedStatuses(at: At, searchFolded: string): List<InternalOrderStatus> {
  const list = statuses.list(at, searchFolded);
  const rows = async (ids: readonly number[]) => {
    const counts = await countBy(at.db, 'orders', 'internal_status_id', ids);
    return (await list.rows(ids)).map((status) => ({ ...status, order_count: counts.get(status.id) ?? 0 }));
  };
  return { ...list, rows };
}

export async function countOrdersOf(db: Db, id: number): Promise<number> {
  return (await countBy(db, 'orders', 'internal_status_id', [id])).get(id) ?? 0;
}

/** Moves all orders with one status to another status, or to none. */
export async function moveOrders(db: Db, id: number, toId: number | null, now: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ internal_status_id: toId, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('internal_status_id', '=', id)
    .execute();
}
