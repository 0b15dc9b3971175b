import type { SqliteStatement } from 'kysely';
import { type Probe, TOUCH } from '../probe.ts';

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
