import type { Db } from '../../db/open.ts';

/** Basis points of a rate, of the default one for null; null where there is none. */
export async function selectRateBps(db: Db, id: number | null): Promise<number | null> {
  const query = db.selectFrom('tax_rates').select('rate_bps');
  const row = await (id === null ? query.where('is_default', '=', 1) : query.where('id', '=', id)).executeTakeFirst();
  return row?.rate_bps ?? null;
}
