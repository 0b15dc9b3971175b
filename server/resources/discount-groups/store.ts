import type { Db } from '../../db/open.ts';

/** The discount of a business customer; undefined for anybody else. */
export function selectDiscountOf(db: Db, customerId: number): Promise<{ percent_bps: number } | undefined> {
  return db
    .selectFrom('customers')
    .innerJoin('discount_groups', 'discount_groups.id', 'customers.discount_group_id')
    .select('discount_groups.percent_bps')
    .where('customers.id', '=', customerId)
    .where('customers.is_b2b', '=', 1)
    .executeTakeFirst();
}
