import { type RawBuilder, sql } from 'kysely';
import type { AccessGrant, AccessGroup, AccessGroupDetail, ProductAssignment } from '../../../contract/access-groups.ts';
import type { At, Db } from '../../db/open.ts';
import { toColumns } from '../../db/queries/columns.ts';
import { blanked } from '../../db/queries/personal-columns.ts';
import { insertInto, statement, updateVersioned } from '../../db/queries/statement.ts';
import { takenIn } from '../../db/queries/unique-values.ts';

/** The fields of a group that an admin sets. */
export type GroupValues = Pick<AccessGroup, 'slug' | 'name' | 'description'>;

/** By name. */
export const selectGroups = statement<{ now: string }, AccessGroup>(
  (value) => sql`SELECT ${columns(value('now'))} FROM access_groups g ORDER BY g.name_folded, g.id`,
);

export async function selectGroup(db: Db, id: number, now: string): Promise<AccessGroup | null> {
  const [group] = await groupById(db, { id, now });
  return group ?? null;
}

const groupById = statement<{ id: number; now: string }, AccessGroup>(
  (value) => sql`SELECT ${columns(value('now'))} FROM access_groups g WHERE g.id = ${value('id')}`,
);

function columns(now: RawBuilder<unknown>): RawBuilder<AccessGroup> {
  return sql<AccessGroup>`g.id, g.slug, g.name, g.description,
    (SELECT count(*) FROM access_group_files f WHERE f.group_id = g.id) AS file_count,
    (SELECT count(*) FROM access_group_pages p WHERE p.group_id = g.id) AS page_count,
    (SELECT count(*) FROM product_access_groups a WHERE a.group_id = g.id) AS granting_product_count,
    (SELECT count(*) FROM access_group_members m WHERE m.group_id = g.id AND m.until > ${now}) AS member_count,
    g.created_at, g.updated_at`;
}

/** Finds and locks a group. Every write to a part of the group begins with this lock. */
export async function lockGroup({ db, dialect }: At, id: number): Promise<(GroupValues & { id: number }) | null> {
  const [group] = await lockGroups({ db, dialect }, [id]);
  return group ?? null;
}

/** Locks the groups in the order of their ids, so that two writes never deadlock. */
export async function lockGroups({ db, dialect }: At, ids: readonly number[]): Promise<(GroupValues & { id: number })[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom('access_groups')
    .select(['id', 'slug', 'name', 'description'])
    .where('id', 'in', ids)
    .orderBy('id')
    .modifyEnd(dialect.forUpdate)
    .execute();
}

/** Returns null if the slug is taken. */
export async function insertGroup(db: Db, group: GroupValues, now: string): Promise<number | null> {
  const [row] = await insertRow(db, { ...toColumns(group, ['name']), created_at: now, updated_at: now }, 'slug');
  return row?.id ?? null;
}

const insertRow = insertInto('access_groups', sql<{ id: number }>`id`);

export const isSlugTaken = takenIn('access_groups', 'slug');

export function updateGroup(db: Db, id: number, changes: Partial<GroupValues>, now: string): Promise<void> {
  return setColumns(db, id, { ...toColumns(changes, ['name']), updated_at: now });
}

const setColumns = updateVersioned('access_groups');

/** Raises the row versions of groups whose own columns do not change. */
export async function raiseVersions(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable('access_groups').set({ row_version: sql<number>`row_version + 1` }).where('id', 'in', ids).execute();
}

export async function deleteGroup(db: Db, id: number): Promise<void> {
  await db.deleteFrom('access_groups').where('id', '=', id).execute();
}

export const selectFiles = statement<{ groupId: number }, AccessGroupDetail['files'][number]>(
  (value) => sql`
    SELECT f.id, f.original_filename, f.file_size, f.content_type, f.storage_key, l.sort_order, f.created_at
    FROM access_group_files l JOIN files f ON f.id = l.file_id
    WHERE l.group_id = ${value('groupId')} ORDER BY l.sort_order, l.file_id`,
);

