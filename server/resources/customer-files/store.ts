import type { CustomerFile } from '../../../contract/customers.ts';
import type { Db } from '../../db/open.ts';

/** Newest first. */
export function selectFiles(db: Db, customerId: number): Promise<CustomerFile[]> {
  return db
    .selectFrom('customer_files')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

export async function selectFile(db: Db, customerId: number, id: number): Promise<CustomerFile | null> {
  const file = await db
    .selectFrom('customer_files')
    .selectAll()
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  return file ?? null;
}

export function insertFile(db: Db, file: Omit<CustomerFile, 'id'>): Promise<CustomerFile> {
  return db.insertInto('customer_files').values(file).returningAll().executeTakeFirstOrThrow();
}

/** Returns the deleted file; null if the customer has no such file. */
export async function deleteFile(db: Db, customerId: number, id: number): Promise<CustomerFile | null> {
  const file = await db
    .deleteFrom('customer_files')
    .where('id', '=', id)
    .where('customer_id', '=', customerId)
    .returningAll()
    .executeTakeFirst();
  return file ?? null;
}

/** Returns the storage keys of the deleted files. */
export async function deleteFiles(db: Db, customerId: number): Promise<string[]> {
  const rows = await db.deleteFrom('customer_files').where('customer_id', '=', customerId).returning('storage_key').execute();
  return rows.map(({ storage_key }) => storage_key);
}
