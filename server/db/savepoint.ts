import { sql } from 'kysely';
import type { Db } from './open.ts';

/** What `work` wrote is undone where it throws; the transaction around it goes on. */
export async function undoneIfThrown<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`SAVEPOINT work`.execute(db);
  try {
    return await work();
  } catch (error) {
    await sql`ROLLBACK TO SAVEPOINT work`.execute(db);
    throw error;
  }
}
