import { sql } from 'kysely';
import type { At, Db, Store } from './open.ts';
import { orderUpkeeps } from './schema/index.ts';
import { mergeAddedBuyers } from './schema/order-buyers.ts';
import { createTriggers, type EngineUpkeep } from './schema/upkeep.ts';

/**
 * Drops the triggers that keep counts, buyers and sums, for a bulk write of orders. Until `resumeOrderUpkeep` runs, totals, searches and
 * the dashboard are wrong. If it never runs, `migrate` resumes the upkeep when the store is opened next.
 */
export async function pauseOrderUpkeep(store: Store): Promise<void> {
  const triggers = upkeepsOf(store)
    .flatMap((upkeep) => Object.entries(upkeep.triggers))
    .map(([name, what]) => ({ name, table: /\bON (\w+)/.exec(what)?.[1] }));
  await run(
    store,
    triggers
      .toReversed()
      .map(({ name, table }) => `DROP TRIGGER IF EXISTS ${name}${store.dialect.engine === 'postgres' ? ` ON ${table}` : ''}`),
  );
}

/** Fills counts, buyers and sums from the present orders and creates the triggers again; returns false if none was missing. */
export async function resumeOrderUpkeep(store: Store): Promise<boolean> {
  const stopped: EngineUpkeep[] = [];
  for (const upkeep of upkeepsOf(store)) if (!(await isKept(store, upkeep))) stopped.push(upkeep);
  for (const upkeep of stopped) await run(store, [...upkeep.fill, ...createTriggers(upkeep)]);
  return stopped.length > 0;
}

/** Merges the rows that PostgreSQL's triggers have added since the last merge. */
export async function mergeOrderCounts({ dialect, write }: Store): Promise<void> {
  if (dialect.engine === 'sqlite') return;
  for (const merge of orderUpkeeps.flatMap(({ merges }) => merges)) await write((db) => sql.raw(merge).execute(db));
  await write((db) => mergeBuyersUnlessBusy(db));
}

/** Who merges buyers holds this name; the next one then sees what was merged. */
const MERGING = 'order buyers';

/** A deletion may hold the name for long; what it leaves is merged the next time. */
async function mergeBuyersUnlessBusy(db: Db): Promise<void> {
  const { rows } = await sql<{ free: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${MERGING}, 0)) AS free`.execute(db);
  if (rows[0]?.free) await sql.raw(mergeAddedBuyers).execute(db);
}

/** Merges the rows of buyers in a transaction that must leave nothing of a person. */
export async function mergeBuyers({ db, dialect }: At): Promise<void> {
  if (dialect.engine === 'sqlite') return;
  await dialect.lockName(db, MERGING);
  await sql.raw(mergeAddedBuyers).execute(db);
}

/** The triggers of each upkeep are created in one transaction, so either all of them exist or none. */
async function isKept({ dialect, reader }: Store, { triggers }: EngineUpkeep): Promise<boolean> {
  const names = sql.join(Object.keys(triggers));
  const { rows } =
    dialect.engine === 'sqlite'
      ? await sql`SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name IN (${names})`.execute(reader)
      : await sql`SELECT 1 FROM pg_trigger WHERE tgrelid IN ('orders'::regclass, 'order_items'::regclass) AND tgname IN (${names})`.execute(
          reader,
        );
  return rows.length > 0;
}

function upkeepsOf({ dialect }: Store): readonly EngineUpkeep[] {
  return orderUpkeeps.map((upkeep) => upkeep[dialect.engine]);
}

/** Runs all statements in one transaction. */
async function run({ write }: Store, statements: readonly string[]): Promise<void> {
  await write(async (db) => {
    for (const statement of statements) await sql.raw(statement).execute(db);
  });
}
