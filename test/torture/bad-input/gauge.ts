import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../../../server/db/open.ts';

/** Detects whether the store has changed. */
export type Gauge = {
  /** Remembers the present state. `forLong`: for a longer time, in which the server's own bookkeeping writes and must not count. */
  set(options?: { forLong?: boolean }): Promise<void>;
  /** Returns what has changed since `set`; null: nothing. */
  moved(): Promise<string | null>;
};

export function gaugeOf(store: Store): Gauge {
  return store.dialect.engine === 'sqlite' ? commitGauge(store) : transactionGauge(store);
}

/** SQLite counts the commits of other connections (`data_version`). For a longer time the contents of the tables are compared too. */
function commitGauge({ reader }: Store): Gauge {
  let before = -1;
  let known: Map<string, string> | null = null;
  const version = async () => (await sql<{ data_version: number }>`PRAGMA data_version`.execute(reader)).rows[0]?.data_version ?? -1;
  const contents = async () => {
    const tables = await sql<{ name: string }>`
      SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`.execute(reader);
    const found = new Map<string, string>();
    for (const { name } of tables.rows.filter((table) => !BOOKKEEPING.has(table.name))) {
      const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(reader);
      found.set(name, createHash('sha1').update(JSON.stringify(rows)).digest('hex'));
    }
    return found;
  };
  return {
    set: async ({ forLong = false } = {}) => {
      known = forLong ? await contents() : null;
      before = await version();
    },
    moved: async () => {
      if ((await version()) === before) return null;
      return known === null ? 'something was written' : difference(known, await contents());
    },
  };
}

/**
 * PostgreSQL numbers each transaction that writes, and each row has the number of the transaction that wrote it (`xmin`).
 * PostgreSQL's own maintenance writes too, but it writes no row of our tables.
 */
function transactionGauge({ reader }: Store): Gauge {
  let before = '0';
  const next = async () =>
    (await sql<{ next: string }>`SELECT CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS next`.execute(reader)).rows[0]?.next ??
    '0';
  const isAnyCommitted = async (end: string) => {
    const { rows } = await sql`
      SELECT x FROM generate_series(CAST(${before} AS bigint), CAST(${end} AS bigint) - 1) AS x
      WHERE pg_xact_status(CAST(CAST(x AS text) AS xid8)) = 'committed' LIMIT 1`.execute(reader);
    return rows.length > 0;
  };
  const tablesSince = async (first: string) => {
    const tables = await sql<{ name: string }>`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.execute(
      reader,
    );
    const parts = tables.rows
      .filter(({ name }) => !BOOKKEEPING.has(name))
      .map(
        ({ name }) => sql`SELECT CAST(${name} AS text) AS name
          WHERE EXISTS (SELECT 1 FROM ${sql.table(name)} WHERE CAST(CAST(xmin AS text) AS bigint) >= CAST(${first} AS bigint))`,
      );
    return (await sql<{ name: string }>`${sql.join(parts, sql` UNION ALL `)}`.execute(reader)).rows.map(({ name }) => name);
  };
  return {
    set: async () => {
      before = await next();
    },
    moved: async () => {
      const now = await next();
      if (now === before || !(await isAnyCommitted(now))) return null;
      const tables = await tablesSince(before);
      return tables.length === 0 ? null : `written to: ${tables.join(', ')}`;
    },
  };
}

function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string | null {
  const changed = [...after].filter(([name, content]) => before.get(name) !== content).map(([name]) => name);
  return changed.length === 0 ? null : `written to: ${changed.join(', ')}`;
}

/**
 * Tables that do not count: when a token was last used or a runner last seen, and the sums that a loop writes on PostgreSQL.
 * These writes are not effects of the request.
 */
const SUMS = ['order_buyers', 'order_counts', 'order_part_counts', 'order_quarters', 'customer_sales', 'product_sales'];
const BOOKKEEPING = new Set(['tokens', 'admins', 'runners', ...SUMS]);
