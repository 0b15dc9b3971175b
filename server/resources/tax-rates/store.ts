import type { TaxRate } from '../../../contract/tax-rates.ts';
import type { Db } from '../../db/open.ts';
import { type TableOf, toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';

declare module '../../db/tables.ts' {
  interface Database {
    tax_rates: TableOf<TaxRate, 'name'>;
  }
}

export const taxRates = recordTable('tax_rates', {
  type: 'tax_rate',
  toRecord: ({ name_folded: _, row_version: __, ...row }): TaxRate => ({ ...row, is_default: row.is_default === 1 }),
  toRow: (rate) => toColumns(rate, ['name']),
  search: ['name_folded'],
  order: { name: 'name_folded', type: 'text' },
});

export async function selectDefaultId(db: Db): Promise<number | null> {
  const row = await db.selectFrom('tax_rates').select('id').where('is_default', '=', 1).executeTakeFirst();
  return row?.id ?? null;
}

export function clearDefault(db: Db, id: number): Promise<void> {
  return taxRates.setColumns(db, id, { is_default: 0 });
}

/**
 * The basis points of a rate (null: the default one) in a country: if the country has a rate of the same name, that one
 * counts. Returns null if there is no such rate.
 */
export async function selectRateBps(db: Db, id: number | null, country: string): Promise<number | null> {
  const query = db.selectFrom('tax_rates').select(['id', 'rate_bps', 'name_folded']);
  const rate = await (id === null ? query.where('is_default', '=', 1) : query.where('id', '=', id)).executeTakeFirst();
  if (!rate) return null;
  const there = await query.where('country', '=', country).where('name_folded', '=', rate.name_folded).orderBy('id').execute();
  return (there.find((one) => one.id === rate.id) ?? there[0] ?? rate).rate_bps;
}

/** A product or shipping method that uses the rate, or null. */
export async function selectUser(db: Db, id: number): Promise<{ what: 'product' | 'shipping method'; id: number; name: string } | null> {
  const product = await db.selectFrom('products').select(['id', 'name']).where('tax_rate_id', '=', id).limit(1).executeTakeFirst();
  if (product) return { what: 'product', ...product };
  const method = await db.selectFrom('shipping_methods').select(['id', 'name']).where('tax_rate_id', '=', id).limit(1).executeTakeFirst();
  return method ? { what: 'shipping method', ...method } : null;
}