export const selectPages = statement<{ groupId: number }, AccessGroupDetail['pages'][number]>(
  (value) => sql`
    SELECT p.id, p.slug, p.title FROM access_group_pages l JOIN pages p ON p.id = l.page_id
    WHERE l.group_id = ${value('groupId')} ORDER BY l.sort_order, l.page_id`,
);

export async function selectGrantingProducts(db: Db, groupId: number): Promise<AccessGroupDetail['granting_products']> {
  const rows = await productsOfGroup(db, { groupId });
  return rows.map((row) => ({ ...row, is_subscription: row.is_subscription === 1 }));
}

type Granting = Omit<AccessGroupDetail['granting_products'][number], 'is_subscription'> & { is_subscription: number };

const productsOfGroup = statement<{ groupId: number }, Granting>(
  (value) => sql`
    SELECT p.id AS product_id, p.slug AS product_slug, p.name AS product_name, a.duration_days, p.is_subscription
    FROM product_access_groups a JOIN products p ON p.id = a.product_id
    WHERE a.group_id = ${value('groupId')} ORDER BY p.name_folded, p.id`,
);

/** The ids of the group's files in their sort order. */
export async function selectFileIds(db: Db, groupId: number): Promise<number[]> {
  return (await selectFiles(db, { groupId })).map(({ id }) => id);
}

export async function selectPageIds(db: Db, groupId: number): Promise<number[]> {
  return (await selectPages(db, { groupId })).map(({ id }) => id);
}

export async function replaceFiles(db: Db, groupId: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('access_group_files').where('group_id', '=', groupId).execute();
  const rows = ids.map((file_id, sort_order) => ({ group_id: groupId, file_id, sort_order }));
  if (rows.length > 0) await db.insertInto('access_group_files').values(rows).execute();
}

export async function replacePages(db: Db, groupId: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('access_group_pages').where('group_id', '=', groupId).execute();
  const rows = ids.map((page_id, sort_order) => ({ group_id: groupId, page_id, sort_order }));
  if (rows.length > 0) await db.insertInto('access_group_pages').values(rows).execute();
}

/** By name. */
export const selectAssignments = statement<{ productId: number }, ProductAssignment>(
  (value) => sql`
    SELECT g.id AS group_id, g.slug, g.name, a.duration_days
    FROM product_access_groups a JOIN access_groups g ON g.id = a.group_id
    WHERE a.product_id = ${value('productId')} ORDER BY g.name_folded, g.id`,
);

export type Assignment = Pick<ProductAssignment, 'group_id' | 'duration_days'>;

export async function replaceAssignments(db: Db, productId: number, assignments: readonly Assignment[]): Promise<void> {
  await db.deleteFrom('product_access_groups').where('product_id', '=', productId).execute();
  const rows = assignments.map((assignment) => ({ product_id: productId, ...assignment }));
  if (rows.length > 0) await db.insertInto('product_access_groups').values(rows).execute();
}

export function insertGrant(db: Db, grant: Omit<AccessGrant, 'id'>): Promise<AccessGrant> {
  return db.insertInto('access_grants').values(grant).returningAll().executeTakeFirstOrThrow();
}

export async function selectGrant(db: Db, id: number): Promise<AccessGrant | null> {
  return (await db.selectFrom('access_grants').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Deletes a grant with its entitlements (a cascading foreign key). Returns false if there is no such grant. */
export async function deleteGrant(db: Db, id: number): Promise<boolean> {
  return (await db.deleteFrom('access_grants').where('id', '=', id).returning('id').executeTakeFirst()) !== undefined;
}

export async function clearGrantNotes(db: Db, customerId: number): Promise<void> {
  await sql`UPDATE access_grants SET ${blanked('access_grants')} WHERE customer_id = ${customerId}`.execute(db);
}
