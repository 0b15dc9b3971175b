import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Store, StoreOptions } from '../open.ts';
import type { Database } from '../tables.ts';
import { postgres } from './postgres-dialect.ts';
import { postgresProbe } from './postgres-probe.ts';

/** Serialisation failure and deadlock. */
const RETRIED = new Set(['40001', '40P01']);
const UNIQUE_VIOLATION = '23505';
const MAX_TRIES = 10;

export function openPostgres({ url, poolSize = 10 }: StoreOptions): Store {
  const int8 = 20;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types: {
      // int8 is parsed as a number, because ids and cents are safe integers.
      getTypeParser: (oid, format) => (Number(oid) === int8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // A connection that the database ends is replaced at its next use; a running query gets the error itself.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const write: Store['write'] = async (work, { unchanged = false } = {}) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await db
          .transaction()
          .setIsolationLevel(unchanged ? 'repeatable read' : 'read committed')
          .execute(work);
      } catch (error) {
        if (attempt === MAX_TRIES || !isRetryable(error, attempt)) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** attempt));
      }
    }
  };
  const snapshot: Store['snapshot'] = (work) =>
    db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
  const probe = postgresProbe(url);
  return {
    dialect: postgres,
    waitingWrites: () => 0,
    isWaitedFor: async (tx) => {
      const { rows } = await sql`
        SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)) LIMIT 1`.execute(tx);
      return rows.length > 0;
    },
    reader: db,
    write,
    snapshot,
    heavySnapshot: snapshot,
    probe,
    close: async () => {
      await probe.close();
      await db.destroy();
    },
  };
}

/**
 * A unique violation here means that another request with the same key committed first, unseen by this snapshot; run again, this request
 * finds the stored answer.
 */
const KEYED_TABLES = new Set(['idempotency', 'journal']);

/**
 * Another request took a value, or deleted or referred to a row, after this one had checked; run again, its own checks see that. A
 * violation that no check explains happens again and is thrown after some tries.
 */
const CONSTRAINTS = new Set([UNIQUE_VIOLATION, '23503']);
const CONSTRAINT_TRIES = 3;

function isRetryable(error: unknown, attempt: number): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '', table = '' } = error;
  if (RETRIED.has(code) || (code === UNIQUE_VIOLATION && KEYED_TABLES.has(table))) return true;
  return CONSTRAINTS.has(code) && attempt < CONSTRAINT_TRIES;
}
