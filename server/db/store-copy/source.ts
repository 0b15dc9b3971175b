import { Kysely, SqliteDialect, sql } from 'kysely';
import { isLockNotAvailable } from '../faults.ts';
import { type At, isPostgresUrl, openStore, readsOf } from '../open.ts';
import { StoreRefusal } from '../refusal.ts';
import { COMMON_PRAGMAS, connect } from '../sqlite/sqlite-connection.ts';
import { sqlite } from '../sqlite/sqlite-dialect.ts';
import type { Database } from '../tables.ts';
import { readTables } from './tables.ts';

const STOP = 'stop the servers of this shop (npm start, npm run server) and what else works with it; runners may go on';

/**
 * Runs work on a store that nobody else uses, and that nobody can change meanwhile: a copy that is killed and continued must find the
 * source as it was, and what a server wrote after its row was copied would be lost. Throws a `StoreRefusal` if others use the store.
 */
export function withQuietSource<T>(url: string, work: (source: At) => Promise<T>): Promise<T> {
  return isPostgresUrl(url) ? withQuietPostgres(url, work) : withQuietSqlite(url, work);
}

/** A connection in the exclusive mode needs the file for itself from its first access on, even from those that are open and idle. */
async function withQuietSqlite<T>(file: string, work: (source: At) => Promise<T>): Promise<T> {
  const pragmas = [...COMMON_PRAGMAS, 'busy_timeout = 1000', 'locking_mode = EXCLUSIVE'];
  const db = new Kysely<Database>({ dialect: new SqliteDialect({ database: connect(file, pragmas, { fileMustExist: true }) }) });
  try {
    await sql`BEGIN EXCLUSIVE`.execute(db).catch((error) => {
      const isOpen = error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
      throw isOpen ? new StoreRefusal(`the source ${file} is open in another process: ${STOP}`) : error;
    });
    return await work({ db, dialect: sqlite });
  } finally {
    await db.destroy();
  }
}

/** Locks keep others from writing; the snapshot begins behind them. */
async function withQuietPostgres<T>(url: string, work: (source: At) => Promise<T>): Promise<T> {
  // With a single connection, all others to the database are somebody else's.
  const store = openStore({ url, poolSize: 1 });
  try {
    const tables = await readTables(readsOf(store));
    return await store.snapshot(async (db) => {
      for (const setting of ['lock_timeout = 5000', 'statement_timeout = 0', 'idle_in_transaction_session_timeout = 0'])
        await sql.raw(`SET LOCAL ${setting}`).execute(db);
      const all = sql.join(tables.map(({ name }) => sql.table(name)));
      if (tables.length > 0)
        await sql`LOCK TABLE ${all} IN SHARE MODE`.execute(db).catch((error) => {
          throw isLockNotAvailable(error) ? new StoreRefusal(`the source is being changed: ${STOP}`) : error;
        });
      const { rows } = await sql<{ others: number }>`
        SELECT count(*) AS others FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND usesysid IS NOT NULL
          AND coalesce(backend_type, 'client backend') = 'client backend'`.execute(db);
      const others = rows[0]?.others ?? 0;
      if (others > 0) throw new StoreRefusal(`${others} other ${others === 1 ? 'connection uses' : 'connections use'} the source: ${STOP}`);
      return work({ db, dialect: store.dialect });
    });
  } finally {
    await store.close();
  }
}
