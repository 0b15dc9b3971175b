import { sql } from 'kysely';
import type { Db } from './open.ts';

/** What `work` wrote is undone where it throws; the transaction around it goes on. */
export async function savepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`SAVEPOINT work`.execute(db);
  let done: T;
  try {
    done = await work();
  } catch (error) {
    await undo(db);
    throw error;
  }
  await sql`RELEASE SAVEPOINT work`.execute(db);
  return done;
}

/** What `work` wrote is undone whatever becomes of it. */
export async function rolledBack<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await sql`SAVEPOINT work`.execute(db);
  const done = await work();
  await undo(db);
  return done;
}

async function undo(db: Db): Promise<void> {
  await sql`ROLLBACK TO SAVEPOINT work`.execute(db);
  await sql`RELEASE SAVEPOINT work`.execute(db);
}
