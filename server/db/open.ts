import type { Kysely, Transaction } from 'kysely';
import type { Dialect } from './dialect.ts';
import { openPostgres } from './postgres/postgres-store.ts';
import type { Probe } from './probe.ts';
import { openSqlite } from './sqlite/sqlite-store.ts';
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
  /** SQLite, for tests: the database's clock, in milliseconds since 1970. */
  nowMs?: (() => number) | undefined;
};

/** A handle for single reads outside a transaction, with the dialect. */
export function readsOf({ reader, dialect }: Pick<Store, 'reader' | 'dialect'>): At {
  return { db: reader, dialect };
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** Opens the store at the address; an SQLite file is created if it does not exist. */
export function openStore(options: StoreOptions): Store {
  return isPostgresUrl(options.url) ? openPostgres(options) : openSqlite(options);
}
