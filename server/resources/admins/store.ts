import type { SelectQueryBuilder } from 'kysely';
import type { AdminName } from '../../../contract/admins.ts';
import type { At, Db } from '../../db/open.ts';
import { type AdminRow, roleColumns } from '../../db/queries/admin-rows.ts';
import { type List, listOf } from '../../db/queries/keyset.ts';
import { updateVersioned } from '../../db/queries/statement.ts';
import type { Database, Row } from '../../db/tables.ts';

export type AdminFilter = { searchFolded: string; active: boolean | undefined; roleId: number | undefined };

export function admins(at: At, filter: AdminFilter): List<AdminRow> {
  return listOf(matching(at, filter), (ids) => selectAdmins(at.db, ids));
}

/** The order of the rows is not defined. */
export function selectAdmins(db: Db, ids: readonly number[]): Promise<AdminRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.selectFrom('admins').selectAll().select(roleColumns).where('id', 'in', ids).execute();
}

/** The names of all admins (a few rows), oldest first. */
export async function selectNames(db: Db): Promise<AdminName[]> {
  const rows = await db.selectFrom('admins').select(['id', 'name', 'active']).orderBy('id').execute();
  return rows.map((row) => ({ ...row, active: row.active === 1 }));
}

/** The active admins (a few rows), oldest first. */
export function selectActive(db: Db): Promise<Pick<Row<'admins'>, 'id' | 'name' | 'email'>[]> {
  return db.selectFrom('admins').select(['id', 'name', 'email']).where('active', '=', 1).orderBy('id').execute();
}

/** What an admin's record shows that is no change of the admin; null if there is nothing of it. */
export async function selectDerived(db: Db, id: number): Promise<unknown> {
  const row = await db.selectFrom('admins').select('last_seen_at').select(roleColumns).where('id', '=', id).executeTakeFirst();
  if (!row || (row.last_seen_at === null && row.role_name === null)) return null;
  return row.role_name === null ? row.last_seen_at : row;
}

/** Locks all admins (a few rows), so that two requests cannot remove the last two owners at the same time. */
export function lockAdmins({ db, dialect }: At): Promise<AdminRow[]> {
  return db.selectFrom('admins').selectAll().select(roleColumns).orderBy('id').modifyEnd(dialect.forUpdate).execute();
}

export const updateAdmin = updateVersioned('admins');

export async function setConsole(db: Db, id: number, console: string): Promise<void> {
  await db.updateTable('admins').set({ console }).where('id', '=', id).execute();
}

/** Whether the audit log has an entry of this admin. */
export async function hasActed(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('audit_log').select('id').where('actor_id', '=', id).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Deletes an admin with the admin's tokens. */
export async function deleteAdmin(db: Db, id: number): Promise<void> {
  await db.deleteFrom('tokens').where('admin_id', '=', id).execute();
  await db.deleteFrom('admins').where('id', '=', id).execute();
}

function matching({ db, dialect }: At, { searchFolded, active, roleId }: AdminFilter): SelectQueryBuilder<Database, 'admins', object> {
  let query = db.selectFrom('admins');
  if (active !== undefined) query = query.where('active', '=', active ? 1 : 0);
  if (roleId !== undefined) query = query.where('role_id', '=', roleId);
  if (searchFolded !== '') {
    query = query.where((eb) =>
      eb.or([dialect.contains(eb.ref('name_folded'), searchFolded), dialect.contains(eb.ref('email_folded'), searchFolded)]),
    );
  }
  return query;
}
