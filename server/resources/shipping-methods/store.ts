import { z } from 'zod';
import type { Db } from '../../db/open.ts';

export async function selectMethod(db: Db, id: number) {
  const row = await db
    .selectFrom('shipping_methods')
    .select(['id', 'name', 'price_cents', 'free_over_cents', 'tax_rate_id', 'countries', 'delivery_estimate', 'active', 'sort_order'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? { ...row, countries: Countries.parse(JSON.parse(row.countries)), active: row.active === 1 } : null;
}

const Countries = z.array(z.string());
