import type { PickupLocation } from '../../../contract/pickup-locations.ts';
import type { Db } from '../../db/open.ts';
import { type TableOf, toColumns } from '../../db/queries/columns.ts';
import { recordTable } from '../../db/queries/record-table.ts';

declare module '../../db/tables.ts' {
  interface Database {
    pickup_locations: TableOf<PickupLocation, 'name'>;
  }
}

export const pickupLocations = recordTable('pickup_locations', {
  type: 'pickup_location',
  toRecord: ({ name_folded: _, row_version: __, ...row }): PickupLocation => ({ ...row, active: row.active === 1 }),
  toRow: (location) => toColumns(location, ['name']),
  search: ['name_folded'],
  order: { name: 'sort_order', type: 'integer' },
});

/** An order that refers to the pickup location, or null. */
export async function selectOrderOf(db: Db, id: number): Promise<number | null> {
  const order = await db.selectFrom('orders').select('id').where('pickup_location_id', '=', id).limit(1).executeTakeFirst();
  return order?.id ?? null;
}
