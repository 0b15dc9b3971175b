import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import { type Dialect, postgres, sqlite } from './dialect.ts';
import { openReaderThreads } from './reader-threads.ts';
import { COMMON_PRAGMAS, connect } from './sqlite-connection.ts';
import type { Database } from './tables.ts';

/** A handle to query with: the store itself, or a transaction of it. */
export type Db = Kysely<Database>;

/** A handle, and the words of the engine that it is of. */
export type At = { db: Db; dialect: Dialect };

export type Store = {
  dialect: Dialect;
  /** How many writes wait until another one of this server has ended, but for the patient ones: SQLite has one writer. */
  waitingWrites(): number;
  /** Single reads outside a transaction. */
  reader: Db;
  /** Runs in one write transaction; on PostgreSQL a deadlock or serialisation failure runs it again. */
  write<T>(work: (tx: Transaction<Database>) => Promise<T>, options?: WriteOptions): Promise<T>;
  /** Several reads that see one state. */
  snapshot<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** The same for reads that may take more than some milliseconds: nothing else waits for them. */
  heavySnapshot<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/**
 * `unchanged`: what the transaction reads must not be changed by another before it ends; else it runs again. `patient`: no
 * dry run is undone for it.
 */
export type WriteOptions = { unchanged?: boolean; patient?: boolean };

export type StoreOptions = {
  /** `postgres://…`, or the path of an SQLite file. */
  url: string;
  /** Connections to PostgreSQL; default 10. */
  poolSize?: number;
  /** SQLite: `FULL` survives a power cut with nothing lost, at an eighth of the write rate. */
  synchronous?: 'NORMAL' | 'FULL';
  /** SQLite: for one who writes very many rows. What is sorted goes to the disk, and the log grows longer before it is taken over. */
  bulk?: boolean;
};

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** Opens the store that the address names; creates an SQLite file where there is none. */
export function openStore(options: StoreOptions): Store {
  return isPostgresUrl(options.url) ? openPostgres(options) : openSqlite(options);
}

class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** Takes the write lock at `begin`, so that a transaction never fails for it half way. */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }
  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#config);
  }
}

const BULK_PRAGMAS = ['busy_timeout = 60000', 'temp_store = FILE', 'cache_size = -32000', 'wal_autocheckpoint = 8000'];

function openSqlite({ url, synchronous = 'NORMAL', bulk = false }: StoreOptions): Store {
  mkdirSync(dirname(url), { recursive: true });
  const ownPragmas = ['journal_mode = WAL', `synchronous = ${synchronous}`, ...(bulk ? BULK_PRAGMAS : [])];
  const writer = new Kysely<Database>({
    dialect: new ImmediateSqliteDialect({
      database: connect(url, [...COMMON_PRAGMAS, ...ownPragmas]),
    }),
  });
  const reader = new Kysely<Database>({ dialect: new SqliteDialect({ database: connect(url, COMMON_PRAGMAS, { readonly: true }) }) });
  const threads = openReaderThreads(url);
  let waiting = 0;
  const write: Store['write'] = async (work, { patient = false } = {}) => {
    const weight = patient ? 0 : 1;
    let began = false;
    waiting += weight;
    try {
      return await writer.transaction().execute((tx) => {
        began = true;
        waiting -= weight;
        return work(tx);
      });
    } finally {
      if (!began) waiting -= weight;
    }
  };
  return {
    dialect: sqlite,
    reader,
    waitingWrites: () => waiting,
    write,
    snapshot: (work) => reader.transaction().execute(work),
    heavySnapshot: (work) => threads.transaction().execute(work),
    close: async () => {
      await threads.destroy();
      await reader.destroy();
      await writer.destroy();
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
      // int8 as number: ids and cents are safe integers.
      getTypeParser: (oid, format) => (Number(oid) === int8 ? Number : pg.types.getTypeParser(oid, format)),
    },
  });
  // A connection that the database ends is replaced at the next use; its query, if there is one, is told as well.
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
  return {
    dialect: postgres,
    waitingWrites: () => 0,
    reader: db,
    write,
    snapshot,
    heavySnapshot: snapshot,
    close: () => db.destroy(),
  };
}

/** Another request with the same key was first, unseen by this one's snapshot: run again, it finds the stored answer. */
const KEYED_TABLES = new Set(['idempotency', 'journal']);

/**
 * A value that another request took since this one looked, or a row that it deleted or referred to: run again, its own
 * checks see so. A violation that no check explains comes again, and is thrown after a few.
 */
const CONSTRAINTS = new Set([UNIQUE_VIOLATION, '23503']);
const CONSTRAINT_TRIES = 3;

function isRetryable(error: unknown, attempt: number): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code = '', table = '' } = error;
  if (RETRIED.has(code) || (code === UNIQUE_VIOLATION && KEYED_TABLES.has(table))) return true;
  return CONSTRAINTS.has(code) && attempt < CONSTRAINT_TRIES;
}
