import type { SelectQueryBuilder } from 'kysely';
import type { TaxRate } from '../../../contract/tax-rates.ts';
import { fold } from '../../../contract/values.ts';
import { toColumns } from '../../db/columns.ts';
import { countRows, selectKeys } from '../../db/keyset.ts';
import type { At, Db } from '../../db/open.ts';
import { updateVersioned } from '../../db/statement.ts';
import type { Database } from '../../db/tables.ts';
import type { List } from '../../pages.ts';

const columns = ['id', 'name', 'rate_bps', 'country', 'is_default'] as const;

export function taxRates(at: At, searchFolded: string): List<TaxRate> {
  const found = matching(at, searchFolded);
  return {
    keys: (reading) => selectKeys(found, reading),
    count: () => countRows(found),
    rows: async (ids) => (await at.db.selectFrom('tax_rates').select(columns).where('id', 'in', ids).execute()).map(toRate),
  };
}

/** `hold`: nobody else changes it before this transaction ends. */
export async function selectRate({ db, dialect }: At, id: number, hold: boolean): Promise<TaxRate | null> {
  const query = db.selectFrom('tax_rates').select(columns).where('id', '=', id);
  const row = await (hold ? query.modifyEnd(dialect.forUpdate) : query).executeTakeFirst();
  return row ? toRate(row) : null;
}

export async function selectDefaultId(db: Db): Promise<number | null> {
  const row = await db.selectFrom('tax_rates').select('id').where('is_default', '=', 1).executeTakeFirst();
  return row?.id ?? null;
}

/** Basis points of a rate, of the default one for null, as they are in a country; null where there is none. */
export async function selectRateBps(db: Db, id: number | null, country: string): Promise<number | null> {
  const query = db.selectFrom('tax_rates').select(['id', 'rate_bps', 'name_folded']);
  const rate = await (id === null ? query.where('is_default', '=', 1) : query.where('id', '=', id)).executeTakeFirst();
  if (!rate) return null;
  const there = await query.where('country', '=', country).where('name_folded', '=', rate.name_folded).orderBy('id').execute();
  return (there.find((one) => one.id === rate.id) ?? there[0] ?? rate).rate_bps;
}

export async function insertRate(db: Db, rate: Omit<TaxRate, 'id'>): Promise<TaxRate> {
  const row = { ...rate, name_folded: fold(rate.name), is_default: rate.is_default ? 1 : 0 };
  const { id } = await db.insertInto('tax_rates').values(row).returning('id').executeTakeFirstOrThrow();
  return { id, ...rate };
}

export function updateRate(db: Db, id: number, changes: Partial<TaxRate>): Promise<void> {
  return setColumns(db, id, toColumns(changes, ['name']));
}

const setColumns = updateVersioned('tax_rates');

export async function deleteRate(db: Db, id: number): Promise<void> {
  await db.deleteFrom('tax_rates').where('id', '=', id).execute();
}

/** What has the rate for its own. */
export async function selectUser(db: Db, id: number): Promise<{ what: 'product' | 'shipping method'; id: number; name: string } | null> {
  const product = await db.selectFrom('products').select(['id', 'name']).where('tax_rate_id', '=', id).limit(1).executeTakeFirst();
  if (product) return { what: 'product', ...product };
  const method = await db.selectFrom('shipping_methods').select(['id', 'name']).where('tax_rate_id', '=', id).limit(1).executeTakeFirst();
  return method ? { what: 'shipping method', ...method } : null;
}

/** The rate cannot go away before this transaction ends. */
export async function holdRate({ db, dialect }: At, id: number): Promise<boolean> {
  const row = await db.selectFrom('tax_rates').select('id').where('id', '=', id).modifyEnd(dialect.forShare).executeTakeFirst();
  return row !== undefined;
}

function matching({ db, dialect }: At, searchFolded: string): SelectQueryBuilder<Database, 'tax_rates', object> {
  const query = db.selectFrom('tax_rates');
  return searchFolded === '' ? query : query.where((eb) => dialect.contains(eb.ref('name_folded'), searchFolded));
}

function toRate(row: Omit<TaxRate, 'is_default'> & { is_default: number }): TaxRate {
  return { ...row, is_default: row.is_default === 1 };
}
