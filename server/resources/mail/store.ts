import type { Db } from '../../db/open.ts';
import type { NewRow } from '../../db/tables.ts';

export async function insertMail(db: Db, mail: NewRow<'mails'>): Promise<void> {
  await db.insertInto('mails').values(mail).execute();
}
