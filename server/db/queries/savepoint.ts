import { sql } from 'kysely';
import type { Db } from '../open.ts';
import { statement } from './statement.ts';

const begin = statement(() => sql`SAVEPOINT work`);
const release = statement(() => sql`RELEASE SAVEPOINT work`);
const rollBack = statement(() => sql`ROLLBACK TO SAVEPOINT work`);
const beginPass = statement(() => sql`SAVEPOINT pass`);
const releasePass = statement(() => sql`RELEASE SAVEPOINT pass`);
const rollBackPass = statement(() => sql`ROLLBACK TO SAVEPOINT pass`);

/** Runs `work` behind a savepoint. If it throws, its writes are undone and the transaction can go on. */
export async function savepoint<T>(db: Db, work: () => Promise<T>): Promise<T> {
  await begin(db, {});
  let done: T;
  try {
    done = await work();
  } catch (error) {
    await undo(db);
    throw error;
  }
  await release(db, {});
  return done;
}

/** Runs `work` behind a savepoint and keeps its writes only if it returns true. */
export async function keptIf(db: Db, work: () => Promise<boolean>): Promise<boolean> {
  await begin(db, {});
  const isKept = await work();
  if (isKept) await release(db, {});
  else await undo(db);
  return isKept;
}

/** Runs `work` and undoes its writes. If it throws, the error goes to `failed`, which may throw one that ends the transaction. */
export async function rolledBack(db: Db, work: () => Promise<void>, failed: (error: unknown) => void): Promise<void> {
  await beginPass(db, {});
  try {
    await work();
  } catch (error) {
    failed(error);
  }
  await rollBackPass(db, {});
  await releasePass(db, {});
}

async function undo(db: Db): Promise<void> {
  await rollBack(db, {});
  await release(db, {});
}
