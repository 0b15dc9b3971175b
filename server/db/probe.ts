import type { SqliteStatement } from 'kysely';
import pg from 'pg';

/** Finds out whether a store takes writes, from time to time, without waiting for its writers or delaying them. */
export type Probe = {
  /**
   * `writable`: a write was just possible, or another one has committed since the last look. `held`: all this time, one transaction of
   * another process has held SQLite's writer. Rejects where the database refuses the write or does not answer.
   */
  look(): Promise<'writable' | 'held'>;
  close(): Promise<void>;
};

/** A write that changes nothing. */
const TOUCH = `UPDATE settings SET value = value WHERE key = ''`;

type Connection = { prepare(text: string): SqliteStatement; close(): void };

/**
 * `open`: opens a connection of its own, which never waits for a lock. `isWriting`: whether a transaction of this process is open; it ends by
 * itself, and where others wait for it too long it is made to (`calls/dry-run/writer-slot.ts`).
 */
export function sqliteProbe(open: () => Connection, isWriting: () => boolean): Probe {
  let opened: Connection | undefined;
  let seen: string | undefined;
  return {
    async look() {
      if (isWriting()) return 'writable';
      opened ??= open();
      const connection = opened;
      // This number changes with each commit of another connection.
      const before = seen;
      seen = JSON.stringify(connection.prepare('PRAGMA data_version').all([]));
      try {
        connection.prepare('BEGIN IMMEDIATE').run([]);
      } catch (error) {
        if (!isBusy(error)) throw error;
        return before !== undefined && before !== seen ? 'writable' : 'held';
      }
      try {
        connection.prepare(TOUCH).run([]);
      } finally {
        connection.prepare('ROLLBACK').run([]);
      }
      return 'writable';
    },
    close: async () => opened?.close(),
  };
}

/** Whether another connection holds SQLite's writer. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('SQLITE_BUSY');
}

/** For the connection, and for the statement; a database that answers later than this does not answer. */
const ANSWERS_WITHIN_MS = 3000;

/** Has a connection of its own, so that it waits for no request, and nothing it does can wait for longer than a few seconds. */
export function postgresProbe(url: string): Probe {
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: ANSWERS_WITHIN_MS,
    query_timeout: ANSWERS_WITHIN_MS,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    async look() {
      await pool.query(TOUCH);
      return 'writable';
    },
    close: () => pool.end(),
  };
}
