import { sql } from 'kysely';
import { postgres, sqlite } from './migrations/0009-order-search.ts';
import type { Store } from './open.ts';

/**
 * Stops the triggers that keep the counts and the buyers, while very many orders are written. Until
 * `resumeOrderUpkeep` totals and searches are wrong; whoever opens the store next (`migrate`) makes up for it.
 */
export async function pauseOrderUpkeep(store: Store): Promise<void> {
  const triggers = Object.entries(upkeepOf(store).triggers).map(([name, what]) => ({ name, table: /\bON (\w+)/.exec(what)?.[1] }));
  await run(
    store,
    triggers
      .toReversed()
      .map(({ name, table }) => `DROP TRIGGER IF EXISTS ${name}${store.dialect.engine === 'postgres' ? ` ON ${table}` : ''}`),
  );
}

/** Makes counts and buyers from the orders as they are, and starts the triggers; false where none was stopped. */
export async function resumeOrderUpkeep(store: Store): Promise<boolean> {
  const { rows } =
    store.dialect.engine === 'sqlite'
      ? await sql`SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = 'orders_counted_delete'`.execute(store.reader)
      : await sql`SELECT 1 FROM pg_trigger WHERE tgrelid = 'orders'::regclass AND tgname = 'orders_counted_delete'`.execute(store.reader);
  if (rows.length > 0) return false;
  const { fill, triggers } = upkeepOf(store);
  await run(store, [...fill, ...Object.entries(triggers).map(([name, what]) => `CREATE TRIGGER ${name} ${what}`)]);
  return true;
}

/** Makes one row of the rows that PostgreSQL's triggers have added since the last time. */
export async function mergeOrderCounts({ dialect, write }: Store): Promise<void> {
  if (dialect.engine === 'sqlite') return;
  await write((db) =>
    sql`
      WITH added AS (DELETE FROM order_counts WHERE merged = 0 RETURNING *)
      INSERT INTO order_counts AS known (day, is_test, status, payment_status, dated, merged, n)
      SELECT day, is_test, status, payment_status, dated, 1, sum(n) FROM added GROUP BY 1, 2, 3, 4, 5
      ON CONFLICT (day, is_test, status, payment_status, dated) WHERE merged = 1 DO UPDATE SET n = known.n + excluded.n`.execute(db),
  );
}

function upkeepOf({ dialect }: Store) {
  return dialect.engine === 'sqlite' ? sqlite : postgres;
}

/** All of them in one transaction. */
async function run({ write }: Store, statements: readonly string[]): Promise<void> {
  await write(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  });
}
