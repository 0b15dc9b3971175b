import { ShippingMethod } from '../../../contract/shipping-methods.ts';
import { toColumns } from '../../db/columns.ts';
import { recordTable } from '../../db/record-table.ts';

export const shippingMethods = recordTable('shipping_methods', {
  type: 'shipping_method',
  toRecord: ({ name_folded: _, row_version: __, ...row }): ShippingMethod => ({
    ...row,
    countries: ShippingMethod.shape.countries.parse(JSON.parse(row.countries)),
    active: row.active === 1,
  }),
  toRow: (method) => toColumns(method, ['name']),
  search: ['name_folded'],
  order: { name: 'sort_order', type: 'integer' },
});
