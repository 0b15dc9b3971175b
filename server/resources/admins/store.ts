import type { SelectQueryBuilder } from 'kysely';
import { type List, listOf } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import { updateVersioned } from '../../db/statement.ts';
import type { Database, Row } from '../../db/tables.ts';

export type AdminFilter = { searchFolded: string; active: boolean | undefined };

export function admins(at: At, filter: AdminFilter): List<Row<'admins'>> {
  return listOf(matching(at, filter), (ids) => selectAdmins(at.db, ids));
}

/** In no order. */
export function selectAdmins(db: Db, ids: readonly number[]): Promise<Row<'admins'>[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.selectFrom('admins').selectAll().where('id', 'in', ids).execute();
}

/** null: never. */
export async function selectLastSeen(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom('admins').select('last_seen_at').where('id', '=', id).executeTakeFirst();
  return row?.last_seen_at ?? null;
}

/** All admins, a few rows, so that two requests cannot take away the last two owners. */
export function lockAdmins({ db, dialect }: At): Promise<Row<'admins'>[]> {
  return db.selectFrom('admins').selectAll().orderBy('id').modifyEnd(dialect.forUpdate).execute();
}

export const updateAdmin = updateVersioned('admins');

/** Whether the audit log knows an act of this admin. */
export async function hasActed(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('audit_log').select('id').where('actor_id', '=', id).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** With the tokens, which only it had. */
export async function deleteAdmin(db: Db, id: number): Promise<void> {
  await db.deleteFrom('tokens').where('admin_id', '=', id).execute();
  await db.deleteFrom('admins').where('id', '=', id).execute();
}

function matching({ db, dialect }: At, { searchFolded, active }: AdminFilter): SelectQueryBuilder<Database, 'admins', object> {
  let query = db.selectFrom('admins');
  if (active !== undefined) query = query.where('active', '=', active ? 1 : 0);
  if (searchFolded !== '') {
    query = query.where((eb) =>
      eb.or([dialect.contains(eb.ref('name_folded'), searchFolded), dialect.contains(eb.ref('email_folded'), searchFolded)]),
    );
  }
  return query;
}
