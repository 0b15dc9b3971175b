import { sql } from 'kysely';
import { z } from 'zod';
import type { At, Db, Store } from '../open.ts';
import { StoreRefusal } from '../refusal.ts';

/**
 * The progress of a copy, in a table of the target that is there from the copy's first transaction to its last. As long as it is there, the
 * target is no store that a server may use.
 */
const Progress = z.object({
  /** What tells the source from others, and from itself after a change. */
  source: z.object({
    engine: z.enum(['sqlite', 'postgres']),
    era: z.string(),
    /** The number of rows by table. */
    counts: z.record(z.string(), z.number()),
  }),
  /** `schema`: the tables are being made; `rows`: rows are copied; `restoring`: what was set aside is being made again. */
  phase: z.enum(['schema', 'rows', 'restoring', 'comparing']),
  /** The last row that was copied. The tables before this one, in the order of their names, are complete. */
  at: z.object({ table: z.string(), key: z.array(z.union([z.string(), z.number()])).readonly() }).nullable(),
  /** How many rows were copied. */
  rows: z.number(),
  /** The statements that make constraints and triggers again. */
  aside: z.array(z.string()),
});
export type Progress = z.infer<typeof Progress>;

const UNFINISHED =
  'the database is an unfinished copy of a store: finish it with the same backroom db copy FROM TO, or empty the database and copy again';

/** Throws if the database is the target of a copy that has not ended. */
export async function refuseUnfinishedCopy(at: At): Promise<void> {
  if (await hasProgress(at)) throw new StoreRefusal(UNFINISHED);
}

export async function hasProgress({ db, dialect }: At): Promise<boolean> {
  const query =
    dialect.engine === 'sqlite'
      ? sql`SELECT 1 FROM sqlite_schema WHERE name = 'copy_progress'`
      : sql`SELECT 1 WHERE to_regclass('copy_progress') IS NOT NULL`;
  return (await query.execute(db)).rows.length > 0;
}

export async function beginProgress({ dialect, write }: Pick<Store, 'dialect' | 'write'>, progress: Progress): Promise<void> {
  await write(async (tx) => {
    await sql.raw(dialect.ddl('CREATE TABLE copy_progress (id INTEGER PRIMARY KEY, state TEXT NOT NULL) STRICT')).execute(tx);
    await sql`INSERT INTO copy_progress (id, state) VALUES (1, ${JSON.stringify(progress)})`.execute(tx);
  });
}

/** The stored progress. It waits for a transaction that a killed copy has left on PostgreSQL. */
export function readProgress({ dialect, write }: Pick<Store, 'dialect' | 'write'>): Promise<Progress> {
  return write(async (tx) => {
    const { rows } = await sql<{ state: string }>`SELECT state FROM copy_progress ${dialect.forUpdate}`.execute(tx);
    return Progress.parse(JSON.parse(rows[0]?.state ?? 'null'));
  });
}

/** Replaces the progress in the transaction that makes it. Throws if another copy into the same target has gone on meanwhile. */
export async function moveProgress(tx: Db, before: Progress, after: Progress): Promise<void> {
  const { numAffectedRows } = await sql`
    UPDATE copy_progress SET state = ${JSON.stringify(after)} WHERE state = ${JSON.stringify(before)}`.execute(tx);
  if (numAffectedRows !== 1n) throw new StoreRefusal('another copy into this target is running: let it end, or stop it');
}

export async function enterPhase({ write }: Pick<Store, 'write'>, before: Progress, phase: Progress['phase']): Promise<Progress> {
  const after = { ...before, phase };
  await write((tx) => moveProgress(tx, before, after));
  return after;
}

/** Makes the target of a copy a store like any other. */
export async function endCopy({ write }: Pick<Store, 'write'>): Promise<void> {
  await write((tx) => sql`DROP TABLE copy_progress`.execute(tx));
}
