import type { Dialect } from './dialect.ts';
import type { Db } from './open.ts';

/**
 * The stored progress of a long piece of work, from the table `imports`; null before it began. With `dialect`, the row is locked until the
 * transaction ends.
 */
export async function readProgress(db: Db, source: string, dialect?: Dialect): Promise<unknown> {
  let query = db.selectFrom('imports').select('state').where('source', '=', source);
  if (dialect) query = query.modifyEnd(dialect.forUpdate);
  const row = await query.executeTakeFirst();
  return row ? JSON.parse(row.state) : null;
}

export async function writeProgress(db: Db, source: string, state: unknown): Promise<void> {
  const row = { state: JSON.stringify(state), updated_at: new Date().toISOString() };
  await db
    .insertInto('imports')
    .values({ source, ...row })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(row))
    .execute();
}

export async function clearProgress(db: Db, source: string): Promise<void> {
  await db.deleteFrom('imports').where('source', '=', source).execute();
}
