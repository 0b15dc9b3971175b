import { sql } from 'kysely';
import type { At, Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function selectUse(db: Db): Promise<number> {
  const { used_bytes } = await db.selectFrom('storage_use').select('used_bytes').where('id', '=', 1).executeTakeFirstOrThrow();
  return used_bytes;
}

/**
 * Adds to the used bytes and returns the new sum. The row stays locked, so that two concurrent uploads cannot both take the
 * last free space.
 */
export async function addUse(db: Db, bytes: number): Promise<number> {
  const { used_bytes } = await db
    .updateTable('storage_use')
    .set({ used_bytes: sql<number>`used_bytes + CAST(${bytes} AS bigint)` })
    .where('id', '=', 1)
    .returning('used_bytes')
    .executeTakeFirstOrThrow();
  return used_bytes;
}

/** The prefix of the shop's files; '' if none was chosen yet. */
export async function selectPrefix(db: Db): Promise<string> {
  return (await db.selectFrom('storage_use').select('key_prefix').executeTakeFirstOrThrow()).key_prefix;
}

/** The key prefix that was chosen for this database before; otherwise stores `fresh`. */
export async function choosePrefix(db: Db, fresh: string): Promise<string> {
  const { key_prefix } = await db
    .updateTable('storage_use')
    .set({ key_prefix: sql<string>`CASE key_prefix WHEN '' THEN ${fresh} ELSE key_prefix END` })
    .where('id', '=', 1)
    .returning('key_prefix')
    .executeTakeFirstOrThrow();
  return key_prefix;
}

export async function insertObject(db: Db, object: NewRow<'stored_objects'>): Promise<void> {
  await db.insertInto('stored_objects').values(object).execute();
}

/** Deletes stored objects; returns how many of their bytes counted towards the cap. */
export async function deleteObjects({ db, dialect }: At, keys: readonly string[]): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    DELETE FROM stored_objects WHERE key IN (SELECT line FROM ${dialect.linesOf(sql`${JSON.stringify(keys)}`)})
    RETURNING size_bytes * counts AS counted`.execute(db);
  return rows.reduce((sum, { counted }) => sum + counted, 0);
}

/** One page of the stored files in the order of their keys, after this key. */
export function selectObjects(db: Db, after: string, limit: number): Promise<Pick<Row<'stored_objects'>, 'key' | 'size_bytes'>[]> {
  return db.selectFrom('stored_objects').select(['key', 'size_bytes']).where('key', '>', after).orderBy('key').limit(limit).execute();
}

export async function selectKnown(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db.selectFrom('stored_objects').select('key').where('key', 'in', keys).execute();
  return new Set(rows.map(({ key }) => key));
}
