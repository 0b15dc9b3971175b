import { z } from 'zod';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
import { readProgress, writeProgress } from '../../db/progress.ts';

/** The name of this import in the table `imports`. The ids have a row of their own, because they are long and written only once. */
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

/** The progress of the import; null if none was started. With `dialect`, the row is locked until the transaction ends. */
export async function readState(db: Db, dialect?: Dialect): Promise<ImportState | null> {
  return State.nullable().parse(await readProgress(db, PROGRESS, dialect));
}

export async function readIds(db: Db): Promise<ImportIds> {
  return Ids.parse(await readProgress(db, IDS));
}

export async function writeState(db: Db, state: ImportState): Promise<void> {
  await writeProgress(db, PROGRESS, state);
}

export async function writeIds(db: Db, ids: ImportIds): Promise<void> {
  await writeProgress(db, IDS, ids);
}
