import type { At, Db } from '../../db/open.ts';
import { type AdminRow, roleColumns } from '../../db/queries/admin-rows.ts';
import { deleteOldest } from '../../db/queries/delete-oldest.ts';
import type { NewRow, Row } from '../../db/tables.ts';

/** The digest of the newest decision; null: there is none that has one. The caller holds the lock of decisions. */
export async function selectChainHead(db: Db): Promise<string | null> {
  const newest = db.selectFrom('decisions').select((eb) => eb.fn.max('id').as('id'));
  const row = await db.selectFrom('decisions').select('chain').where('id', '=', newest).executeTakeFirst();
  return row?.chain ?? null;
}

export async function insertDecision(db: Db, row: NewRow<'decisions'>): Promise<void> {
  await db.insertInto('decisions').values(row).execute();
}

export async function insertGesture(db: Db, row: NewRow<'gestures'>): Promise<number> {
  const { id } = await db.insertInto('gestures').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export function lockGesture({ db, dialect }: At, id: number): Promise<Row<'gestures'> | undefined> {
  return db.selectFrom('gestures').selectAll().where('id', '=', id).modifyEnd(dialect.forUpdate).executeTakeFirst();
}

export async function useGesture(db: Db, id: number, at: string): Promise<void> {
  await db.updateTable('gestures').set({ used_at: at }).where('id', '=', id).execute();
}

/** The active admins who have a passkey for a host name (a few rows). */
export function selectKeyHolders(db: Db, rpId: string): Promise<AdminRow[]> {
  const keys = db.selectFrom('passkeys').select('admin_id').where('deleted_at', 'is', null).where('rp_id', '=', rpId);
  return db.selectFrom('admins').selectAll().select(roleColumns).where('active', '=', 1).where('id', 'in', keys).orderBy('id').execute();
}

export const deleteOldGestures = deleteOldest('gestures', 'expires_at');
