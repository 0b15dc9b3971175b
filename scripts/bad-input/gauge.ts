import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../../server/db/open.ts';

/** Tells whether the store has changed. */
export type Gauge = {
  /** Remembers how it is. */
  set(): Promise<void>;
  /** What has changed since `set`; null: nothing. */
  moved(): Promise<string | null>;
};

export function gaugeOf(store: Store): Gauge {
  return store.dialect.engine === 'sqlite' ? commitGauge(store) : contentGauge(store);
}

/** SQLite counts the commits of other connections that changed the file. */
function commitGauge({ reader }: Store): Gauge {
  let before = -1;
  const version = async () => (await sql<{ data_version: number }>`PRAGMA data_version`.execute(reader)).rows[0]?.data_version ?? -1;
  return {
    set: async () => {
      before = await version();
    },
    moved: async () => ((await version()) === before ? null : 'something was written'),
  };
}

/** PostgreSQL gives out a number to each transaction that writes; where there was one, the contents are compared. */
function contentGauge({ reader }: Store): Gauge {
  let known = new Map<string, string>();
  let before = '';
  const nextTransaction = async () =>
    (await sql<{ next: string }>`SELECT CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS next`.execute(reader)).rows[0]?.next ?? '';
  const contents = async () => {
    const tables = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.execute(
      reader,
    );
    const parts = tables.rows
      .filter(({ name }) => !BOOKKEEPING.has(name))
      .map(
        ({ name }) =>
          sql`SELECT CAST(${name} AS text) AS name, count(*) || '/' || coalesce(sum(hashtextextended(CAST(t AS text), 0)), 0) AS content FROM ${sql.table(name)} t`,
      );
    const { rows } = await sql<{ name: string; content: string }>`${sql.join(parts, sql` UNION ALL `)}`.execute(reader);
    return new Map(rows.map(({ name, content }) => [name, createHash('sha1').update(content).digest('hex')]));
  };
  return {
    set: async () => {
      const now = await nextTransaction();
      if (now !== before) known = await contents();
      before = now;
    },
    moved: async () => {
      const now = await nextTransaction();
      if (now === before) return null;
      const found = await contents();
      const changed = [...found].filter(([name, content]) => known.get(name) !== content).map(([name]) => name);
      known = found;
      before = now;
      return changed.length === 0 ? null : `written to: ${changed.join(', ')}`;
    },
  };
}

/** When a token was last used, when a runner was last seen: not the request's effect. */
const BOOKKEEPING = new Set(['tokens', 'admins', 'runners']);
