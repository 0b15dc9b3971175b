import { sql } from 'kysely';
import type { DiscountGroup } from '../../../contract/discount-groups.ts';
import type { At, Db } from '../../db/open.ts';
import { type TableOf, toColumns } from '../../db/queries/columns.ts';
import { countBy } from '../../db/queries/count-by.ts';
import type { List } from '../../db/queries/keyset.ts';
import { recordTable } from '../../db/queries/record-table.ts';

type Group = Omit<DiscountGroup, 'member_count'>;

declare module '../../db/tables.ts' {
  interface Database {
    discount_groups: TableOf<Group, 'name'>;
  }
}

export const groups = recordTable('discount_groups', {
  type: 'discount_group',
  toRecord: ({ name_folded: _, row_version: __, ...row }): Group => row,
  toRow: (group) => toColumns(group, ['name']),
  search: ['name_folded'],
  order: { name: 'name_folded', type: 'text' },
});

export function countedGroups(at: At, searchFolded: string): List<DiscountGroup> {
  const list = groups.list(at, searchFolded);
  const rows = async (ids: readonly number[]) => {
    const counts = await countBy(at.db, 'customers', 'discount_group_id', ids);
    return (await list.rows(ids)).map((group) => ({ ...group, member_count: counts.get(group.id) ?? 0 }));
  };
  return { ...list, rows };
}

export async function countMembersOf(db: Db, id: number): Promise<number> {
  return (await countBy(db, 'customers', 'discount_group_id', [id])).get(id) ?? 0;
}

/** The discount of a business customer; undefined for other customers and without a group. */
export function selectDiscountOf(db: Db, customerId: number): Promise<{ percent_bps: number } | undefined> {
  return db
    .selectFrom('customers')
    .innerJoin('discount_groups', 'discount_groups.id', 'customers.discount_group_id')
    .select('discount_groups.percent_bps')
    .where('customers.id', '=', customerId)
    .where('customers.is_b2b', '=', 1)
    .executeTakeFirst();
}

/** Removes all members from the group; returns how many they were. */
export async function clearMembers(db: Db, id: number, now: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('customers')
    .set({ discount_group_id: null, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('discount_group_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
