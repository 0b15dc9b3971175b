import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import { updateVersioned } from '../../db/queries/statement.ts';
import type { NewRow, Row } from '../../db/tables.ts';

/** A proposed change with whoever proposed it. */
export type ChangeRow = Row<'policy_changes'> & { proposer_name: string; proposer_role: 'owner' | 'staff'; proposer_active: number };

const rows = sql`
  SELECT c.*, coalesce(nullif(a.name, ''), a.email) AS proposer_name, a.role AS proposer_role, a.active AS proposer_active
  FROM policy_changes c JOIN admins a ON a.id = c.proposed_by`;

/** Newest first (a few rows). */
export async function selectChanges(db: Db, state: ChangeRow['state'] | undefined, limit: number): Promise<ChangeRow[]> {
  const some = state === undefined ? sql`` : sql`WHERE c.state = ${state}`;
  return (await sql<ChangeRow>`${rows} ${some} ORDER BY c.id DESC LIMIT ${limit}`.execute(db)).rows;
}

/** Locks a proposed change, so that it is decided on once. */
export async function lockChange({ db, dialect }: At, id: number): Promise<ChangeRow | undefined> {
  await db.selectFrom('policy_changes').select('id').where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
  return (await sql<ChangeRow>`${rows} WHERE c.id = ${id}`.execute(db)).rows[0];
}

export async function insertChange(db: Db, row: NewRow<'policy_changes'>): Promise<number> {
  const { id } = await db.insertInto('policy_changes').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function countWaiting(db: Db, now: string): Promise<number> {
  const { rows: found } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM policy_changes WHERE state = 'waiting' AND expires_at > ${now}`.execute(db);
  return Number(found[0]?.n ?? 0);
}

export const updateChange = updateVersioned('policy_changes');

/** The other active owners. */
export async function selectOtherOwners(db: Db, adminId: number): Promise<number[]> {
  const owners = db.selectFrom('admins').select('id').where('role', '=', 'owner').where('active', '=', 1).where('id', '!=', adminId);
  return (await owners.orderBy('id').execute()).map(({ id }) => id);
}

export const deleteOldChanges = deleteOldest('policy_changes', 'expires_at');
