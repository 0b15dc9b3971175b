import { sql } from 'kysely';
import type { Db } from '../open.ts';

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

/** Runs `work` behind a savepoint and keeps its writes only if it returns true. */
export async function keptIf(db: Db, work: () => Promise<boolean>): Promise<boolean> {
  await sql`SAVEPOINT work`.execute(db);
  const isKept = await work();
  if (isKept) await sql`RELEASE SAVEPOINT work`.execute(db);
  else await undo(db);
  return isKept;
}

/** Runs `work` and undoes its writes. If it throws, the error goes to `failed`, which may throw one that ends the transaction. */
export async function rolledBack(db: Db, work: () => Promise<void>, failed: (error: unknown) => void): Promise<void> {
  await sql`SAVEPOINT pass`.execute(db);
  try {
    await work();
  } catch (error) {
    failed(error);
  }
  await sql`ROLLBACK TO SAVEPOINT pass`.execute(db);
  await sql`RELEASE SAVEPOINT pass`.execute(db);
}

async function undo(db: Db): Promise<void> {
  await sql`ROLLBACK TO SAVEPOINT work`.execute(db);
  await sql`RELEASE SAVEPOINT work`.execute(db);
}
