import type { Db } from '../../db/open.ts';
import type { NewRow, Row } from '../../db/tables.ts';

export async function selectSkus(db: Db): Promise<string[]> {
  return (await db.selectFrom('variants').select('sku').execute()).map(({ sku }) => sku);
}

export async function selectSlugs(db: Db): Promise<string[]> {
  return (await db.selectFrom('products').select('slug').execute()).map(({ slug }) => slug);
}

export function selectTaxRates(db: Db): Promise<Row<'tax_rates'>[]> {
  return db.selectFrom('tax_rates').selectAll().execute();
}

export async function insertTaxRate(db: Db, rate: NewRow<'tax_rates'>): Promise<number> {
  const { id } = await db.insertInto('tax_rates').values(rate).returning('id').executeTakeFirstOrThrow();
  return id;
}
