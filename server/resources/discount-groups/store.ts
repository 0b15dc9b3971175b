import { type SelectQueryBuilder, sql } from 'kysely';
import type { DiscountGroup } from '../../../contract/discount-groups.ts';
import { fold } from '../../../contract/values.ts';
import { toColumns } from '../../db/columns.ts';
import { countRows, selectKeys } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import { updateVersioned } from '../../db/statement.ts';
import type { Database } from '../../db/tables.ts';
import type { List } from '../../pages.ts';

type Group = Omit<DiscountGroup, 'member_count'>;

const columns = ['id', 'name', 'percent_bps', 'created_at', 'updated_at'] as const;

export function discountGroups(at: At, searchFolded: string): List<DiscountGroup> {
  const found = matching(at, searchFolded);
  return {
    keys: (reading) => selectKeys(found, reading),
    count: () => countRows(found),
    rows: async (ids) => {
      const groups = await at.db.selectFrom('discount_groups').select(columns).where('id', 'in', ids).execute();
      const counts = await countMembers(at.db, ids);
      return groups.map((group) => ({ ...group, member_count: counts.get(group.id) ?? 0 }));
    },
  };
}

export async function selectGroup(db: Db, id: number): Promise<DiscountGroup | null> {
  const group = await db.selectFrom('discount_groups').select(columns).where('id', '=', id).executeTakeFirst();
  return group ? { ...group, member_count: (await countMembers(db, [id])).get(id) ?? 0 } : null;
}

/** The group, locked. */
export async function lockGroup(at: At, id: number): Promise<DiscountGroup | null> {
  await at.db.selectFrom('discount_groups').select('id').where('id', '=', id).modifyEnd(at.dialect.forUpdate).executeTakeFirst();
  return selectGroup(at.db, id);
}

/** The group cannot go away before this transaction ends. */
export async function holdGroup({ db, dialect }: At, id: number): Promise<boolean> {
  const row = await db.selectFrom('discount_groups').select('id').where('id', '=', id).modifyEnd(dialect.forShare).executeTakeFirst();
  return row !== undefined;
}

export async function countMembers(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('customers')
    .select((eb) => ['discount_group_id', eb.fn.countAll<number>().as('count')])
    .where('discount_group_id', 'in', ids)
    .groupBy('discount_group_id')
    .execute();
  return new Map(rows.flatMap(({ discount_group_id: id, count }) => (id === null ? [] : [[id, count]])));
}

/** The discount of a business customer; undefined for anybody else. */
export function selectDiscountOf(db: Db, customerId: number): Promise<{ percent_bps: number } | undefined> {
  return db
    .selectFrom('customers')
    .innerJoin('discount_groups', 'discount_groups.id', 'customers.discount_group_id')
    .select('discount_groups.percent_bps')
    .where('customers.id', '=', customerId)
    .where('customers.is_b2b', '=', 1)
    .executeTakeFirst();
}

export async function insertGroup(db: Db, group: Omit<Group, 'id'>): Promise<Group> {
  const row = { ...group, name_folded: fold(group.name) };
  const { id } = await db.insertInto('discount_groups').values(row).returning('id').executeTakeFirstOrThrow();
  return { id, ...group };
}

export function updateGroup(db: Db, id: number, changes: Partial<Group>): Promise<void> {
  return setColumns(db, id, toColumns(changes, ['name']));
}

const setColumns = updateVersioned('discount_groups');

/** Takes everybody out of the group; gives how many they were. */
export async function clearMembers(db: Db, id: number, now: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('customers')
    .set({ discount_group_id: null, updated_at: now, row_version: sql<number>`row_version + 1` })
    .where('discount_group_id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export async function deleteGroup(db: Db, id: number): Promise<void> {
  await db.deleteFrom('discount_groups').where('id', '=', id).execute();
}

function matching({ db, dialect }: At, searchFolded: string): SelectQueryBuilder<Database, 'discount_groups', object> {
  const query = db.selectFrom('discount_groups');
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('name_folded'), searchFolded));
}
