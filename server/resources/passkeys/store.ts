import type { At, Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export type PasskeyRow = Row<'passkeys'>;

/** The passkeys of an admin that are not deleted, oldest first (a few rows). */
export function selectPasskeysOf(db: Db, adminId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').selectAll().where('admin_id', '=', adminId).where('deleted_at', 'is', null).orderBy('id').execute();
}

/** Finds a passkey that is not deleted by the unique index on credential_id, and locks it until this transaction ends. */
export function holdPasskey({ db, dialect }: At, credentialId: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .where('deleted_at', 'is', null)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
}

/** Returns the id; null if the credential is known already. */
export async function insertPasskey(db: Db, row: NewRow<'passkeys'>): Promise<number | null> {
  const made = await db
    .insertInto('passkeys')
    .values(row)
    .onConflict((clash) => clash.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id ?? null;
}

export async function notePasskeyUse(
  db: Db,
  id: number,
  used: { counter: number; backed_up: number; last_used_at: string },
): Promise<void> {
  await db.updateTable('passkeys').set(used).where('id', '=', id).execute();
}
