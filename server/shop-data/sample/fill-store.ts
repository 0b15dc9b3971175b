import type { Db } from '../../db/open.ts';

export async function hasProducts(db: Db): Promise<boolean> {
  return (await db.selectFrom('products').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** The variants' stocks, in any order. */
export function selectStocks(db: Db, variantIds: readonly number[]): Promise<{ id: number; stock: number }[]> {
  return db.selectFrom('variants').select(['id', 'stock']).where('id', 'in', variantIds).execute();
}
