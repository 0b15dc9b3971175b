import { sql } from 'kysely';
import type { Db } from './open.ts';

/** Runs `work` behind a savepoint. If it throws, its writes are undone and the transaction can go on. */
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

async function undo(db: Db): Promise<void> {
  await sql`ROLLBACK TO SAVEPOINT work`.execute(db);
  await sql`RELEASE SAVEPOINT work`.execute(db);
}
