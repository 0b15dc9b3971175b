import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  SqliteDialect,
  SqliteDriver,
  sql,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import { type Dialect, postgres, sqlite } from './dialect.ts';
import { isBusy, type Probe, postgresProbe, sqliteProbe } from './probe.ts';
import { openReaderThreads } from './sqlite/reader-threads.ts';
import { COMMON_PRAGMAS, connect, type SqliteConnection } from './sqlite/sqlite-connection.ts';
import { directly, readDirectly } from './sqlite/sqlite-direct.ts';
import type { Database } from './tables.ts';

/** A handle for queries: the store itself, or one of its transactions. */
export type Db = Kysely<Database>;

/** A handle, with the dialect of its engine. */
export type At = { db: Db; dialect: Dialect };

export type Store = {
  dialect: Dialect;
  /**
   * Number of this server's writes that wait for another one to end, without patient ones. SQLite has one writer; on PostgreSQL it is 0.
   */
  waitingWrites(): number;
  /** Whether other transactions wait for the one that is `tx`; on SQLite, patient ones count for `anyone` only. */
  isWaitedFor(tx: Db, by: 'others' | 'anyone'): Promise<boolean>;
  /** For single reads outside a transaction. */
  reader: Db;
  /** Runs `work` in one write transaction; on PostgreSQL it runs again after a deadlock or a serialisation failure. */
  write<T>(work: (tx: Transaction<Database>) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Runs several reads that see the same state. */
  snapshot<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** Like `snapshot`, for reads that may take more than some milliseconds: nothing else waits for them. */
  heavySnapshot<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>;
  probe: Probe;
  close(): Promise<void>;
};

/**
 * `unchanged`: no other transaction may change what this one reads before it ends; otherwise this one runs again. `patient`: the pass of a
 * dry run is not undone to let this write go first.
 */
export type WriteOptions = { unchanged?: boolean; patient?: boolean };

export type StoreOptions = {
  /** `postgres://…`, or the path of an SQLite file. */
  url: string;
  /** Connections to PostgreSQL; default 10. */
  poolSize?: number;
  /** SQLite: with `FULL` a power cut loses nothing, but writes are eight times slower. */
  synchronous?: 'NORMAL' | 'FULL';
  /** SQLite: for bulk writes. Sorting uses the disk instead of memory, and the write-ahead log may grow longer between checkpoints. */
  bulk?: boolean;
  /** SQLite: writes do not check what rows refer to; for rows that come from a store that has checked them, in any order. */
  unchecked?: boolean;
};

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** Opens the store at the address; an SQLite file is created if it does not exist. */
export function openStore(options: StoreOptions): Store {
  return isPostgresUrl(options.url) ? openPostgres(options) : openSqlite(options);
}

/** The longest pause before a transaction asks again for the writer. */
const LOOK_AGAIN_MS = 20;

/**
 * Takes the write lock at `begin`, so that a transaction cannot fail later because it does not get the lock. While another process holds
 * it, this one goes on: SQLite itself would wait in a call that blocks all requests. A transaction that SQLite has undone by itself,
 * because the disk is full, needs no rollback and takes no further statement.
 */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #database: SqliteConnection;
  readonly #waitMs: number;
  constructor(database: SqliteConnection, waitMs: number) {
    super({ database });
    this.#database = database;
    this.#waitMs = waitMs;
  }
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#begin(connection);
    this.#database.requireTransaction(true);
  }
  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection);
    this.#database.requireTransaction(false);
  }
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    this.#database.requireTransaction(false);
    if (this.#database.isInTransaction()) await super.rollbackTransaction(connection);
  }
  async #begin(connection: DatabaseConnection): Promise<void> {
    const until = performance.now() + this.#waitMs;
    for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, LOOK_AGAIN_MS)) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'));
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > until) throw error;
      }
      await delay(pauseMs);
    }
  }
}

function immediateSqliteDialect(database: SqliteConnection, waitMs: number): SqliteDialect {
  return Object.assign(new SqliteDialect({ database }), { createDriver: () => new ImmediateSqliteDriver(database, waitMs) });
}

const BUSY_MS = 5000;
const BULK_BUSY_MS = 60_000;
const BULK_PRAGMAS = ['temp_store = FILE', 'cache_size = -32000', 'wal_autocheckpoint = 8000'];

/**
 * Whoever may read the file may read the whole shop, and SQLite would let everybody on this machine whom its folder lets in. SQLite makes
 * the other files with the mode of the first.
 */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const stat = statSync(path, { throwIfNoEntry: false });
    // Another user's file keeps its mode, which only that user may change.
    if (stat && (stat.mode & 0o077) !== 0 && [0, stat.uid].includes(process.getuid?.() ?? stat.uid)) chmodSync(path, 0o600);
  }
}

function openSqlite({ url, synchronous = 'NORMAL', bulk = false, unchecked = false }: StoreOptions): Store {
  mkdirSync(dirname(url), { recursive: true, mode: 0o700 });
  keepPrivate(url);
  const ownPragmas = [
    'journal_mode = WAL',
    // The time-out is set to 0 after the journal mode, whose change may have to wait for other processes.
    'busy_timeout = 0',
    `synchronous = ${synchronous}`,
    ...(bulk ? BULK_PRAGMAS : []),
    ...(unchecked ? ['foreign_keys = OFF'] : []),
  ];
  const ours = connect(url, [...COMMON_PRAGMAS, ...ownPragmas]);
  const reading = connect(url, COMMON_PRAGMAS, { readonly: true });
  const writer = new Kysely<Database>({ dialect: immediateSqliteDialect(ours, bulk ? BULK_BUSY_MS : BUSY_MS) });
  const reader = new Kysely<Database>({ dialect: new SqliteDialect({ database: reading }) });
  readDirectly(reader, reading);
  const threads = openReaderThreads(url);
  let waiting = 0;
  let patiently = 0;
  let writing = 0;
  const write: Store['write'] = async (work, { patient = false } = {}) => {
    const count = (by: 1 | -1): void => {
      if (patient) patiently += by;
      else waiting += by;
    };
    let began = false;
    count(1);
    try {
      return await writer.transaction().execute((tx) => {
        began = true;
        count(-1);
        writing += 1;
        return directly(tx, ours, work);
      });
    } finally {
      if (began) writing -= 1;
      else count(-1);
    }
  };
  const probe = sqliteProbe(
    () => connect(url, ['busy_timeout = 0'], { fileMustExist: true }),
    () => writing > 0,
  );
  return {
    dialect: sqlite,
    reader,
    waitingWrites: () => waiting,
    isWaitedFor: async (_, by) => waiting + (by === 'anyone' ? patiently : 0) > 0,
    write,
    snapshot: (work) => reader.transaction().execute((tx) => directly(tx, reading, work)),
    heavySnapshot: (work) => threads.transaction().execute(work),
    probe,
    close: async () => {
      await probe.close();
      await threads.destroy();
      await reader.destroy();
      // A transaction that is still open ends first: closing the file would undo it.
      await writer.connection().execute(async () => undefined);
      await writer.destroy();
      // Kysely closes no connection that was never used, and an open one keeps others from having the file for themselves.
      reading.close();
      ours.close();
    },
  };
}

/** Serialisation failure and deadlock. */
const RETRIED = new Set(['40001', '40P01']);
const UNIQUE_VIOLATION = '23505';
const MAX_TRIES = 10;

function openPostgres({ url, poolSize = 10 }: StoreOptions): Store {
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
