import { z } from 'zod';
import type { Dialect } from '../../db/dialect.ts';
import type { Db } from '../../db/open.ts';
import { readProgress, writeProgress } from '../../db/progress.ts';
import { voucherNames } from './commerce.ts';

const SOURCE = 'sample-shop';

const Ids = z.object({
  products: z.array(z.int()),
  variants: z.array(z.int()),
  statuses: z.array(z.int()),
  taxRates: z.object({ standard: z.int(), reduced: z.int(), zero: z.int() }),
  pickupLocations: z.array(z.int()),
  discountGroups: z.array(z.int()),
  vouchers: z.record(z.enum(voucherNames), z.int()),
  /** The ids of the first customer and of the first order; the ids of the others follow without a gap. */
  firstCustomer: z.int(),
  firstOrder: z.int(),
});
export type SampleIds = z.infer<typeof Ids>;

const State = z.object({
  seed: z.int(),
  now: z.string(),
  orders: z.int(),
  customers: z.int(),
  ids: Ids,
  customersDone: z.int(),
  ordersDone: z.int(),
  finishedAt: z.string().nullable(),
});
/** The progress of a sample shop's fill. Everything else is computed from the seed, the clock and the number of orders. */
export type SampleState = z.infer<typeof State>;

/** The stored progress; null before the first fill. With `dialect`, the row is locked until the transaction ends. */
export async function readState(db: Db, dialect?: Dialect): Promise<SampleState | null> {
  return State.nullable().parse(await readProgress(db, SOURCE, dialect));
}

export async function writeState(db: Db, state: SampleState): Promise<void> {
  await writeProgress(db, SOURCE, state);
}
