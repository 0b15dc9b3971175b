import { z } from 'zod';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';

/** The name of this source in the table `imports`; its ids are kept apart, as they are long and written once. */
const PROGRESS = 'online-retail';
const IDS = 'online-retail/ids';

const State = z.object({
  sha256: z.string(),
  invoicesDone: z.int().min(0),
  invoices: z.int().min(0),
  finishedAt: z.string().nullable(),
});
export type ImportState = z.infer<typeof State>;

const Ids = z.object({
  /** By product code. */
  products: z.record(z.string(), z.tuple([z.int(), z.int()])),
  /** By customer number. */
  customers: z.record(z.string(), z.int()),
});
/** Product and variant id by product code, customer id by customer number. */
export type ImportIds = z.infer<typeof Ids>;

/** How far the import is; null before the first. `dialect` locks the row until the transaction ends. */
export async function readState(db: Db, dialect?: Dialect): Promise<ImportState | null> {
  const text = await select(db, PROGRESS, dialect);
  return text === null ? null : State.parse(JSON.parse(text));
}

export async function readIds(db: Db): Promise<ImportIds> {
  return Ids.parse(JSON.parse((await select(db, IDS)) ?? 'null'));
}

export async function writeState(db: Db, state: ImportState): Promise<void> {
  await upsert(db, PROGRESS, state);
}

export async function writeIds(db: Db, ids: ImportIds): Promise<void> {
  await upsert(db, IDS, ids);
}

async function select(db: Db, source: string, dialect?: Dialect): Promise<string | null> {
  let query = db.selectFrom('imports').select('state').where('source', '=', source);
  if (dialect) query = query.modifyEnd(dialect.forUpdate);
  return (await query.executeTakeFirst())?.state ?? null;
}

async function upsert(db: Db, source: string, value: unknown): Promise<void> {
  const row = { state: JSON.stringify(value), updated_at: new Date().toISOString() };
  await db
    .insertInto('imports')
    .values({ source, ...row })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(row))
    .execute();
}
