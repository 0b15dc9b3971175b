import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CompiledQuery, type DatabaseConnection, Kysely, SqliteDialect, SqliteDriver } from 'kysely';
import type { Store, StoreOptions } from '../open.ts';
import type { Database } from '../tables.ts';
import { openReaderThreads } from './reader-threads.ts';
import { COMMON_PRAGMAS, connect, type SqliteConnection } from './sqlite-connection.ts';
import { sqlite } from './sqlite-dialect.ts';
import { directly, readDirectly } from './sqlite-direct.ts';
import { isBusy, sqliteProbe } from './sqlite-probe.ts';

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
 * Makes the files readable for their owner alone: they hold the whole shop, and SQLite would make them readable for every user of the machine.
 * Files that SQLite adds later get the mode of the first.
 */
function keepPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    const stat = statSync(path, { throwIfNoEntry: false });
    // Another user's file keeps its mode, which only that user may change.
    if (stat && (stat.mode & 0o077) !== 0 && [0, stat.uid].includes(process.getuid?.() ?? stat.uid)) chmodSync(path, 0o600);
  }
}

export function openSqlite({ url, synchronous = 'NORMAL', bulk = false, unchecked = false, nowMs }: StoreOptions): Store {
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
  const ours = connect(url, [...COMMON_PRAGMAS, ...ownPragmas], { nowMs });
  const reading = connect(url, COMMON_PRAGMAS, { readonly: true, nowMs });
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
